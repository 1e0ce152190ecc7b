// Prints a hash of the vertices and triangles of generated meshes, of isosurfaces and of what is computed
// from them: equal text means equal bits, whatever the processor and the instruction set.
#include <abut/abut.h>
#include <abut/models.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_mesh(const char* name, AbutResult result, AbutMesh** mesh)
{
    if (result != ABUT_OK)
    {
        fprintf(stderr, "%s: %s\n", name, abut_last_error());
        exit(EXIT_FAILURE);
    }
    const size_t vertex_bytes = abut_mesh_vertex_count(*mesh) * sizeof(AbutVec3);
    const size_t index_bytes = (size_t)abut_mesh_triangle_count(*mesh) * 3 * sizeof(uint32_t);
    const AbutMassData mass = abut_mesh_mass(*mesh);
    printf("%-20s %016" PRIx64 " %016" PRIx64 " %a\n", name,
           abut_hash(abut_mesh_vertices(*mesh), vertex_bytes, 0),
           abut_hash(abut_mesh_indices(*mesh), index_bytes, 0), mass.volume);
    abut_mesh_destroy(*mesh);
}

static void print_round_meshes(void)
{
    AbutMesh* m = NULL;
    print_mesh("sphere", abut_mesh_create_sphere(0.5f, 16, NULL, &m), &m);
    print_mesh("capsule", abut_mesh_create_capsule(0.5f, 1.0f, 32, NULL, &m), &m);
    print_mesh("bowl", abut_mesh_create_bowl(0.5f, 0.05f, 32, NULL, &m), &m);
    print_mesh("chain link", abut_mesh_create_chain_link(0.5f, 0.25f, 0.1f, 32, NULL, &m), &m);
    const AbutTorusMeshDef torus = abut_torus_mesh_def();
    print_mesh("torus", abut_mesh_create_torus(&torus, &m), &m);
    const AbutPipeMeshDef pipe = abut_pipe_mesh_def();
    print_mesh("pipe", abut_mesh_create_pipe(&pipe, &m), &m);
}

static void print_machine_parts(void)
{
    AbutMesh* m = NULL;
    const AbutTerrainDef terrain = abut_terrain_def();
    print_mesh("terrain", abut_mesh_create_terrain(&terrain, &m), &m);
    const AbutGearMeshDef gear = abut_gear_mesh_def();
    print_mesh("gear", abut_mesh_create_gear(&gear, &m), &m);
    const AbutThreadMeshDef thread = abut_thread_mesh_def();
    print_mesh("bolt", abut_mesh_create_bolt(&thread, &m), &m);
    print_mesh("nut", abut_mesh_create_nut(&thread, &m), &m);
}

static void print_surface(void)
{
    AbutShape *torus = NULL, *box = NULL, *both = NULL;
    if (abut_shape_create_torus(1.0f, 0.25f, NULL, &torus) != ABUT_OK ||
        abut_shape_create_box(abut_vec3(1.0f, 1.0f, 2.5f), NULL, &box) != ABUT_OK ||
        abut_shape_create_smooth_union(torus, box, 0.25f, NULL, &both) != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        exit(EXIT_FAILURE);
    }
    AbutMesh* m = NULL;
    const AbutSurfaceDef def = abut_surface_def();
    print_mesh("surface", abut_surface_create(&def, both, &m), &m);
    abut_shape_destroy(both);
    abut_shape_destroy(box);
    abut_shape_destroy(torus);
}

/// A pipe that lacks the first third of its triangles, and every 50th of the others.
static void print_closed(void)
{
    AbutMesh *pipe = NULL, *torn = NULL, *closed = NULL;
    const AbutPipeMeshDef pipe_def = abut_pipe_mesh_def();
    const AbutMeshCloseDef close_def = abut_mesh_close_def();
    AbutMeshDef def = abut_mesh_def();
    uint32_t* kept = NULL;
    AbutResult result = abut_mesh_create_pipe(&pipe_def, &pipe);
    if (result == ABUT_OK)
    {
        uint32_t count = abut_mesh_triangle_count(pipe);
        kept = malloc(3 * (size_t)count * sizeof(uint32_t));
        for (uint32_t t = count / 3; kept != NULL && t < count; ++t)
        {
            for (uint32_t k = 0; t % 50 != 0 && k < 3; ++k)
            {
                kept[3 * (size_t)def.triangle_count + k] = abut_mesh_indices(pipe)[3 * (size_t)t + k];
            }
            def.triangle_count += t % 50 != 0;
        }
        def.vertices = abut_mesh_vertices(pipe);
        def.vertex_count = abut_mesh_vertex_count(pipe);
        def.indices = kept;
        result = abut_mesh_create(&def, &torn);
    }
    result = result == ABUT_OK ? abut_mesh_close(&close_def, torn, &closed, NULL) : result;
    print_mesh("closed", result, &closed);
    abut_mesh_destroy(torn);
    abut_mesh_destroy(pipe);
    free(kept);
}

int main(void)
{
    fprintf(stderr, "digest_meshes: %s\n", abut_simd_name());
    print_round_meshes();
    print_machine_parts();
    print_surface();
    print_closed();
    return EXIT_SUCCESS;
}
