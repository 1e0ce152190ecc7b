#include "support/digest.h"

#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_bits(uint64_t* state)
{
    *state += 0x9E3779B97F4A7C15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static float random_coordinate(uint64_t* state)
{
    const uint64_t bits = random_bits(state);
    const uint32_t low = (uint32_t)bits;
    switch (bits >> 61)
    {
    case 0:
    {
        float any;
        memcpy(&any, &low, sizeof(any));
        return any;
    }
    case 1:
    case 2:
        return 0.125f * (float)(low % 33u) - 2.0f;
    default:
        return (float)((double)low * 0x1p-30 - 2.0);
    }
}

AbutPoints digest_points(void)
{
    static float coordinates[3][DIGEST_POINTS];
    uint64_t state = 20260101;
    for (int i = 0; i < DIGEST_POINTS; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            coordinates[axis][i] = random_coordinate(&state);
        }
    }
    return (AbutPoints){ coordinates[0], coordinates[1], coordinates[2] };
}

uint64_t digest_hash(const float* values, size_t count, uint64_t seed)
{
    uint64_t hash = seed;
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof(bits));
        bits = isnan(values[i]) ? 0x7FC00000u : bits;
        hash = abut_hash(&bits, sizeof(bits), hash);
    }
    return hash;
}

uint64_t digest_of_shape(const DigestShape* shape, const AbutHost* host)
{
    static float samples[4][DIGEST_POINTS];
    const AbutPose* pose = shape->posed ? &shape->pose : NULL;
    const AbutSamples out = { samples[0], samples[1], samples[2], samples[3] };
    if (host != NULL)
    {
        abut_shape_sample_parallel(shape->shape, pose, digest_points(), DIGEST_POINTS, out, host);
    }
    else
    {
        abut_shape_sample(shape->shape, pose, digest_points(), DIGEST_POINTS, out);
    }
    uint64_t hash = 0;
    for (int i = 0; i < 4; ++i)
    {
        hash = digest_hash(samples[i], DIGEST_POINTS, hash);
    }
    return hash;
}

// -----------------------------------------------------------------------------------------------------------
// The list
// -----------------------------------------------------------------------------------------------------------

typedef struct List
{
    DigestShape* shapes;
    size_t count;
} List;

/// Adds a shape, which the list then owns, and returns it for use in others.
static AbutShape* add(List* list, const char* name, AbutResult result, AbutShape** shape)
{
    if (result != ABUT_OK || list->count == DIGEST_MOST_SHAPES)
    {
        fprintf(stderr, "%s: %s\n", name, result != ABUT_OK ? abut_last_error() : "the list is full");
        exit(EXIT_FAILURE);
    }
    list->shapes[list->count++] = (DigestShape){ .name = name, .shape = *shape };
    return *shape;
}

/// The same shape once more, posed.
static void add_posed(List* list, const char* name, AbutShape* shape, AbutPose pose)
{
    AbutShape* again = abut_shape_retain(shape);
    add(list, name, ABUT_OK, &again);
    list->shapes[list->count - 1].pose = pose;
    list->shapes[list->count - 1].posed = true;
}

static const AbutPose ROTATED = { { 0.25, -0.5, 0.125 }, { 0.5f, 0.1f, -0.7f, 0.5f }, 1.5f };
static const AbutPose FAR_AWAY = { { 10000.25, -0.5, 0.125 }, { 0.5f, 0.5f, -0.5f, 0.5f }, 1.5f };

static void add_primitives(List* list)
{
    AbutShape* s = NULL;
    add(list, "sphere", abut_shape_create_sphere(0.75f, NULL, &s), &s);
    add_posed(list, "sphere posed", s, ROTATED);
    add(list, "box", abut_shape_create_box(abut_vec3(1.0f, 2.0f, 3.0f), NULL, &s), &s);
    add_posed(list, "box posed", s, ROTATED);
    add(list, "rounded box", abut_shape_create_rounded_box(abut_vec3(1, 2, 3), 0.25f, NULL, &s), &s);
    add_posed(list, "rounded box posed", s, ROTATED);
    add(list, "capsule", abut_shape_create_capsule(0.5f, 1.0f, NULL, &s), &s);
    add_posed(list, "capsule posed", s, ROTATED);
    add(list, "cylinder", abut_shape_create_cylinder(0.5f, 1.5f, NULL, &s), &s);
    add_posed(list, "cylinder posed", s, ROTATED);
    add(list, "cone", abut_shape_create_cone(1.0f, 0.0f, 2.0f, NULL, &s), &s);
    add_posed(list, "cone posed", s, ROTATED);
    add(list, "cut cone", abut_shape_create_cone(0.5f, 1.0f, 1.0f, NULL, &s), &s);
    add(list, "torus", abut_shape_create_torus(1.0f, 0.25f, NULL, &s), &s);
    add_posed(list, "torus posed", s, ROTATED);
    add(list, "plane", abut_shape_create_plane(abut_vec3(1.0f, 2.0f, -3.0f), 0.5f, NULL, &s), &s);
    add_posed(list, "plane posed", s, ROTATED);
}

static AbutShape* find(const List* list, const char* name)
{
    for (size_t i = 0; i < list->count; ++i)
    {
        if (strcmp(list->shapes[i].name, name) == 0)
        {
            return list->shapes[i].shape;
        }
    }
    fprintf(stderr, "no shape is called %s\n", name);
    exit(EXIT_FAILURE);
}

static void add_combinations(List* list)
{
    AbutShape *torus = find(list, "torus"), *box = find(list, "box"), *cone = find(list, "cone"), *s = NULL;
    AbutShape* const three[] = { torus, box, cone };
    add(list, "union", abut_shape_create_union(three, 3, NULL, &s), &s);
    add(list, "intersection", abut_shape_create_intersection(three, 3, NULL, &s), &s);
    add(list, "difference", abut_shape_create_difference(torus, box, NULL, &s), &s);
    add(list, "smooth union", abut_shape_create_smooth_union(torus, box, 0.25f, NULL, &s), &s);
    add_posed(list, "smooth union posed", s, ROTATED);
    add(list, "offset", abut_shape_create_offset(torus, 0.125f, NULL, &s), &s);
    add_posed(list, "offset posed", s, ROTATED);
    add(list, "shell", abut_shape_create_shell(box, 0.0625f, NULL, &s), &s);
    add_posed(list, "shell posed", s, ROTATED);
    add(list, "corrected", abut_shape_create_corrected(torus, 1.25f, NULL, &s), &s);
    add(list, "placed", abut_shape_create_transformed(torus, &ROTATED, NULL, &s), &s);
    add_posed(list, "placed posed", s, ROTATED);
    add(list, "placed far away", abut_shape_create_transformed(torus, &FAR_AWAY, NULL, &s), &s);
    add_posed(list, "placed and posed back", s, abut_pose_inverse(&FAR_AWAY));
}

/// Every combination and change, nested: a hollow part with a blended boss, bored through.
static void add_tree(List* list)
{
    AbutShape *boss = NULL, *body = NULL, *skin = NULL, *grown = NULL, *bore = NULL, *piece = NULL;
    const AbutPose up = { { 0.0, 0.75, 0.25 }, { 0.28f, 0.0f, 0.0f, 0.96f }, 0.75f };
    add(list, "boss", abut_shape_create_transformed(find(list, "cylinder"), &up, NULL, &boss), &boss);
    add(list, "body", abut_shape_create_smooth_union(find(list, "rounded box"), boss, 0.5f, NULL, &body),
        &body);
    add(list, "skin", abut_shape_create_shell(body, 0.25f, NULL, &skin), &skin);
    add(list, "grown", abut_shape_create_offset(skin, -0.03125f, NULL, &grown), &grown);
    add(list, "bore", abut_shape_create_transformed(find(list, "capsule"), &ROTATED, NULL, &bore), &bore);
    add(list, "part", abut_shape_create_difference(grown, bore, NULL, &piece), &piece);
    add_posed(list, "part posed", piece, ROTATED);
}

/// Small integers, with coplanar faces; a hull that is scanned, one that is climbed, and a flat one.
static void add_hulls(List* list)
{
    AbutVec3 points[512];
    uint64_t state = 11;
    for (int i = 0; i < 512; ++i)
    {
        uint64_t bits = random_bits(&state);
        float x = (float)(bits % 64) / 32.0f - 1.0f, y = (float)(bits / 64 % 64) / 32.0f - 1.0f;
        float z = (float)(bits / 4096 % 64) / 32.0f - 1.0f, squared = x * x + y * y + z * z;
        points[i] = squared > 0.0f ? abut_vec3(x / squared, y / squared, z / squared) : abut_vec3(x, y, z);
    }
    AbutShape* s = NULL;
    add(list, "hull", abut_shape_create_convex(points, 24, NULL, &s), &s);
    add_posed(list, "hull posed", s, ROTATED);
    add(list, "large hull", abut_shape_create_convex(points, 512, NULL, &s), &s);
    for (int i = 0; i < 24; ++i)
    {
        points[i].y = 0.25f;
    }
    add(list, "flat hull", abut_shape_create_convex(points, 24, NULL, &s), &s);
}

/// Hills by integers, so that no library function has a say.
static void add_terrain(List* list)
{
    enum
    {
        X = 33,
        Z = 21
    };
    float heights[X * Z];
    uint64_t state = 7;
    for (int i = 0; i < X * Z; ++i)
    {
        heights[i] = (float)(random_bits(&state) % 1024) / 1024.0f;
    }
    AbutHeightfieldDef def = abut_heightfield_def();
    def.heights = heights;
    def.x_count = X;
    def.z_count = Z;
    def.spacing = 0.125;
    def.origin = (AbutPosition){ -2.0, -0.5, -1.25 };
    AbutShape* s = NULL;
    add(list, "heightfield", abut_shape_create_heightfield(&def, &s), &s);
    add_posed(list, "heightfield posed", s, ROTATED);
    def.band = 0.0625f;
    add(list, "heightfield, thin band", abut_shape_create_heightfield(&def, &s), &s);
    add(list, "heightfield less a torus", abut_shape_create_difference(s, find(list, "torus"), NULL, &s), &s);
}

static void saddle(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    for (size_t i = 0; i < count; ++i)
    {
        float x = points.x[i], y = points.y[i], z = points.z[i];
        out.distance[i] = y - 0.25f * (x * x - z * z);
        if (out.gradient_x != NULL)
        {
            out.gradient_x[i] = -0.5f * x;
            out.gradient_y[i] = 1.0f;
            out.gradient_z[i] = 0.5f * z;
        }
    }
}

static void add_functions(List* list)
{
    AbutCallbackDef def = abut_callback_def();
    def.function = saddle;
    AbutShape* s = NULL;
    add(list, "function", abut_shape_create_callback(&def, &s), &s);
    add_posed(list, "function posed", s, ROTATED);
    def.has_gradient = true;
    add(list, "function with gradient", abut_shape_create_callback(&def, &s), &s);
    add(list, "blended function", abut_shape_create_smooth_union(s, find(list, "cone"), 0.5f, NULL, &s), &s);
}

size_t digest_create_shapes(DigestShape* shapes)
{
    List list = { shapes, 0 };
    add_primitives(&list);
    add_combinations(&list);
    add_tree(&list);
    add_terrain(&list);
    add_functions(&list);
    add_hulls(&list);
    return list.count;
}

void digest_destroy_shapes(DigestShape* shapes, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        abut_shape_destroy(shapes[i].shape);
    }
}

void digest_check(AbutResult result, const char* name)
{
    if (result != ABUT_OK)
    {
        fprintf(stderr, "%s: %s\n", name, abut_last_error());
        exit(EXIT_FAILURE);
    }
}

AbutMesh* digest_create_gear(void)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    def.teeth = 12;
    def.module = 0.0625f;
    def.bore_radius = 0.125f;
    AbutMesh* gear = NULL;
    digest_check(abut_mesh_create_gear(&def, &gear), "gear");
    return gear;
}

AbutFieldFormat digest_bake_pair(int number, uint32_t sparse_cells, const AbutMesh* mesh,
                                 const AbutShape* shape, AbutShape* out[2], char name[40])
{
    AbutBakeDef def = abut_bake_def();
    def.format = (AbutFieldFormat)(number / 2);
    def.sparse = number % 2 == 1;
    def.resolution = def.sparse ? sparse_cells : 40;
    snprintf(name, 40, "%s %s", abut_field_format_name(def.format), def.sparse ? "sparse" : "dense");
    digest_check(abut_bake_mesh(&def, mesh, &out[0]), name);
    digest_check(abut_bake_shape(&def, shape, &out[1]), name);
    return def.format;
}
