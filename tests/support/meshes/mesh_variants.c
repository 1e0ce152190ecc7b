#include "support/meshes/mesh_variants.h"

#include <abut/models.h>
#include <math.h>
#include <stdlib.h>

static const char* const DEFECTS[TEST_DEFECT_COUNT] = { "none",   "noise", "seam",  "shift", "T-junctions",
                                                        "strips", "ring",  "chips", "split", "hole" };

const char* test_defect_name(TestDefect defect)
{
    return DEFECTS[defect];
}

// -----------------------------------------------------------------------------------------------------------
// Solids
// -----------------------------------------------------------------------------------------------------------

static uint32_t random_count(TestRandom* random, uint32_t low, uint32_t high)
{
    return low + (uint32_t)(test_random_bits(random) % (high - low + 1));
}

static AbutThreadMeshDef random_thread(TestRandom* random)
{
    AbutThreadMeshDef def = abut_thread_mesh_def();
    def.major_radius = (float)test_random_range(random, 0.2, 0.5);
    def.pitch = def.major_radius * (float)test_random_range(random, 0.25, 0.5);
    def.depth = 0.5f * def.pitch;
    def.clearance = 0.02f * def.major_radius;
    def.length = def.pitch * (float)test_random_range(random, 2.0, 4.0);
    def.head_radius = def.major_radius * (float)test_random_range(random, 1.6, 2.0);
    def.head_height = 0.6f * def.major_radius;
    def.divisions_per_turn = random_count(random, 10, 40);
    def.left_handed = random_count(random, 0, 1) == 1;
    return def;
}

static AbutResult create_nut(TestRandom* random, AbutMesh** out)
{
    AbutThreadMeshDef def = random_thread(random);
    return abut_mesh_create_nut(&def, out);
}

static AbutResult create_bolt(TestRandom* random, AbutMesh** out)
{
    AbutThreadMeshDef def = random_thread(random);
    return abut_mesh_create_bolt(&def, out);
}

static AbutResult create_gear(TestRandom* random, AbutMesh** out)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    def.teeth = random_count(random, 9, 24);
    def.module = 1.0f / (float)def.teeth;
    def.width = (float)test_random_range(random, 0.15, 0.5);
    def.bore_radius = random_count(random, 0, 2) == 0 ? 0.0f : (float)test_random_range(random, 0.1, 0.2);
    def.flank_divisions = random_count(random, 2, 6);
    def.bore_divisions = random_count(random, 12, 48);
    return abut_mesh_create_gear(&def, out);
}

static AbutResult create_pipe(TestRandom* random, AbutMesh** out)
{
    AbutPipeMeshDef def = abut_pipe_mesh_def();
    def.inner_radius = (float)test_random_range(random, 0.1, 0.15);
    def.thickness = (float)test_random_range(random, 0.05, 0.1);
    def.coil_radius = (float)test_random_range(random, 0.35, 0.6);
    def.pitch = (float)test_random_range(random, 0.8, 1.2);
    def.turns = (float)test_random_range(random, 0.3, 1.1);
    def.end_length = (float)test_random_range(random, 0.1, 0.3);
    def.section_divisions = random_count(random, 8, 24);
    def.divisions_per_turn = random_count(random, 16, 48);
    return abut_mesh_create_pipe(&def, out);
}

static AbutResult create_ring(TestRandom* random, AbutMesh** out)
{
    AbutTorusMeshDef def = abut_torus_mesh_def();
    bool twisted = random_count(random, 0, 1) == 1;
    def.major_radius = 0.5f;
    def.minor_radius = (float)test_random_range(random, 0.12, 0.3);
    def.major_divisions = random_count(random, 24, 64);
    def.twist_corners = twisted ? random_count(random, 3, 5) : 0;
    def.twist_steps = twisted ? (int32_t)random_count(random, 0, 3) : 0;
    def.minor_divisions =
        twisted ? def.twist_corners * random_count(random, 2, 6) : random_count(random, 8, 32);
    return abut_mesh_create_torus(&def, out);
}

static AbutResult create_box(TestRandom* random, AbutMesh** out)
{
    float x = (float)test_random_range(random, 0.3, 1.0), y = (float)test_random_range(random, 0.3, 1.0);
    return abut_mesh_create_box(abut_vec3(x, y, 1.0f), random_count(random, 1, 16), NULL, out);
}

static AbutResult create_sphere(TestRandom* random, AbutMesh** out)
{
    return abut_mesh_create_sphere(0.5f, random_count(random, 3, 18), NULL, out);
}

static AbutResult create_bowl(TestRandom* random, AbutMesh** out)
{
    float thickness = (float)test_random_range(random, 0.08, 0.2);
    return abut_mesh_create_bowl(0.5f, thickness, random_count(random, 16, 40), NULL, out);
}

static AbutResult create_link(TestRandom* random, AbutMesh** out)
{
    float length = (float)test_random_range(random, 0.1, 0.5);
    float rod_radius = (float)test_random_range(random, 0.08, 0.15);
    return abut_mesh_create_chain_link(length, 0.3f, rod_radius, random_count(random, 8, 24), NULL, out);
}

typedef struct Solid
{
    const char* name;
    AbutResult (*create)(TestRandom* random, AbutMesh** out);
} Solid;

static const Solid SOLIDS[] = {
    { "nut", create_nut },       { "bolt", create_bolt }, { "gear", create_gear }, { "pipe", create_pipe },
    { "nut", create_nut },       { "ring", create_ring }, { "box", create_box },   { "gear", create_gear },
    { "sphere", create_sphere }, { "bowl", create_bowl }, { "pipe", create_pipe }, { "link", create_link },
};

enum
{
    SOLID_COUNT = sizeof(SOLIDS) / sizeof(SOLIDS[0])
};

// -----------------------------------------------------------------------------------------------------------
// Placement
// -----------------------------------------------------------------------------------------------------------

static double longest_side(AbutBox box)
{
    AbutVec3 e = abut_box_extents(box);
    return fmax((double)e.x, fmax((double)e.y, (double)e.z));
}

/// A random rotation and scale, and a position up to two sizes from the origin. Vertices that more than one
/// triangle uses stay one.
static TestSoup transform_soup(const AbutMesh* mesh, TestRandom* random)
{
    TestSoup soup = { 0 };
    AbutQuat rotation = test_random_rotation(random);
    double scale = pow(10.0, test_random_range(random, -3.0, 3.0)) / longest_side(abut_mesh_bounds(mesh));
    AbutVec3 shift = random_count(random, 0, 2) == 0
                         ? abut_vec3(0.0f, 0.0f, 0.0f)
                         : test_random_point(random, 2.0 * scale * longest_side(abut_mesh_bounds(mesh)));
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        AbutVec3 v = abut_quat_rotate(rotation, abut_mesh_vertices(mesh)[i]);
        test_soup_vertex(&soup, scale * (double)v.x + (double)shift.x, scale * (double)v.y + (double)shift.y,
                         scale * (double)v.z + (double)shift.z);
    }
    for (uint32_t i = 0; i < abut_mesh_triangle_count(mesh); ++i)
    {
        const uint32_t* c = abut_mesh_indices(mesh) + 3 * (size_t)i;
        test_soup_triangle(&soup, c[0], c[1], c[2]);
    }
    return soup;
}

// -----------------------------------------------------------------------------------------------------------
// Defects
// -----------------------------------------------------------------------------------------------------------

typedef struct Making
{
    TestVariant* variant;
    TestRandom* random;
    TestSoup soup;
} Making;

static AbutVec3 corner_of(const TestSoup* soup, uint32_t triangle, int k)
{
    return soup->vertices[soup->indices[3 * (size_t)triangle + (size_t)k]];
}

static AbutVec3 middle_of(const TestSoup* soup, uint32_t triangle)
{
    AbutVec3 sum = abut_vec3_add(abut_vec3_add(corner_of(soup, triangle, 0), corner_of(soup, triangle, 1)),
                                 corner_of(soup, triangle, 2));
    return abut_vec3_scale(sum, 1.0f / 3.0f);
}

/// A random vector of at most a length.
static AbutVec3 nudge(TestRandom* random, double length)
{
    AbutVec3 direction = test_random_direction(random);
    return abut_vec3_scale(direction, (float)(length * test_random_unit(random)));
}

static void move_vertices(Making* self, uint32_t begin, double length)
{
    for (uint32_t i = begin; i < self->soup.vertex_count; ++i)
    {
        AbutVec3* v = &self->soup.vertices[i];
        *v = abut_vec3_add(*v, nudge(self->random, length));
    }
}

/// Which strip a triangle is in, of `count` between the ends of the solid along a direction.
static uint32_t strip_of(const Making* self, uint32_t triangle, AbutVec3 direction, uint32_t count)
{
    AbutBox box = abut_mesh_bounds(self->variant->ideal);
    AbutVec3 middle = abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f);
    double at = (double)abut_vec3_dot(abut_vec3_sub(middle_of(&self->soup, triangle), middle), direction) /
                self->variant->size;
    double strip = floor((at + 0.5) * count + 0.137);
    return strip < 0.0 ? 0u : (strip >= count ? count - 1 : (uint32_t)strip);
}

/// Vertices of strip `strip` that others use too get a double. Returns the number of the first new vertex.
static uint32_t cut_off(Making* self, const uint32_t* strips, uint32_t strip)
{
    TestSoup* soup = &self->soup;
    uint32_t first = soup->vertex_count;
    uint8_t* shared = calloc(first, 1);
    uint32_t* doubles = malloc(first * sizeof(uint32_t));
    assert_true(shared != NULL && doubles != NULL);
    for (uint32_t i = 0; i < 3 * soup->triangle_count; ++i)
    {
        shared[soup->indices[i]] |= strips[i / 3] == strip ? 1 : 2;
    }
    for (uint32_t v = 0; v < first; ++v)
    {
        AbutVec3 p = soup->vertices[v];
        doubles[v] = shared[v] == 3 ? test_soup_vertex(soup, p.x, p.y, p.z) : v;
    }
    for (uint32_t i = 0; i < 3 * soup->triangle_count; ++i)
    {
        soup->indices[i] = strips[i / 3] == strip ? doubles[soup->indices[i]] : soup->indices[i];
    }
    free(shared);
    free(doubles);
    return first;
}

static uint32_t* make_strips(const Making* self, uint32_t count)
{
    AbutVec3 direction = test_random_direction(self->random);
    uint32_t* strips = malloc(self->soup.triangle_count * sizeof(uint32_t));
    assert_non_null(strips);
    for (uint32_t t = 0; t < self->soup.triangle_count; ++t)
    {
        strips[t] = strip_of(self, t, direction, count);
    }
    return strips;
}

static void open_seam(Making* self)
{
    uint32_t* strips = make_strips(self, 2);
    uint32_t first = cut_off(self, strips, 1);
    move_vertices(self, first, self->variant->width);
    free(strips);
}

/// Each strip moved as a whole by up to the width, so that gaps are up to two widths.
static void shift_strips(Making* self, uint32_t count)
{
    TestSoup* soup = &self->soup;
    uint32_t* strips = make_strips(self, count);
    for (uint32_t strip = 1; strip < count; ++strip)
    {
        cut_off(self, strips, strip);
    }
    uint8_t* done = calloc(soup->vertex_count, 1);
    AbutVec3* shifts = malloc(count * sizeof(AbutVec3));
    assert_true(done != NULL && shifts != NULL);
    for (uint32_t strip = 0; strip < count; ++strip)
    {
        shifts[strip] = strip % 2 == 0 ? abut_vec3(0, 0, 0) : nudge(self->random, self->variant->width);
    }
    for (uint32_t i = 0; i < 3 * soup->triangle_count; ++i)
    {
        uint32_t v = soup->indices[i];
        soup->vertices[v] =
            done[v] ? soup->vertices[v] : abut_vec3_add(soup->vertices[v], shifts[strips[i / 3]]);
        done[v] = 1;
    }
    free(shifts);
    free(done);
    free(strips);
}

static void split_edges_on_one_side(Making* self)
{
    TestSoup* soup = &self->soup;
    uint32_t count = soup->triangle_count;
    for (uint32_t t = 0; t < count; ++t)
    {
        if (test_random_unit(self->random) > 0.2)
        {
            continue;
        }
        uint32_t* c = soup->indices + 3 * (size_t)t;
        int k = (int)random_count(self->random, 0, 2);
        uint32_t a = c[k], b = c[(k + 1) % 3], d = c[(k + 2) % 3];
        float fraction = (float)test_random_range(self->random, 0.2, 0.8);
        AbutVec3 p = abut_vec3_add(abut_vec3_scale(soup->vertices[a], 1.0f - fraction),
                                   abut_vec3_scale(soup->vertices[b], fraction));
        p = abut_vec3_add(p, nudge(self->random, self->variant->width));
        uint32_t v = test_soup_vertex(soup, p.x, p.y, p.z);
        c[(k + 1) % 3] = v;
        test_soup_triangle(soup, v, b, d);
    }
}

static void double_a_band(Making* self)
{
    TestSoup* soup = &self->soup;
    uint32_t *strips = make_strips(self, 4), count = soup->triangle_count;
    for (uint32_t t = 0; t < count; ++t)
    {
        if (strips[t] == 2)
        {
            const uint32_t* c = soup->indices + 3 * (size_t)t;
            test_soup_triangle(soup, c[0], c[1], c[2]);
        }
    }
    free(strips);
    move_vertices(self, 0, self->variant->width);
}

static void remove_triangle(TestSoup* soup, uint32_t triangle)
{
    soup->triangle_count -= 1;
    for (int k = 0; k < 3; ++k)
    {
        soup->indices[3 * (size_t)triangle + (size_t)k] =
            soup->indices[3 * (size_t)soup->triangle_count + (size_t)k];
    }
}

static double diameter_of(const TestSoup* soup, uint32_t triangle)
{
    double most = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        AbutVec3 edge = abut_vec3_sub(corner_of(soup, triangle, k), corner_of(soup, triangle, (k + 1) % 3));
        most = fmax(most, (double)abut_vec3_length(edge));
    }
    return most;
}

/// Cuts a corner off some triangles, and leaves it out: a hole of the width.
static void chip_off(Making* self)
{
    TestSoup* soup = &self->soup;
    uint32_t count = soup->triangle_count;
    for (uint32_t t = 0; t < count; ++t)
    {
        double diameter = diameter_of(soup, t);
        if (test_random_unit(self->random) > 0.05 || diameter < 2.0 * self->variant->width)
        {
            continue;
        }
        AbutVec3 p[3], inner[3], middle = middle_of(soup, t);
        float fraction = (float)(0.5 * self->variant->width / diameter);
        uint32_t v[3], w[3];
        for (int k = 0; k < 3; ++k)
        {
            v[k] = soup->indices[3 * (size_t)t + (size_t)k];
            p[k] = corner_of(soup, t, k);
            inner[k] = abut_vec3_add(middle, abut_vec3_scale(abut_vec3_sub(p[k], middle), fraction));
            w[k] = test_soup_vertex(soup, inner[k].x, inner[k].y, inner[k].z);
        }
        for (int k = 0; k < 3; ++k)
        {
            int n = (k + 1) % 3;
            test_soup_triangle(soup, v[k], v[n], w[n]);
            test_soup_triangle(soup, v[k], w[n], w[k]);
        }
        uint32_t* last = soup->indices + 3 * (size_t)(soup->triangle_count - 1);
        for (int k = 0; k < 3; ++k)
        {
            soup->indices[3 * (size_t)t + (size_t)k] = last[k];
        }
        soup->triangle_count -= 1;
    }
}

/// Leaves out the faces around a random vertex.
static void make_hole(Making* self)
{
    TestSoup* soup = &self->soup;
    TestVariant* variant = self->variant;
    variant->hole = corner_of(soup, random_count(self->random, 0, soup->triangle_count - 1), 0);
    variant->hole_radius = variant->size * test_random_range(self->random, 0.1, 0.25);
    double reach = 0.0;
    for (uint32_t t = soup->triangle_count; t-- > 0;)
    {
        double distance = (double)abut_vec3_length(abut_vec3_sub(middle_of(soup, t), variant->hole));
        if (distance < variant->hole_radius)
        {
            reach = fmax(reach, distance + diameter_of(soup, t));
            remove_triangle(soup, t);
        }
    }
    variant->hole_radius = reach;
}

static void add_defect(Making* self)
{
    TestVariant* variant = self->variant;
    switch (variant->defect)
    {
    case TEST_DEFECT_NOISE:
        move_vertices(self, 0, variant->width);
        break;
    case TEST_DEFECT_SEAM:
        open_seam(self);
        break;
    case TEST_DEFECT_SHIFT:
        shift_strips(self, 2);
        break;
    case TEST_DEFECT_T_JUNCTIONS:
        split_edges_on_one_side(self);
        break;
    case TEST_DEFECT_STRIPS:
        shift_strips(self, 5);
        break;
    case TEST_DEFECT_RING:
        double_a_band(self);
        break;
    case TEST_DEFECT_CHIPS:
        chip_off(self);
        break;
    case TEST_DEFECT_SPLIT:
        test_soup_split(&self->soup);
        move_vertices(self, 0, 0.5 * variant->width);
        break;
    case TEST_DEFECT_HOLE:
        make_hole(self);
        break;
    default:
        break;
    }
}

TestVariant test_variant_create(uint32_t number, double widest)
{
    TestRandom random = { 0x5eed0000u + number };
    const Solid* solid = &SOLIDS[number % SOLID_COUNT];
    TestVariant variant = { .solid = solid->name };
    variant.defect = (TestDefect)(number / SOLID_COUNT * 7 + number % SOLID_COUNT) % TEST_DEFECT_COUNT;
    AbutMesh* generated = NULL;
    test_assert_result(solid->create(&random, &generated), ABUT_OK);
    Making making = { &variant, &random, transform_soup(generated, &random) };
    abut_mesh_destroy(generated);
    variant.ideal = test_soup_mesh(&making.soup, NULL);
    variant.size = longest_side(abut_mesh_bounds(variant.ideal));
    variant.width = variant.size * exp(test_random_range(&random, log(1e-7), log(widest)));
    variant.moved = variant.width;
    add_defect(&making);
    variant.mesh = test_soup_mesh(&making.soup, NULL);
    test_soup_free(&making.soup);
    return variant;
}

void test_variant_destroy(TestVariant* variant)
{
    abut_mesh_destroy(variant->ideal);
    abut_mesh_destroy(variant->mesh);
}
