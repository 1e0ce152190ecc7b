// Bodies for bench pile, and where they fall from.
#include "bake_cases.h"
#include "closed_mesh.h"
#include "pile_cases.h"
#include "scenes/random.h"

#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    SOLID_CELLS = 128, // of the field of a solid body: within 0.35 % of its size of the triangles
    THIN_CELLS = 128,  // of a thin one: 2.5 to a wall
    FINE_CELLS = 256,
    BOWL_DIVISIONS = 32,
    LAYERS = 4,
    FIRST_SEED = 6
};

/// Of bowls, as a part of their size.
static const double WALL = 0.02;

static AbutResult load_bunny(AbutMesh** out)
{
    const char* folder = getenv("ABUT_SHARED_MESHES");
    char path[1024];
    int length = folder != NULL ? snprintf(path, sizeof(path), "%s/bunny4k.obj", folder) : -1;
    return length > 0 && length < (int)sizeof(path) ? bench_load_closed(path, out) : ABUT_IO_ERROR;
}

/// The mesh PILE_SIZE long, with its centre of mass at the origin.
static AbutResult fit(const AbutMesh* mesh, AbutMesh** out)
{
    AbutVec3 extents = abut_box_extents(abut_mesh_bounds(mesh));
    double scale = PILE_SIZE / (double)fmaxf(extents.x, fmaxf(extents.y, extents.z));
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
        vertices[i] = abut_vec3((float)(scale * ((double)v.x - mass.center[0])),
                                (float)(scale * ((double)v.y - mass.center[1])),
                                (float)(scale * ((double)v.z - mass.center[2])));
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

/// The sheet in the middle of a bowl's wall, moved as the bowl was.
static AbutResult make_middle(const AbutMesh* bowl, AbutMesh** out)
{
    AbutMesh* sheet = NULL;
    double wall = WALL * PILE_SIZE, radius = 0.5 * PILE_SIZE;
    AbutResult result = abut_mesh_create_bowl((float)(radius - 0.45 * wall), (float)(0.1 * wall),
                                              BOWL_DIVISIONS, NULL, &sheet);
    double center = abut_mesh_mass(bowl).center[1];
    uint32_t count = result == ABUT_OK ? abut_mesh_vertex_count(sheet) : 0;
    AbutVec3* vertices = malloc((count + 1) * sizeof(AbutVec3));
    for (uint32_t i = 0; i < count && vertices != NULL; ++i)
    {
        AbutVec3 v = abut_mesh_vertices(sheet)[i];
        vertices[i] = abut_vec3(v.x, (float)((double)v.y - center), v.z);
    }
    if (result == ABUT_OK && vertices != NULL)
    {
        AbutMeshDef def = abut_mesh_def();
        def.vertices = vertices;
        def.vertex_count = count;
        def.indices = abut_mesh_indices(sheet);
        def.triangle_count = abut_mesh_triangle_count(sheet);
        result = abut_mesh_create(&def, out);
    }
    free(vertices);
    abut_mesh_destroy(sheet);
    return result;
}

static AbutResult make_mesh(bool thin, PileModel* out)
{
    AbutMesh* mesh = NULL;
    AbutResult result;
    if (thin)
    {
        result = abut_mesh_create_bowl((float)(0.5 * PILE_SIZE), (float)(WALL * PILE_SIZE), BOWL_DIVISIONS,
                                       NULL, &mesh);
        result = result == ABUT_OK ? make_middle(mesh, &out->middle) : result;
    }
    else
    {
        bool there = load_bunny(&mesh) == ABUT_OK;
        snprintf(out->name, sizeof(out->name), "%s", there ? "bunnies" : "statues");
        result = there ? ABUT_OK : bake_mesh_create_statue(4000, &mesh);
    }
    result = result == ABUT_OK ? fit(mesh, &out->mesh) : result;
    abut_mesh_destroy(mesh);
    return result;
}

bool pile_model_create(bool thin, PileModel* out)
{
    *out = (PileModel){ .name = "bowls", .thin = thin };
    AbutResult result = make_mesh(thin, out);
    AbutBakeDef def = abut_bake_def();
    def.resolution = thin ? THIN_CELLS : SOLID_CELLS;
    def.format = thin ? ABUT_FIELD_FIRST_ORDER : ABUT_FIELD_F32;
    def.sparse = thin;
    result = result == ABUT_OK ? abut_bake_mesh(&def, out->mesh, &out->field) : result;
    def.resolution = FINE_CELLS;
    def.sparse = true;
    result = result == ABUT_OK ? abut_bake_mesh(&def, out->mesh, &out->fine) : result;
    if (result != ABUT_OK)
    {
        fprintf(stderr, "abut: bench pile: %s\n", abut_last_error());
        pile_model_destroy(out);
    }
    return result == ABUT_OK;
}

void pile_model_destroy(PileModel* model)
{
    abut_shape_destroy(model->field);
    abut_shape_destroy(model->fine);
    abut_mesh_destroy(model->mesh);
    abut_mesh_destroy(model->middle);
    *model = (PileModel){ 0 };
}

void pile_make_poses(uint32_t start, uint32_t count, AbutPose* poses)
{
    const double spacing = 1.45 * PILE_SIZE; // turned bodies do not touch
    SceneRandom random = { FIRST_SEED + start };
    uint32_t columns = (uint32_t)lround(sqrt(count / (double)LAYERS));
    columns = columns > 0 ? columns : 1;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t layer = i / (columns * columns), in_layer = i % (columns * columns);
        double x =
            (double)(in_layer % columns) - 0.5 * (columns - 1) + scene_random_range(&random, -0.05, 0.05);
        double z =
            (double)(in_layer / columns) - 0.5 * (columns - 1) + scene_random_range(&random, -0.05, 0.05);
        poses[i] = abut_pose_at(spacing * x, spacing * (layer + 0.8), spacing * z);
        poses[i].rotation = scene_random_rotation(&random);
    }
}
