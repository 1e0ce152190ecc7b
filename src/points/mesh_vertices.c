// The vertices of a mesh as points: each position that a triangle uses once, with the normal of the faces
// around it.
#include "points/points.h"

#include "base/arena.h"
#include "base/fp_env.h"
#include "mesh/corners.h"
#include "mesh/pseudo_normal.h"

#include <string.h>

typedef struct Vertices
{
    const AbutMesh* mesh;   // as given
    const AbutMesh* welded; // the same triangles over distinct positions
    float* positions;
    float* normals;
    AbutDVec3* sums;
    uint32_t* sources;
} Vertices;

static void add_corner_normals(Vertices* self, uint32_t triangle)
{
    AbutDVec3 p[3], normal;
    if (!abut_face_normal(self->welded, triangle, &normal))
    {
        return;
    }
    abut_mesh_corners(self->welded, triangle, p);
    for (size_t k = 0; k < 3; ++k)
    {
        AbutDVec3 u = abut_dvec3_sub(p[(k + 1) % 3], p[k]), v = abut_dvec3_sub(p[(k + 2) % 3], p[k]);
        double angle = atan2(abut_dvec3_length(abut_dvec3_cross(u, v)), abut_dvec3_dot(u, v));
        AbutDVec3* sum = &self->sums[self->welded->indices[3 * (size_t)triangle + k]];
        *sum = abut_dvec3_mul_add(*sum, angle, normal);
    }
}

/// In reverse order of the triangles, so that the first user of a position overwrites the others.
static void find_sources(Vertices* self)
{
    for (size_t i = 3 * (size_t)self->mesh->triangle_count; i-- > 0;)
    {
        self->sources[self->welded->indices[i]] = self->mesh->indices[i];
    }
}

static void fill_vertices(Vertices* self)
{
    uint32_t count = self->welded->vertex_count;
    memset(self->sums, 0, count * sizeof(self->sums[0]));
    for (uint32_t i = 0; i < self->welded->triangle_count; ++i)
    {
        add_corner_normals(self, i);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 v = self->welded->vertices[i];
        AbutVec3 normal = abut_dvec3_to_vec3(abut_dvec3_normalize(self->sums[i]));
        memcpy(self->positions + 3 * (size_t)i, (const float[3]){ v.x, v.y, v.z }, 3 * sizeof(float));
        memcpy(self->normals + 3 * (size_t)i, (const float[3]){ normal.x, normal.y, normal.z },
               3 * sizeof(float));
    }
    find_sources(self);
}

static AbutResult make_points(Vertices* self, AbutArena* scratch, AbutPointSet** out)
{
    uint32_t count = self->welded->vertex_count;
    self->positions = abut_arena_allocate(scratch, count, 3 * sizeof(float));
    self->normals = abut_arena_allocate(scratch, count, 3 * sizeof(float));
    self->sums = abut_arena_allocate(scratch, count, sizeof(self->sums[0]));
    self->sources = abut_arena_allocate(scratch, count, sizeof(uint32_t));
    if (self->positions == NULL || self->normals == NULL || self->sums == NULL || self->sources == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    fill_vertices(self);
    AbutPointInput input = {
        .positions = self->positions, .normals = self->normals, .sources = self->sources, .count = count
    };
    return abut_points_make(&input, &scratch->host, out);
}

AbutResult abut_points_create_from_vertices(const AbutMesh* mesh, const AbutHost* host, AbutPointSet** out)
{
    ABUT_FP_CALL(abut_points_create_from_vertices, mesh, host, out);
    *out = NULL;
    if (mesh == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "points: the mesh is NULL");
    }
    AbutMesh* welded = NULL;
    AbutResult result = abut_mesh_weld(mesh, 0.0f, host, &welded);
    if (result != ABUT_OK)
    {
        return result;
    }
    Vertices self = { .mesh = mesh, .welded = welded };
    AbutArena scratch = abut_arena_make(&welded->host);
    result = make_points(&self, &scratch, out);
    abut_arena_clear(&scratch);
    abut_mesh_destroy(welded);
    return result;
}
