#include "scenes/simulate/scene_visual.h"

#include <abut/io.h>
#include <abut/surface.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    MOST_TRIANGLES = 12000, // of a mesh that is drawn as it is
    FIRST_RESOLUTION = 48,
    ENDLESS_RESOLUTION = 24,
    VISUAL_NUMBERS = 8,
    VISUAL_TEXT_SIZE = 512
};

/// Part of the volume.
#define LOST_VOLUME 0.1

typedef struct VisualNumbers
{
    double values[VISUAL_NUMBERS];
    int count;
} VisualNumbers;

static void visual_sphere(const VisualNumbers* n, char* out, size_t size)
{
    snprintf(out, size, "sphere_mesh:%.9g,10", n->values[0]);
}

static void visual_box(const VisualNumbers* n, char* out, size_t size)
{
    snprintf(out, size, "box_mesh:%.9g,%.9g,%.9g", n->values[0], n->values[1], n->values[2]);
}

static void visual_torus(const VisualNumbers* n, char* out, size_t size)
{
    snprintf(out, size, "torus_mesh:%.9g,%.9g,48", n->values[0], n->values[1]);
}

static void visual_capsule(const VisualNumbers* n, char* out, size_t size)
{
    snprintf(out, size, "capsule_mesh:%.9g,%.9g,32", n->values[0], n->values[1]);
}

/// cone:R,L[,R2], and a cylinder when the radii are equal.
static void visual_cone(const VisualNumbers* n, char* out, size_t size)
{
    double radius = n->values[0], half = 0.5 * n->values[1], top = n->count > 2 ? n->values[2] : 0.0;
    if (top > 0.0)
    {
        snprintf(out, size, "revolution:48,0,%.9g,%.9g,%.9g,%.9g,%.9g,0,%.9g", -half, radius, -half, top,
                 half, half);
    }
    else
    {
        snprintf(out, size, "revolution:48,0,%.9g,%.9g,%.9g,0,%.9g", -half, radius, -half, half);
    }
}

static void visual_cylinder(const VisualNumbers* n, char* out, size_t size)
{
    VisualNumbers cone = { { n->values[0], n->values[1], n->values[0] }, 3 };
    visual_cone(&cone, out, size);
}

/// The same hills, on a block; more than 72 cells along a side would be more triangles than are worth
/// drawing.
static void visual_terrain(const VisualNumbers* n, char* out, size_t size)
{
    double divisions = n->count > 2 ? n->values[2] : 128.0;
    snprintf(out, size, "terrain_mesh:%.9g,%.9g,%.0f,%.0f", n->count > 0 ? n->values[0] : 10.0,
             n->count > 1 ? n->values[1] : 1.0, divisions < 72.0 ? divisions : 72.0,
             n->count > 3 ? n->values[3] : 0.0);
}

static const struct
{
    const char* name;
    int least, most; // numbers
    void (*visual)(const VisualNumbers* numbers, char* out, size_t size);
} primitives[] = {
    { "sphere", 1, 1, visual_sphere },   { "box", 3, 3, visual_box },   { "torus", 2, 2, visual_torus },
    { "capsule", 2, 2, visual_capsule }, { "cone", 2, 3, visual_cone }, { "cylinder", 2, 2, visual_cylinder },
    { "terrain", 0, 5, visual_terrain },
};

static bool read_numbers(const char* text, VisualNumbers* out)
{
    const char* end = text + strlen(text);
    out->count = 0;
    while (*text == ':' || *text == ',')
    {
        text =
            out->count < VISUAL_NUMBERS ? abut_number_parse(text + 1, end, &out->values[out->count]) : NULL;
        if (text == NULL)
        {
            return false;
        }
        out->count += 1;
    }
    return *text == '\0';
}

/// The mesh generator that draws a primitive, or false for everything else.
static bool primitive_text(const char* text, char* out, size_t size)
{
    size_t length = strcspn(text, ":");
    VisualNumbers numbers;
    for (size_t i = 0; i < sizeof(primitives) / sizeof(primitives[0]); ++i)
    {
        if (strlen(primitives[i].name) == length && memcmp(primitives[i].name, text, length) == 0 &&
            read_numbers(text + length, &numbers) && numbers.count >= primitives[i].least &&
            numbers.count <= primitives[i].most)
        {
            primitives[i].visual(&numbers, out, size);
            return true;
        }
    }
    return false;
}

static AbutResult copy_mesh(const AbutMesh* mesh, const AbutHost* host, AbutMesh** out)
{
    AbutMeshDef def = abut_mesh_def();
    def.vertices = abut_mesh_vertices(mesh);
    def.vertex_count = abut_mesh_vertex_count(mesh);
    def.indices = abut_mesh_indices(mesh);
    def.triangle_count = abut_mesh_triangle_count(mesh);
    def.host = host;
    return abut_mesh_create(&def, out);
}

/// The part of an endless shape that is worth drawing; empty where the shape has an end.
static AbutBox endless_box(const SceneVisualInput* input)
{
    AbutBox bounds = abut_shape_info(input->shape).bounds;
    if (abut_box_is_finite(bounds))
    {
        return abut_box_empty();
    }
    float extent = input->extent;
    AbutBox drawn = abut_box(abut_vec3(-extent, -0.05f * extent, -extent), abut_vec3(extent, extent, extent));
    AbutBox box = abut_box_intersection(bounds, drawn);
    return abut_box_is_empty(box) ? drawn : box;
}

/// Whether a surface has lost no more of the solid than is worth a finer one: thin walls fall between coarse
/// cells.
static bool is_faithful(const SceneVisualInput* input, const AbutMesh* surface)
{
    if (input->mesh == NULL || !abut_box_is_finite(abut_shape_info(input->shape).bounds))
    {
        return true;
    }
    double expected = abut_mesh_mass(input->mesh).volume, volume = abut_mesh_mass(surface).volume;
    return fabs(volume - expected) <= LOST_VOLUME * fabs(expected);
}

static AbutResult mesh_surface(const SceneVisualInput* input, AbutMesh** out)
{
    AbutSurfaceDef def = abut_surface_def();
    def.host = input->host;
    def.box = endless_box(input);
    def.resolution = abut_box_is_empty(def.box) ? FIRST_RESOLUTION : ENDLESS_RESOLUTION;
    AbutResult result = abut_surface_create(&def, input->shape, out);
    uint32_t count = result == ABUT_OK ? abut_mesh_triangle_count(*out) : 0;
    if (count > MOST_TRIANGLES)
    {
        // Triangles go with the square of the resolution.
        def.resolution = (uint32_t)(def.resolution * sqrt((double)MOST_TRIANGLES / count));
        abut_mesh_destroy(*out);
        result = abut_surface_create(&def, input->shape, out);
    }
    for (int i = 0; i < 3 && result == ABUT_OK && !is_faithful(input, *out); ++i)
    {
        def.resolution += def.resolution / 2;
        abut_mesh_destroy(*out);
        result = abut_surface_create(&def, input->shape, out);
    }
    return result;
}

/// The mesh that a text names; NULL when it names none.
static AbutResult load_visual(const char* text, const AbutHost* host, AbutMesh** out)
{
    AbutParsedShape made;
    AbutResult result = abut_shape_parse(text, host, &made);
    if (result == ABUT_OK && made.mesh == NULL)
    {
        SceneVisualInput input = { .text = text, .shape = made.shape, .extent = 1.0f, .host = host };
        result = mesh_surface(&input, out);
        abut_shape_destroy(made.shape);
        return result;
    }
    *out = made.mesh;
    return result;
}

AbutResult scene_visual_create(const SceneVisualInput* input, AbutMesh** out)
{
    *out = NULL;
    char text[VISUAL_TEXT_SIZE];
    if (input->visual != NULL)
    {
        return load_visual(input->visual, input->host, out);
    }
    if (input->mesh != NULL && abut_mesh_triangle_count(input->mesh) <= MOST_TRIANGLES)
    {
        return copy_mesh(input->mesh, input->host, out);
    }
    if (primitive_text(input->text, text, sizeof(text)) && load_visual(text, input->host, out) == ABUT_OK)
    {
        return ABUT_OK;
    }
    return mesh_surface(input, out);
}
