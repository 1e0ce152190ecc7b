// Meshes for bench bake, made so that it needs no files.
#include "bake_cases.h"

#include <abut/models.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Waves over the sphere: six octaves of three directions, each half as high and twice as dense as the one
/// before, so that there is detail at every scale that the triangles can show.
static double statue_radius(const double p[3])
{
    static const double directions[3][3] = { { 0.8, 0.36, 0.48 },
                                             { -0.48, 0.86, 0.17 },
                                             { 0.3, -0.4, 0.87 } };
    double radius = 0.35, frequency = 3.0;
    for (int octave = 0; octave < 6; ++octave, frequency *= 2.0)
    {
        for (int i = 0; i < 3; ++i)
        {
            const double* d = directions[i];
            double along = d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
            double across = d[1] * p[0] + d[2] * p[1] + d[0] * p[2];
            radius += 0.09 / frequency * sin(frequency * along + octave + i) * cos(frequency * across - i);
        }
    }
    return radius;
}

AbutResult bake_mesh_create_statue(uint32_t triangle_count, AbutMesh** out)
{
    AbutMesh* sphere = NULL;
    uint32_t divisions = (uint32_t)lround(sqrt(triangle_count / 12.0));
    AbutResult result = abut_mesh_create_sphere(1.0f, divisions > 0 ? divisions : 1, NULL, &sphere);
    if (result != ABUT_OK)
    {
        return result;
    }
    uint32_t count = abut_mesh_vertex_count(sphere);
    AbutVec3* vertices = malloc(count * sizeof(AbutVec3));
    if (vertices == NULL)
    {
        abut_mesh_destroy(sphere);
        return abut_fail(ABUT_OUT_OF_MEMORY, "no memory for a mesh of %u triangles", triangle_count);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 v = abut_mesh_vertices(sphere)[i];
        vertices[i] = abut_vec3_scale(v, (float)statue_radius((const double[3]){ v.x, v.y, v.z }));
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = count;
    def.indices = abut_mesh_indices(sphere);
    def.triangle_count = abut_mesh_triangle_count(sphere);
    result = abut_mesh_create(&def, out);
    free(vertices);
    abut_mesh_destroy(sphere);
    return result;
}

/// Triangles of both.
static AbutResult join(const AbutMesh* a, const AbutMesh* b, AbutMesh** out)
{
    size_t vertices_a = abut_mesh_vertex_count(a), vertices_b = abut_mesh_vertex_count(b);
    size_t indices_a = 3 * (size_t)abut_mesh_triangle_count(a),
           indices_b = 3 * (size_t)abut_mesh_triangle_count(b);
    AbutVec3* vertices = malloc((vertices_a + vertices_b) * sizeof(AbutVec3));
    uint32_t* indices = malloc((indices_a + indices_b) * sizeof(uint32_t));
    AbutResult result = abut_fail(ABUT_OUT_OF_MEMORY, "no memory to join two meshes");
    if (vertices != NULL && indices != NULL)
    {
        memcpy(vertices, abut_mesh_vertices(a), vertices_a * sizeof(AbutVec3));
        memcpy(vertices + vertices_a, abut_mesh_vertices(b), vertices_b * sizeof(AbutVec3));
        memcpy(indices, abut_mesh_indices(a), indices_a * sizeof(uint32_t));
        for (size_t i = 0; i < indices_b; ++i)
        {
            indices[indices_a + i] = abut_mesh_indices(b)[i] + (uint32_t)vertices_a;
        }
        AbutMeshDef def = abut_mesh_def();
        def.vertices = vertices;
        def.vertex_count = (uint32_t)(vertices_a + vertices_b);
        def.indices = indices;
        def.triangle_count = (uint32_t)((indices_a + indices_b) / 3);
        result = abut_mesh_create(&def, out);
    }
    free(indices);
    free(vertices);
    return result;
}

AbutResult bake_mesh_create_mixed(uint32_t triangle_count, AbutMesh** out)
{
    AbutMesh *statue = NULL, *box = NULL;
    AbutResult result = bake_mesh_create_statue(triangle_count, &statue);
    result = result == ABUT_OK ? abut_mesh_create_box(abut_vec3(1.2f, 1.1f, 1.0f), 1, NULL, &box) : result;
    result = result == ABUT_OK ? join(box, statue, out) : result;
    abut_mesh_destroy(box);
    abut_mesh_destroy(statue);
    return result;
}

AbutBox bake_mesh_cube(const AbutMesh* mesh, double margin)
{
    AbutBox box = abut_mesh_bounds(mesh);
    AbutVec3 size = abut_box_extents(box);
    float longest = fmaxf(size.x, fmaxf(size.y, size.z));
    float half = (float)((0.5 + margin) * (double)longest);
    AbutVec3 middle = abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f),
             half_extents = abut_vec3(half, half, half);
    return abut_box(abut_vec3_sub(middle, half_extents), abut_vec3_add(middle, half_extents));
}
