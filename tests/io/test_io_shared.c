// The real meshes beside the repository, with the facts of their README. Skipped where the folder is not
// there.
#include "support/meshes/mesh_check.h"
#include "support/meshes/mesh_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Fact
{
    const char* name;
    uint32_t triangle_count;
    uint32_t vertex_count; // 0 where the README does not tell
    double volume;
    double box[3]; // 0 where the README does not tell
} Fact;

static const Fact facts[] = {
    { "bunny4k.obj", 3674, 1839, 194.288, { 9.907, 9.658, 7.541 } },
    { "bunny69k.obj", 69451, 0, 7.7006e-4, { 0.1557, 0.1543, 0.1207 } },
    { "dragon48k.obj", 47794, 0, 59519.0, { 101.8, 71.9, 45.4 } },
    { "factory_bolt_m16_loose.obj", 25668, 22326, 1.13638e-5, { 0 } },
    { "factory_nut_m16_loose_subdiv_3x.obj", 15080, 0, 4.12356e-6, { 0 } },
    { "factory_round_hole_8mm_subdiv_3x.obj", 900, 0, 5.15679e-6, { 0 } },
    { "factory_round_peg_8mm_loose.obj", 1152, 0, 2.49768e-6, { 0 } },
    { "factory_gear_small_space_5e-4.obj", 20532, 0, 3.47459e-6, { 0 } },
    { "factory_gear_medium_space_5e-4.obj", 35212, 0, 1.78420e-5, { 0 } },
};

enum
{
    FACT_COUNT = sizeof(facts) / sizeof(facts[0])
};

static AbutMesh* load_shared(const Fact* fact, bool use_assimp)
{
    const char* path = test_shared_mesh(fact->name);
    if (path == NULL)
    {
        print_message("%s is not there (ABUT_SHARED_MESHES): skipped\n", fact->name);
        return NULL;
    }
    AbutMeshLoadDef def = abut_mesh_load_def();
    def.use_assimp = use_assimp;
    AbutMesh* mesh = NULL;
    AbutResult result = abut_mesh_load_with(&def, path, &mesh);
    if (use_assimp && result == ABUT_UNSUPPORTED)
    {
        print_message("%s: skipped\n", abut_last_error());
        return NULL;
    }
    test_assert_result(result, ABUT_OK);
    return mesh;
}

static void test_shared_meshes_have_their_facts(void** state)
{
    (void)state;
    for (size_t i = 0; i < FACT_COUNT; ++i)
    {
        AbutMesh* mesh = load_shared(&facts[i], false);
        if (mesh == NULL)
        {
            continue;
        }
        assert_int_equal(abut_mesh_triangle_count(mesh), facts[i].triangle_count);
        assert_true(facts[i].vertex_count == 0 || abut_mesh_vertex_count(mesh) == facts[i].vertex_count);
        test_assert_near(test_mesh_volume(mesh), facts[i].volume, 1e-3 * facts[i].volume);
        AbutVec3 extents = abut_box_extents(abut_mesh_bounds(mesh));
        const double box[3] = { (double)extents.x, (double)extents.y, (double)extents.z };
        for (int axis = 0; axis < 3 && facts[i].box[0] > 0.0; ++axis)
        {
            test_assert_near(box[axis], facts[i].box[axis], 1e-3 * facts[i].box[axis]);
        }
        abut_mesh_destroy(mesh);
    }
}

static void test_shared_meshes_survive_a_trip_through_every_format(void** state)
{
    (void)state;
    static const char* const names[] = { "trip.obj", "trip.ply", "trip.stl" };
    for (size_t i = 0; i < FACT_COUNT; ++i)
    {
        AbutMesh* mesh = load_shared(&facts[i], false);
        for (size_t k = 0; k < 3 && mesh != NULL; ++k)
        {
            const char* path = test_temporary_path(names[k]);
            AbutMesh* again = NULL;
            test_assert_result(abut_mesh_save(mesh, path), ABUT_OK);
            test_assert_result(abut_mesh_load(path, &again), ABUT_OK);
            assert_int_equal(abut_mesh_triangle_count(again), abut_mesh_triangle_count(mesh));
            for (size_t corner = 0; corner < (size_t)abut_mesh_triangle_count(mesh) * 3; ++corner)
            {
                AbutVec3 a = abut_mesh_vertices(mesh)[abut_mesh_indices(mesh)[corner]];
                AbutVec3 b = abut_mesh_vertices(again)[abut_mesh_indices(again)[corner]];
                assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
            }
            abut_mesh_destroy(again);
            unlink(path);
        }
        abut_mesh_destroy(mesh);
    }
}

static void test_assimp_reads_the_same_solids(void** state)
{
    (void)state;
    for (size_t i = 0; i < FACT_COUNT; ++i)
    {
        AbutMesh* mesh = load_shared(&facts[i], true);
        if (mesh != NULL)
        {
            assert_int_equal(abut_mesh_triangle_count(mesh), facts[i].triangle_count);
            test_assert_near(test_mesh_volume(mesh), facts[i].volume, 1e-3 * facts[i].volume);
            abut_mesh_destroy(mesh);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_meshes_have_their_facts),
        cmocka_unit_test(test_shared_meshes_survive_a_trip_through_every_format),
        cmocka_unit_test(test_assimp_reads_the_same_solids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
