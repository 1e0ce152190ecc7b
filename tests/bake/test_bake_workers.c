// What is baked has the same bytes for any number of workers and any instruction set.
#include "support/meshes/sign_meshes.h"
#include "support/shapes.h"

#include <abut/bake.h>
#include <abut/models.h>

static const char* const set_names[] = { "scalar", "sse2", "avx2", "neon" };

static void test_signs_have_the_same_bytes_for_all_workers_and_instruction_sets(void** state)
{
    (void)state;
    const char* const sets[] = { "scalar", "sse2", "avx2", "neon" };
    const char* const before = abut_simd_name();
    for (int i = 0; i < 5; ++i)
    {
        AbutMesh* mesh = test_assorted_mesh(i);
        AbutNodeGrid grid = test_sign_grid(mesh, i == 3 ? 19 : 37);
        TestSigns expected = test_signs(mesh, &grid, ABUT_SIGN_AUTO, NULL);
        for (int k = 0; k < 7; ++k)
        {
            const uint32_t counts[] = { 1, 2, 7 };
            AbutWorkers* workers = NULL;
            test_assert_result(abut_workers_create(k < 3 ? counts[k] : 2, NULL, &workers), ABUT_OK);
            AbutHost host = abut_workers_host(workers);
            if (k < 3 || abut_simd_force(sets[k - 3]) == ABUT_OK)
            {
                TestSigns actual = test_signs(mesh, &grid, ABUT_SIGN_AUTO, &host);
                assert_memory_equal(actual.squared, expected.squared, abut_node_total(&grid) * sizeof(float));
                assert_memory_equal(&actual.counts, &expected.counts, sizeof(AbutSignCounts));
                assert_int_equal(actual.info.sided_triangle_count, expected.info.sided_triangle_count);
                test_signs_free(&actual);
            }
            abut_workers_destroy(workers);
        }
        test_assert_result(abut_simd_force(before), ABUT_OK);
        test_signs_free(&expected);
        abut_mesh_destroy(mesh);
    }
}

static uint64_t data_hash(const AbutShape* field)
{
    size_t size;
    const void* data = abut_field_data(field, &size);
    return abut_hash(data, size, 0);
}

/// Of a mesh or, where there is none, of a shape.
static uint64_t bake_hash(const AbutBakeDef* like, const AbutMesh* mesh, const AbutShape* shape,
                          const AbutHost* host)
{
    AbutBakeDef def = *like;
    def.host = host;
    AbutShape* field = NULL;
    test_assert_result(
        mesh != NULL ? abut_bake_mesh(&def, mesh, &field) : abut_bake_shape(&def, shape, &field), ABUT_OK);
    uint64_t hash = data_hash(field);
    abut_shape_destroy(field);
    return hash;
}

static void check_bytes(const AbutBakeDef* def, const AbutMesh* mesh, const AbutShape* shape)
{
    AbutHost alone = abut_host_default();
    alone.worker_count = 1;
    test_assert_result(abut_simd_force("scalar"), ABUT_OK);
    uint64_t expected = bake_hash(def, mesh, shape, &alone);
    for (int set = 1; set < 4; ++set)
    {
        if (abut_simd_force(set_names[set]) == ABUT_OK)
        {
            assert_int_equal(bake_hash(def, mesh, shape, &alone), expected);
        }
    }
    for (uint32_t count = 2; count <= 7; count += 5)
    {
        AbutWorkers* workers = NULL;
        test_assert_result(abut_workers_create(count, NULL, &workers), ABUT_OK);
        AbutHost host = abut_workers_host(workers);
        assert_int_equal(bake_hash(def, mesh, shape, &host), expected);
        abut_workers_destroy(workers);
    }
}

static void test_baked_meshes_have_the_same_bytes(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    AbutGearMeshDef gear = abut_gear_mesh_def();
    test_assert_result(abut_mesh_create_gear(&gear, &mesh), ABUT_OK);
    for (int sparse = 0; sparse < 2; ++sparse)
    {
        AbutBakeDef def = abut_bake_def();
        def.resolution = 40;
        def.sparse = sparse != 0;
        def.format = ABUT_FIELD_FIRST_ORDER;
        check_bytes(&def, mesh, NULL);
    }
    abut_mesh_destroy(mesh);
}

static void test_baked_shapes_have_the_same_bytes(void** state)
{
    (void)state;
    AbutShape* shape = test_make_torus(0.4f, 0.15f);
    for (int k = 0; k < 6; ++k)
    {
        AbutBakeDef def = abut_bake_def();
        def.resolution = 40;
        def.format = (AbutFieldFormat)(k / 2);
        def.sparse = k % 2 != 0;
        check_bytes(&def, NULL, shape);
    }
    abut_shape_destroy(shape);
}

static void test_updates_have_the_same_bytes(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_add_sphere(&soup, -0.5, -0.5, -0.5, 0.4, 8);
    test_soup_add_box(&soup, abut_vec3(0.1f, 0.125f, 0.25f), abut_vec3(0.875f, 0.9f, 0.75f), false);
    AbutMesh* before = test_soup_mesh(&soup, NULL);
    soup.vertices[soup.vertex_count - 1].x += 0.03f;
    AbutMesh* after = test_soup_mesh_and_free(&soup);
    for (int sparse = 0; sparse < 2; ++sparse)
    {
        AbutBakeDef def = abut_bake_def();
        def.resolution = 48;
        def.sparse = sparse != 0;
        def.box = abut_box(abut_vec3(-1.1f, -1.1f, -1.1f), abut_vec3(1.1f, 1.1f, 1.1f));
        uint64_t expected = bake_hash(&def, after, NULL, NULL);
        for (int i = 0; i < 3; ++i)
        {
            const uint32_t counts[] = { 1, 2, 7 };
            AbutWorkers* workers = NULL;
            test_assert_result(abut_workers_create(counts[i], NULL, &workers), ABUT_OK);
            AbutHost host = abut_workers_host(workers);
            def.host = &host;
            AbutShape *old = NULL, *updated = NULL;
            test_assert_result(abut_bake_mesh(&def, before, &old), ABUT_OK);
            AbutBakeMeshChange change = { old, before, after };
            AbutBakeUpdate report;
            test_assert_result(abut_bake_update_mesh(&def, &change, &report, &updated), ABUT_OK);
            assert_int_equal(data_hash(updated), expected);
            abut_shape_destroy(old);
            abut_shape_destroy(updated);
            abut_workers_destroy(workers);
        }
    }
    abut_mesh_destroy(before);
    abut_mesh_destroy(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signs_have_the_same_bytes_for_all_workers_and_instruction_sets),
        cmocka_unit_test(test_baked_meshes_have_the_same_bytes),
        cmocka_unit_test(test_baked_shapes_have_the_same_bytes),
        cmocka_unit_test(test_updates_have_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
