// Trees of meshes: yes or no and all pairs, against brute force over all triangles, exact about the rounded
// corners, and in quad precision about the poses.
#include "support/meshes/meshes.h"
#include "support/oracles/exact_triangles.h"
#include "support/support.h"

#include "math/transform.h"
#include "mesh/triangle/touch.h"

#include <abut/bvh.h>
#include <abut/models.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MESH_COUNT = 5,
    MOST_PAIRS = 1 << 16
};

typedef struct Meshes
{
    AbutMesh* meshes[MESH_COUNT];
    AbutMeshTree* trees[MESH_COUNT];
    AbutTrianglePair* found;
    AbutTrianglePair* expected;
} Meshes;

static int create_meshes(void** state)
{
    static Meshes all;
    test_assert_result(abut_mesh_create_sphere(0.6f, 5, NULL, &all.meshes[0]), ABUT_OK);
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 0.5f, 0.75f), 3, NULL, &all.meshes[1]), ABUT_OK);
    all.meshes[2] = test_torus_mesh(0.7f, 0.2f, 24, 9);
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 1.0f, 1.0f), 1, NULL, &all.meshes[3]), ABUT_OK);
    all.meshes[4] = test_lattice_mesh(77, 60, 4.0, false);
    for (int i = 0; i < MESH_COUNT; ++i)
    {
        test_assert_result(abut_mesh_tree_create(all.meshes[i], NULL, &all.trees[i]), ABUT_OK);
        assert_int_equal(abut_mesh_tree_triangle_count(all.trees[i]),
                         abut_mesh_triangle_count(all.meshes[i]));
    }
    all.found = malloc(2 * MOST_PAIRS * sizeof(AbutTrianglePair));
    all.expected = all.found + MOST_PAIRS;
    assert_non_null(all.found);
    *state = &all;
    return 0;
}

static int destroy_meshes(void** state)
{
    Meshes* all = *state;
    for (int i = 0; i < MESH_COUNT; ++i)
    {
        abut_mesh_tree_destroy(all->trees[i]);
        abut_mesh_destroy(all->meshes[i]);
    }
    free(all->found);
    return 0;
}

/// The number in ABUT_TEST_MESH_POSES where it is set.
static int pose_count(int usual)
{
    return test_count("ABUT_TEST_MESH_POSES", test_heavy_count(usual));
}

static AbutMeshTreePair pair_of(const Meshes* all, int a, int b, AbutPose pose_a, AbutPose pose_b)
{
    return (AbutMeshTreePair){ all->trees[a], all->trees[b], pose_a, pose_b };
}

// -----------------------------------------------------------------------------------------------------------
// All pairs
// -----------------------------------------------------------------------------------------------------------

static AbutDTriangle corners_of(const AbutMesh* mesh, uint32_t triangle, const AbutTransform* t)
{
    AbutDTriangle out;
    for (int i = 0; i < 3; ++i)
    {
        uint32_t vertex = abut_mesh_indices(mesh)[3 * (size_t)triangle + (size_t)i];
        out.corners[i] = abut_dvec3_from_vec3(abut_mesh_vertices(mesh)[vertex]);
        out.corners[i] = t != NULL ? abut_transform_point(t, out.corners[i]) : out.corners[i];
    }
    return out;
}

static int compare_pairs(const void* a, const void* b)
{
    const AbutTrianglePair *p = a, *q = b;
    int first = (p->a > q->a) - (p->a < q->a);
    return first != 0 ? first : (p->b > q->b) - (p->b < q->b);
}

static size_t brute_force(const Meshes* all, int a, int b, const AbutMeshTreePair* pair)
{
    AbutTransform t = abut_transform_relative(&pair->pose_a, &pair->pose_b);
    size_t count = 0;
    for (uint32_t i = 0; i < abut_mesh_triangle_count(all->meshes[a]); ++i)
    {
        AbutDTriangle p = corners_of(all->meshes[a], i, NULL);
        for (uint32_t k = 0; k < abut_mesh_triangle_count(all->meshes[b]); ++k)
        {
            AbutDTriangle q = corners_of(all->meshes[b], k, &t);
            if (abut_triangles_touch(&p, &q))
            {
                assert_true(count < MOST_PAIRS);
                all->expected[count++] = (AbutTrianglePair){ i, k };
            }
        }
    }
    return count;
}

static AbutMeshTreeState check_pairs(Meshes* all, int a, int b, const AbutMeshTreePair* pair)
{
    AbutMeshTreePairs found = abut_mesh_tree_pairs(pair, all->found, MOST_PAIRS);
    AbutMeshTreeTouch touch = abut_mesh_tree_collide(pair);
    size_t expected = brute_force(all, a, b, pair);
    assert_int_equal(found.pair_count, expected);
    qsort(all->found, found.pair_count, sizeof(AbutTrianglePair), compare_pairs);
    assert_memory_equal(all->found, all->expected, expected * sizeof(AbutTrianglePair));
    assert_int_equal(found.state, touch.state);
    assert_true(touch.state == ABUT_MESH_TREE_CLOSE || touch.touching == (expected > 0));
    assert_true((touch.state == ABUT_MESH_TREE_CONTACT) <= (expected > 0));
    return touch.state;
}

static AbutPose random_pose(TestRandom* random, double half, double scale)
{
    AbutPose pose = abut_pose_at(0.0, 0.0, 0.0);
    pose.position = test_random_position(random, half);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)scale;
    return pose;
}

static void test_pairs_are_those_of_brute_force(void** state)
{
    Meshes* all = *state;
    TestRandom random = { 21 };
    int counts[ABUT_MESH_TREE_STATE_COUNT] = { 0 };
    const double scales[] = { 1.0, 1.0, 0.3, 2.5 };
    for (int repeat = 0; repeat < pose_count(300); ++repeat)
    {
        int a = repeat % MESH_COUNT, b = repeat / MESH_COUNT % MESH_COUNT;
        AbutPose pose_a = random_pose(&random, 1.0, 1.0);
        AbutPose pose_b = random_pose(&random, 1.0, scales[repeat % 4]);
        AbutMeshTreePair pair = pair_of(all, a, b, pose_a, pose_b);
        counts[check_pairs(all, a, b, &pair)] += 1;
    }
    assert_true(counts[ABUT_MESH_TREE_SEPARATED] > 0 && counts[ABUT_MESH_TREE_CONTACT] > 0);
    assert_int_equal(counts[ABUT_MESH_TREE_CLOSE], 0);
    assert_int_equal(counts[ABUT_MESH_TREE_INVALID], 0);
}

static void test_equal_poses_and_coarse_grids_are_exact(void** state)
{
    Meshes* all = *state;
    TestRandom random = { 22 };
    AbutPose origin = abut_pose_at(0.0, 0.0, 0.0);
    for (int m = 0; m < MESH_COUNT; ++m)
    {
        // A mesh on itself: every triangle touches itself and its neighbours.
        AbutMeshTreePair pair = pair_of(all, m, m, origin, origin);
        assert_int_equal(check_pairs(all, m, m, &pair), ABUT_MESH_TREE_CONTACT);
        assert_true(abut_mesh_tree_collide(&pair).uncertainty == 0.0);
    }
    for (int repeat = 0; repeat < test_heavy_count(120); ++repeat)
    {
        // Multiples of 1/8: faces in one plane, edges on edges, corners on faces.
        static const AbutQuat rotations[] = { { 0.0f, 0.0f, 0.0f, 1.0f },
                                              { 1.0f, 0.0f, 0.0f, 0.0f },
                                              { 0.5f, 0.5f, 0.5f, 0.5f } };
        AbutVec3 at = test_random_point(&random, 9.0);
        AbutPose pose = abut_pose_at(0.125 * round(at.x), 0.125 * round(at.y), 0.125 * round(at.z));
        pose.rotation = rotations[repeat % 3];
        int a = repeat % 2 ? 3 : 1, b = repeat % 5 ? 1 : 4;
        AbutMeshTreePair pair = pair_of(all, a, b, origin, pose);
        check_pairs(all, a, b, &pair);
    }
}

// -----------------------------------------------------------------------------------------------------------
// States
// -----------------------------------------------------------------------------------------------------------

static void check_state(Meshes* all, int a, int b, const AbutMeshTreePair* pair, int counts[4])
{
    AbutMeshTreeTouch touch = abut_mesh_tree_collide(pair);
    counts[touch.state] += 1;
    if (touch.state == ABUT_MESH_TREE_CLOSE)
    {
        return;
    }
    bool expected = exact_meshes_touch(all->meshes[a], &pair->pose_a, all->meshes[b], &pair->pose_b);
    assert_int_equal(touch.state == ABUT_MESH_TREE_CONTACT, expected);
}

/// Bisects the position of B between apart and in touch down to the last bit, then asks around it.
static void check_edge_of_touching(Meshes* all, int a, int b, AbutMeshTreePair pair, int counts[4])
{
    AbutPosition away = { 9.0, 7.0, 5.0 };
    double low = 0.0, high = 1.0; // fractions of the motion away
    AbutPosition start = pair.pose_b.position;
    if (abut_mesh_tree_collide(&pair).state != ABUT_MESH_TREE_CONTACT)
    {
        return;
    }
    for (int i = 0; i < 60; ++i)
    {
        double middle = 0.5 * (low + high);
        pair.pose_b.position =
            (AbutPosition){ start.x + middle * away.x, start.y + middle * away.y, start.z + middle * away.z };
        if (abut_mesh_tree_collide(&pair).touching)
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    const double offsets[] = { -1e-12, -1e-14, 0.0, 1e-14, 1e-12 };
    for (int i = 0; i < 5; ++i)
    {
        double at = low + offsets[i];
        pair.pose_b.position =
            (AbutPosition){ start.x + at * away.x, start.y + at * away.y, start.z + at * away.z };
        check_state(all, a, b, &pair, counts);
    }
}

static void test_states_are_right_at_the_edge_of_touching(void** state)
{
    Meshes* all = *state;
    if (!EXACT_IS_QUAD)
    {
        skip();
    }
    TestRandom random = { 23 };
    int counts[ABUT_MESH_TREE_STATE_COUNT] = { 0 };
    const double scales[] = { 1.0, 1e-6, 1e6 };
    for (int repeat = 0; repeat < pose_count(60); ++repeat)
    {
        int a = repeat % 4, b = repeat / 4 % 4;
        double scale = repeat % 5 == 4 ? scales[repeat / 5 % 3] : 1.0;
        AbutPose pose_a = random_pose(&random, 1.0, scale);
        AbutPose pose_b = random_pose(&random, 0.3, scale);
        if (repeat % 3 == 0)
        {
            pose_b.rotation = pose_a.rotation; // parallel faces
        }
        pose_b.position = (AbutPosition){ pose_a.position.x + scale * pose_b.position.x,
                                          pose_a.position.y + scale * pose_b.position.y,
                                          pose_a.position.z + scale * pose_b.position.z };
        check_edge_of_touching(all, a, b, pair_of(all, a, b, pose_a, pose_b), counts);
    }
    assert_true(counts[ABUT_MESH_TREE_SEPARATED] > 0 && counts[ABUT_MESH_TREE_CONTACT] > 0);
    assert_true(counts[ABUT_MESH_TREE_CLOSE] > 0);
}

// -----------------------------------------------------------------------------------------------------------
// Refit, input, memory
// -----------------------------------------------------------------------------------------------------------

static void test_refit_answers_as_a_new_tree(void** state)
{
    Meshes* all = *state;
    TestRandom random = { 24 };
    const AbutMesh* mesh = all->meshes[2];
    uint32_t count = abut_mesh_vertex_count(mesh);
    AbutVec3* vertices = malloc(count * sizeof(AbutVec3));
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 v = abut_mesh_vertices(mesh)[i];
        vertices[i] = abut_vec3(v.x * 1.5f + 0.3f * v.y, v.y + 0.2f * v.x * v.x, v.z - 0.4f * v.x);
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = count;
    def.indices = abut_mesh_indices(mesh);
    def.triangle_count = abut_mesh_triangle_count(mesh);
    AbutMesh* deformed = NULL;
    AbutMeshTree *refitted = NULL, *built = NULL;
    test_assert_result(abut_mesh_create(&def, &deformed), ABUT_OK);
    test_assert_result(abut_mesh_tree_create(mesh, NULL, &refitted), ABUT_OK);
    test_assert_result(abut_mesh_tree_create(deformed, NULL, &built), ABUT_OK);
    test_assert_near(abut_mesh_tree_quality(refitted), 1.0, 0.0);
    test_assert_result(abut_mesh_tree_refit(refitted, vertices, count), ABUT_OK);
    assert_true(abut_mesh_tree_quality(refitted) > 0.5);
    AbutBox bounds = abut_mesh_tree_bounds(refitted), expected = abut_mesh_bounds(deformed);
    assert_memory_equal(&bounds, &expected, sizeof(bounds));
    for (int repeat = 0; repeat < 60; ++repeat)
    {
        AbutMeshTreePair pair = pair_of(all, 0, 0, random_pose(&random, 1.0, 1.0), abut_pose_at(0, 0, 0));
        pair.b = refitted;
        AbutMeshTreePairs first = abut_mesh_tree_pairs(&pair, NULL, 0);
        pair.b = built;
        AbutMeshTreePairs second = abut_mesh_tree_pairs(&pair, NULL, 0);
        assert_int_equal(first.pair_count, second.pair_count);
        assert_int_equal(first.state, second.state);
    }
    vertices[3].y = NAN;
    test_assert_result(abut_mesh_tree_refit(refitted, vertices, count), ABUT_INVALID_DATA);
    vertices[3].y = 2e12f;
    test_assert_result(abut_mesh_tree_refit(refitted, vertices, count), ABUT_LIMIT_EXCEEDED);
    test_assert_result(abut_mesh_tree_refit(refitted, vertices, count - 1), ABUT_INVALID_ARGUMENT);
    bounds = abut_mesh_tree_bounds(refitted);
    assert_memory_equal(&bounds, &expected, sizeof(bounds));
    abut_mesh_tree_destroy(refitted);
    abut_mesh_tree_destroy(built);
    abut_mesh_destroy(deformed);
    free(vertices);
}

/// Neighbours part: every vertex takes the position of another.
static void test_updates_build_where_quality_asks_for_it(void** state)
{
    Meshes* all = *state;
    const AbutMesh* mesh = all->meshes[2];
    uint32_t count = abut_mesh_vertex_count(mesh);
    AbutVec3* vertices = malloc(count * sizeof(AbutVec3));
    for (uint32_t i = 0; i < count; ++i)
    {
        vertices[i] = abut_mesh_vertices(mesh)[i];
    }
    AbutMeshTree *tree = NULL, *refitted = NULL;
    bool rebuilt = true;
    test_assert_result(abut_mesh_tree_create(mesh, NULL, &tree), ABUT_OK);
    test_assert_result(abut_mesh_tree_create(mesh, NULL, &refitted), ABUT_OK);
    test_assert_result(abut_mesh_tree_update(tree, vertices, count, 1.1, &rebuilt), ABUT_OK);
    assert_false(rebuilt);
    for (uint32_t i = 0; i < count; ++i)
    {
        vertices[i] = abut_mesh_vertices(mesh)[i * 89u % count];
    }
    test_assert_result(abut_mesh_tree_update(refitted, vertices, count, INFINITY, &rebuilt), ABUT_OK);
    assert_true(!rebuilt && abut_mesh_tree_quality(refitted) > 1.1);
    test_assert_result(abut_mesh_tree_update(tree, vertices, count, 1.1, &rebuilt), ABUT_OK);
    assert_true(rebuilt && abut_mesh_tree_quality(tree) == 1.0);
    TestRandom random = { 25 };
    for (int i = 0; i < 20; ++i)
    {
        AbutMeshTreePair pair = pair_of(all, 0, 0, random_pose(&random, 0.7, 1.0), abut_pose_at(0, 0, 0));
        pair.b = refitted;
        size_t expected = abut_mesh_tree_pairs(&pair, all->expected, MOST_PAIRS).pair_count;
        pair.b = tree;
        assert_int_equal(abut_mesh_tree_pairs(&pair, all->found, MOST_PAIRS).pair_count, expected);
        qsort(all->found, expected, sizeof(AbutTrianglePair), compare_pairs);
        qsort(all->expected, expected, sizeof(AbutTrianglePair), compare_pairs);
        assert_memory_equal(all->found, all->expected, expected * sizeof(AbutTrianglePair));
    }
    test_assert_result(abut_mesh_tree_update(tree, vertices, count, 0.9, NULL), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_mesh_tree_update(tree, vertices, count + 1, 1.1, NULL), ABUT_INVALID_ARGUMENT);
    abut_mesh_tree_destroy(tree);
    abut_mesh_tree_destroy(refitted);
    free(vertices);
}

static void test_bad_input_is_refused(void** state)
{
    Meshes* all = *state;
    AbutMeshDef def = abut_mesh_def();
    AbutMesh* empty = NULL;
    AbutMeshTree* tree = NULL;
    test_assert_result(abut_mesh_create(&def, &empty), ABUT_OK);
    test_assert_result(abut_mesh_tree_create(empty, NULL, &tree), ABUT_INVALID_DATA);
    assert_null(tree);
    abut_mesh_destroy(empty);
    abut_mesh_tree_destroy(NULL);

    AbutPose origin = abut_pose_at(0.0, 0.0, 0.0), bad = origin;
    bad.position.x = NAN;
    AbutMeshTreePair pair = pair_of(all, 0, 1, origin, bad);
    assert_int_equal(abut_mesh_tree_collide(&pair).state, ABUT_MESH_TREE_INVALID);
    bad = origin;
    bad.scale = 1e7f;
    pair.pose_b = bad;
    assert_int_equal(abut_mesh_tree_pairs(&pair, NULL, 0).state, ABUT_MESH_TREE_INVALID);
    pair.pose_b = abut_pose_at(1e300, 0.0, 0.0);
    assert_int_equal(abut_mesh_tree_collide(&pair).state, ABUT_MESH_TREE_SEPARATED);
}

static AbutResult create_tree(void* context, const AbutHost* host)
{
    AbutMeshTree* tree = NULL;
    AbutResult result = abut_mesh_tree_create(context, host, &tree);
    assert_true((result == ABUT_OK) == (tree != NULL));
    abut_mesh_tree_destroy(tree);
    return result;
}

static void test_nothing_leaks_when_memory_runs_out(void** state)
{
    Meshes* all = *state;
    assert_true(test_fail_every_allocation(create_tree, all->meshes[2]) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_are_those_of_brute_force),
        cmocka_unit_test(test_equal_poses_and_coarse_grids_are_exact),
        cmocka_unit_test(test_states_are_right_at_the_edge_of_touching),
        cmocka_unit_test(test_refit_answers_as_a_new_tree),
        cmocka_unit_test(test_updates_build_where_quality_asks_for_it),
        cmocka_unit_test(test_bad_input_is_refused),
        cmocka_unit_test(test_nothing_leaks_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, create_meshes, destroy_meshes);
}
