// Self-collision against brute force over all pairs: two triangles touch in more than their common corners
// when one of them, moved away from the common ones a little, still touches the other; here by whole cases,
// and by the crossings that the inspection of a mesh counts.
#include "support/support.h"

#include "mesh/triangle/touch.h"
#include "mesh/triangle/triangle.h"

#include <abut/bvh.h>
#include <abut/models.h>
#include <stdlib.h>

static AbutMesh* create_mesh(const AbutVec3* vertices, uint32_t triangle_count)
{
    uint32_t* indices = malloc(3 * (size_t)triangle_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < 3 * triangle_count; ++i)
    {
        indices[i] = i;
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = 3 * triangle_count;
    def.indices = indices;
    def.triangle_count = triangle_count;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    free(indices);
    return mesh;
}

static size_t count_pairs(const AbutMesh* mesh)
{
    AbutMeshTree* tree = NULL;
    test_assert_result(abut_mesh_tree_create(mesh, NULL, &tree), ABUT_OK);
    AbutTrianglePair first;
    AbutMeshTreePairs found = abut_mesh_tree_self_pairs(tree, &first, 1);
    assert_int_equal(found.state, found.pair_count > 0 ? ABUT_MESH_TREE_CONTACT : ABUT_MESH_TREE_SEPARATED);
    assert_true(found.pair_count == 0 || first.a < first.b);
    abut_mesh_tree_destroy(tree);
    return found.pair_count;
}

static void check_two(const AbutVec3 corners[6], size_t expected)
{
    AbutMesh* mesh = create_mesh(corners, 2);
    assert_int_equal(count_pairs(mesh), expected);
    abut_mesh_destroy(mesh);
}

static void test_neighbours_touch_beyond_what_they_share(void** state)
{
    (void)state;
    // The first triangle is (0,0,0) (4,0,0) (0,4,0).
#define TRIANGLE { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 }
    check_two((AbutVec3[6]){ TRIANGLE, { 0, 0, 0 }, { 4, 0, 0 }, { 0, 0, 4 } }, 0); // an edge
    check_two((AbutVec3[6]){ TRIANGLE, { 0, 0, 0 }, { 4, 0, 0 }, { 0, -4, 0 } },
              0);                                                                   // in one plane, beside it
    check_two((AbutVec3[6]){ TRIANGLE, { 4, 0, 0 }, { 0, 0, 0 }, { 1, 1, 0 } }, 1); // folded over
    check_two((AbutVec3[6]){ TRIANGLE, { 0, 0, 0 }, { -1, 0, 2 }, { 0, -1, 2 } }, 0); // a corner
    check_two((AbutVec3[6]){ TRIANGLE, { 0, 0, 0 }, { 1, 1, 1 }, { 1, 1, -1 } },
              1); // a corner, and through it
    check_two((AbutVec3[6]){ TRIANGLE, { 0, 0, 0 }, { 1, 1, 0 }, { 1, 1, 3 } }, 1); // an edge on the face
    check_two((AbutVec3[6]){ TRIANGLE, { 0, 0, 0 }, { 2, 0, 0 }, { 2, 0, 3 } },
              1); // half an edge: T-junction
    check_two((AbutVec3[6]){ TRIANGLE, { 0, 0, 0 }, { 0, 4, 0 }, { 4, 0, 0 } }, 1); // the same corners
    check_two((AbutVec3[6]){ TRIANGLE, { 1, 1, 0 }, { 1, 1, 3 }, { 2, 1, 3 } }, 1); // a corner on the face
    check_two((AbutVec3[6]){ TRIANGLE, { 1, 1, 1 }, { 1, 1, 3 }, { 2, 1, 3 } }, 0); // apart
#undef TRIANGLE
}

static void test_clean_meshes_have_no_pairs(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_sphere(0.5f, 12, NULL, &mesh), ABUT_OK);
    assert_int_equal(count_pairs(mesh), 0);
    abut_mesh_destroy(mesh);
    AbutGearMeshDef gear = abut_gear_mesh_def();
    test_assert_result(abut_mesh_create_gear(&gear, &mesh), ABUT_OK);
    assert_int_equal(count_pairs(mesh), 0);
    abut_mesh_destroy(mesh);
}

/// Random triangles with corners at random floats share nothing: pairs that touch are pairs that cross.
static void test_pairs_of_soup_are_those_of_brute_force(void** state)
{
    (void)state;
    enum
    {
        COUNT = 400
    };
    TestRandom random = { 61 };
    AbutVec3* vertices = malloc(3 * COUNT * sizeof(AbutVec3));
    for (int i = 0; i < 3 * COUNT; i += 3)
    {
        AbutVec3 at = test_random_point(&random, 1.0);
        for (int k = 0; k < 3; ++k)
        {
            vertices[i + k] = abut_vec3_add(at, test_random_point(&random, 0.3));
        }
    }
    AbutMesh* mesh = create_mesh(vertices, COUNT);
    size_t expected = 0;
    for (int i = 0; i < COUNT; ++i)
    {
        for (int k = 0; k < i; ++k)
        {
            AbutTriangle a = { { vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2] } };
            AbutTriangle b = { { vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2] } };
            expected += abut_triangles_cross(&a, &b);
        }
    }
    assert_true(expected > 100);
    assert_int_equal(count_pairs(mesh), expected);
    abut_mesh_destroy(mesh);
    free(vertices);
}

/// Corners on a coarse grid, one of them in common: a common point beyond it is on the edge opposite of it,
/// in one of the two.
static void test_triangles_with_a_common_corner_touch_where_edges_do(void** state)
{
    (void)state;
    TestRandom random = { 62 };
    int touching = 0, apart = 0;
    for (int i = 0; i < test_heavy_count(30000); ++i)
    {
        AbutVec3 corners[6];
        AbutDVec3 exact[6];
        bool equal = false;
        for (int k = 0; k < 6; ++k)
        {
            AbutVec3 p = test_random_point(&random, 2.5);
            p = i % 2 == 0 ? abut_vec3(floorf(p.x), floorf(p.y), floorf(p.z)) : p;
            corners[k] = k == 3 ? corners[0] : p;
            exact[k] = abut_dvec3_from_vec3(corners[k]);
            for (int j = 0; j < k; ++j)
            {
                bool same = abut_dvec3_distance(exact[j], exact[k]) == 0.0;
                equal = equal || (same && !(j == 0 && k == 3));
            }
        }
        if (equal)
        {
            continue; // other corners in common
        }
        bool expected = abut_segment_touches_triangle(exact[1], exact[2], exact + 3) ||
                        abut_segment_touches_triangle(exact[4], exact[5], exact);
        check_two(corners, expected);
        touching += expected;
        apart += !expected;
    }
    assert_true(touching > 100 && apart > 100);
}

static int compare_pairs(const void* a, const void* b)
{
    const AbutTrianglePair *p = a, *q = b;
    int first = (p->a > q->a) - (p->a < q->a);
    return first != 0 ? first : (p->b > q->b) - (p->b < q->b);
}

static void test_pairs_are_the_same_for_any_number_of_workers(void** state)
{
    (void)state;
    enum
    {
        COUNT = 900,
        MOST = 1 << 16
    };
    TestRandom random = { 63 };
    AbutVec3* vertices = malloc(3 * COUNT * sizeof(AbutVec3));
    AbutTrianglePair* pairs = malloc(3 * MOST * sizeof(AbutTrianglePair));
    for (int i = 0; i < 3 * COUNT; i += 3)
    {
        AbutVec3 at = test_random_point(&random, i < 3 * COUNT / 2 ? 1.0 : 0.1); // crowded in the middle
        for (int k = 0; k < 3; ++k)
        {
            vertices[i + k] = abut_vec3_add(at, test_random_point(&random, 0.2));
        }
    }
    AbutMesh* mesh = create_mesh(vertices, COUNT);
    size_t counts[2];
    for (uint32_t i = 0; i < 2; ++i)
    {
        AbutWorkers* workers = NULL;
        test_assert_result(abut_workers_create(i == 0 ? 1 : 3, NULL, &workers), ABUT_OK);
        AbutHost host = abut_workers_host(workers);
        AbutMeshTree* tree = NULL;
        test_assert_result(abut_mesh_tree_create(mesh, &host, &tree), ABUT_OK);
        counts[i] = abut_mesh_tree_self_pairs(tree, pairs + i * MOST, MOST).pair_count;
        assert_true(counts[i] > 3000 && counts[i] < MOST);
        AbutTrianglePair few[100];
        assert_int_equal(abut_mesh_tree_self_pairs(tree, few, 100).pair_count, counts[i]);
        assert_memory_equal(few, pairs + i * MOST, sizeof(few));
        assert_int_equal(abut_mesh_tree_self_pairs(tree, NULL, 0).pair_count, counts[i]);
        abut_mesh_tree_destroy(tree);
        abut_workers_destroy(workers);
    }
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(pairs, pairs + MOST, counts[0] * sizeof(AbutTrianglePair));
    AbutTrianglePair* expected = pairs + 2 * MOST;
    size_t count = 0;
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        for (uint32_t k = i + 1; k < COUNT; ++k)
        {
            AbutTriangle a = { { vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2] } };
            AbutTriangle b = { { vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2] } };
            if (abut_triangles_cross(&a, &b))
            {
                expected[count++] = (AbutTrianglePair){ i, k };
            }
        }
    }
    assert_int_equal(counts[0], count);
    qsort(pairs, count, sizeof(AbutTrianglePair), compare_pairs);
    assert_memory_equal(pairs, expected, count * sizeof(AbutTrianglePair));
    abut_mesh_destroy(mesh);
    free(vertices);
    free(pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours_touch_beyond_what_they_share),
        cmocka_unit_test(test_clean_meshes_have_no_pairs),
        cmocka_unit_test(test_pairs_of_soup_are_those_of_brute_force),
        cmocka_unit_test(test_triangles_with_a_common_corner_touch_where_edges_do),
        cmocka_unit_test(test_pairs_are_the_same_for_any_number_of_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
