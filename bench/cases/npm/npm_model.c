// Bodies of bench npm, and where they fall from.
#include "npm_cases.h"
#include "scenes/random.h"

#include <abut/models.h>
#include <math.h>
#include <stdlib.h>

enum
{
    LAYERS = 4,
    COLUMNS = 4
};

static AbutResult make_torus(AbutMesh** out)
{
    AbutTorusMeshDef def = abut_torus_mesh_def(); // 64 by 32 divisions
    def.major_radius = 0.33f;
    def.minor_radius = 0.0825f;
    return abut_mesh_create_torus(&def, out);
}

/// M16 × 2: the height of a nut, and 24 mm across flats; all of it ten times as large.
static AbutResult make_nut(AbutMesh** out)
{
    AbutThreadMeshDef def = abut_thread_mesh_def();
    def.major_radius = 0.08f;
    def.pitch = 0.02f;
    def.depth = 0.0108f;
    def.clearance = 0.002f;
    def.length = 0.13f;
    def.head_radius = 0.1386f;
    def.divisions_per_turn = 171;
    return abut_mesh_create_nut(&def, out);
}

/// The mesh with its centre of mass at the origin.
static AbutResult center(const AbutMesh* mesh, AbutMesh** out)
{
    AbutMassData mass = abut_mesh_mass(mesh);
    uint32_t count = abut_mesh_vertex_count(mesh);
    AbutVec3* vertices = malloc(count * sizeof(AbutVec3));
    if (vertices == NULL)
    {
        return abut_fail(ABUT_OUT_OF_MEMORY, "no memory for %u vertices", count);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 v = abut_mesh_vertices(mesh)[i];
        vertices[i] = abut_vec3((float)((double)v.x - mass.center[0]), (float)((double)v.y - mass.center[1]),
                                (float)((double)v.z - mass.center[2]));
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = count;
    def.indices = abut_mesh_indices(mesh);
    def.triangle_count = abut_mesh_triangle_count(mesh);
    AbutResult result = abut_mesh_create(&def, out);
    free(vertices);
    return result;
}

bool npm_model_create(bool nuts, NpmModel* out)
{
    *out = (NpmModel){ .name = nuts ? "nuts" : "tori" };
    AbutMesh* mesh = NULL;
    AbutResult result = nuts ? make_nut(&mesh) : make_torus(&mesh);
    result = result == ABUT_OK ? center(mesh, &out->mesh) : result;
    abut_mesh_destroy(mesh);
    if (result != ABUT_OK)
    {
        fprintf(stderr, "abut: bench npm: %s\n", abut_last_error());
        return false;
    }
    AbutVec3 extents = abut_box_extents(abut_mesh_bounds(out->mesh));
    out->mass = abut_mesh_mass(out->mesh);
    out->size = (double)fmaxf(extents.x, fmaxf(extents.y, extents.z));
    out->cell = out->size / NPM_CELLS;
    return true;
}

void npm_model_destroy(NpmModel* model)
{
    abut_mesh_destroy(model->mesh);
    model->mesh = NULL;
}

/// The largest distance of a vertex from the centre.
static double find_radius(const AbutMesh* mesh)
{
    double radius = 0.0;
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        radius = fmax(radius, (double)abut_vec3_length(abut_mesh_vertices(mesh)[i]));
    }
    return radius;
}

void npm_make_poses(const NpmModel* model, uint32_t seed, AbutPose poses[NPM_BODIES])
{
    const double jitter = 0.05, spacing = 2.0 * (1.0 + 2.0 * jitter) * find_radius(model->mesh);
    SceneRandom random = { seed };
    for (uint32_t i = 0; i < NPM_BODIES; ++i)
    {
        uint32_t layer = i / (COLUMNS * COLUMNS), in_layer = i % (COLUMNS * COLUMNS);
        double x = (double)(in_layer % COLUMNS) - 0.5 * (COLUMNS - 1);
        double z = (double)(in_layer / COLUMNS) - 0.5 * (COLUMNS - 1);
        x += scene_random_range(&random, -jitter, jitter);
        z += scene_random_range(&random, -jitter, jitter);
        poses[i] = abut_pose_at(spacing * x, spacing * (layer + 0.6), spacing * z);
        poses[i].rotation = scene_random_rotation(&random);
    }
}
