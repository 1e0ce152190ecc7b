// The laboratory: every volume, split, number of children and traversal has the pairs of the product, whose
// own oracle is brute force; volumes contain their triangles; limits end queries on the safe side.
#include "support/meshes/meshes.h"
#include "support/support.h"

#include "bvh/lab/lab.h"

#include <abut/bvh.h>
#include <abut/models.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MESH_COUNT = 4,
    MOST_PAIRS = 1 << 16
};

typedef struct Meshes
{
    AbutMesh* meshes[MESH_COUNT];
    AbutMeshTree* trees[MESH_COUNT];
    AbutTrianglePair *found, *expected;
} Meshes;

static int create_meshes(void** state)
{
    static Meshes all;
    all.meshes[0] = test_torus_mesh(0.7f, 0.2f, 30, 11);
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 0.5f, 0.75f), 3, NULL, &all.meshes[1]), ABUT_OK);
    test_assert_result(abut_mesh_create_sphere(0.6f, 6, NULL, &all.meshes[2]), ABUT_OK);
    all.meshes[3] = test_lattice_mesh(177, 70, 3.0, true);
    for (int i = 0; i < MESH_COUNT; ++i)
    {
        test_assert_result(abut_mesh_tree_create(all.meshes[i], NULL, &all.trees[i]), ABUT_OK);
    }
    all.found = malloc(2 * MOST_PAIRS * sizeof(AbutTrianglePair));
    assert_non_null(all.found);
    all.expected = all.found + MOST_PAIRS;
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

/// Builds of every volume, axis, split and number of children, by number.
enum
{
    BUILD_COUNT = ABUT_BVH_VOLUME_COUNT * ABUT_BVH_AXIS_COUNT * ABUT_BVH_SPLIT_COUNT * 3
};

static AbutBvhDef build_of(int number)
{
    AbutBvhDef def = abut_bvh_def();
    def.volume = (AbutBvhVolume)(number % ABUT_BVH_VOLUME_COUNT);
    number /= ABUT_BVH_VOLUME_COUNT;
    def.axis = (AbutBvhAxis)(number % ABUT_BVH_AXIS_COUNT);
    number /= ABUT_BVH_AXIS_COUNT;
    def.split = (AbutBvhSplit)(number % ABUT_BVH_SPLIT_COUNT);
    number /= ABUT_BVH_SPLIT_COUNT;
    def.children = 2u << (number % 3);
    def.leaf_size = 1u + (uint32_t)number % 3u * 3u + (uint32_t)def.split % 2u;
    return def;
}

static AbutBvhTraversal traversal_of(int number)
{
    AbutBvhTraversal traversal = abut_bvh_traversal();
    traversal.rule = (AbutBvhRule)(number % 3);
    traversal.queue = (AbutBvhQueue)(number / 3 % 3);
    traversal.leaf_test = (AbutBvhLeafTest)(number / 9 % 2);
    return traversal;
}

enum
{
    TRAVERSAL_COUNT = 18
};

static int compare_pairs(const void* a, const void* b)
{
    const AbutTrianglePair *p = a, *q = b;
    int first = (p->a > q->a) - (p->a < q->a);
    return first != 0 ? first : (p->b > q->b) - (p->b < q->b);
}

static int pose_count(int usual)
{
    return test_count("ABUT_TEST_MESH_POSES", test_heavy_count(usual));
}

/// Poses with coincidences: the same, multiples of 1/8 with exact rotations, random, scaled, far away.
static void make_poses(TestRandom* random, int number, AbutPose* a, AbutPose* b)
{
    *a = abut_pose_at(0.0, 0.0, 0.0);
    *b = abut_pose_at(0.0, 0.0, 0.0);
    AbutVec3 p = test_random_point(random, 8.0);
    switch (number % 6)
    {
    case 0:
        break;
    case 1:
        *b = abut_pose_at(0.125 * round(p.x), 0.125 * round(p.y), 0.125 * round(p.z));
        b->rotation = number % 12 == 1 ? (AbutQuat){ 0.5f, 0.5f, 0.5f, 0.5f } : b->rotation;
        break;
    default:
        a->rotation = test_random_rotation(random);
        b->rotation = number % 6 == 2 ? a->rotation : test_random_rotation(random);
        b->position = test_random_position(random, 0.9);
        b->scale = number % 6 == 3 ? 0.3f : number % 6 == 4 ? 4.0f : 1.0f;
    }
    if (number % 6 == 5)
    {
        a->position.x += 1e6;
        b->position.x += 1e6;
    }
}

static void check_pairs(Meshes* all, const AbutBvh* a, const AbutBvh* b, int index_a, int index_b,
                        const AbutPose poses[2], int traversal_number)
{
    AbutMeshTreePair pair = { all->trees[index_a], all->trees[index_b], poses[0], poses[1] };
    AbutMeshTreePairs expected = abut_mesh_tree_pairs(&pair, all->expected, MOST_PAIRS);
    assert_true(expected.pair_count <= MOST_PAIRS);
    AbutBvhPair lab = { a, b, poses[0], poses[1] };
    AbutBvhTraversal traversal = traversal_of(traversal_number);
    AbutBvhOutput found = abut_bvh_pairs(&lab, &traversal, all->found, MOST_PAIRS);
    assert_int_equal(found.pair_count, expected.pair_count);
    assert_int_equal(found.state, expected.state);
    assert_true(found.complete && found.open_count == 0);
    qsort(all->found, found.pair_count, sizeof(AbutTrianglePair), compare_pairs);
    qsort(all->expected, expected.pair_count, sizeof(AbutTrianglePair), compare_pairs);
    assert_memory_equal(all->found, all->expected, expected.pair_count * sizeof(AbutTrianglePair));
    AbutBvhOutput touch = abut_bvh_collide(&lab, &traversal);
    assert_int_equal(touch.state, expected.state);
    assert_int_equal(touch.touching, expected.pair_count > 0);
    assert_true(touch.uncertainty == expected.uncertainty);
}

static void test_every_combination_has_the_pairs_of_the_product(void** state)
{
    Meshes* all = *state;
    TestRandom random = { 31 };
    for (int build = 0; build < BUILD_COUNT; ++build)
    {
        AbutBvhDef def = build_of(build);
        int a = build % MESH_COUNT, b = build / MESH_COUNT % MESH_COUNT;
        AbutBvh *first = NULL, *second = NULL;
        test_assert_result(abut_bvh_create(&def, all->meshes[a], &first), ABUT_OK);
        def.split = (AbutBvhSplit)((def.split + 2) % ABUT_BVH_SPLIT_COUNT);
        test_assert_result(abut_bvh_create(&def, all->meshes[b], &second), ABUT_OK);
        for (int i = 0; i < pose_count(6); ++i)
        {
            AbutPose poses[2];
            make_poses(&random, i, &poses[0], &poses[1]);
            check_pairs(all, first, second, a, b, poses, (build + 7 * i) % TRAVERSAL_COUNT);
        }
        abut_bvh_destroy(first);
        abut_bvh_destroy(second);
    }
}

static void test_every_traversal_has_the_pairs_of_the_product(void** state)
{
    Meshes* all = *state;
    TestRandom random = { 32 };
    for (int volume = 0; volume < ABUT_BVH_VOLUME_COUNT; ++volume)
    {
        AbutBvhDef def = abut_bvh_def();
        def.volume = (AbutBvhVolume)volume;
        AbutBvh *first = NULL, *second = NULL;
        test_assert_result(abut_bvh_create(&def, all->meshes[0], &first), ABUT_OK);
        test_assert_result(abut_bvh_create(&def, all->meshes[3], &second), ABUT_OK);
        for (int traversal = 0; traversal < TRAVERSAL_COUNT; ++traversal)
        {
            AbutPose poses[2];
            make_poses(&random, volume + traversal, &poses[0], &poses[1]);
            check_pairs(all, first, second, 0, 3, poses, traversal);
        }
        abut_bvh_destroy(first);
        abut_bvh_destroy(second);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Volumes
// -----------------------------------------------------------------------------------------------------------

/// No triangle is apart from the volume of its node by more than rounding.
static void check_volumes(const AbutBvh* bvh)
{
    uint32_t covered = 0;
    for (uint32_t n = 0; n < bvh->node_count; ++n)
    {
        const AbutBvhNode* node = &bvh->nodes[n];
        covered += node->child_count == 0 ? node->count : 0;
        assert_true(node->child_count > 0 || node->count <= bvh->def.leaf_size);
        for (uint32_t i = node->first; i < node->first + node->count; ++i)
        {
            for (int k = 0; k < 3; ++k)
            {
                AbutDVec3 p = abut_dvec3_from_vec3(bvh->items[i].corners[k]);
                AbutDTriangle corner = { { p, p, p } };
                assert_false(bvh->table->is_apart(bvh->table->half, abut_bvh_volume(bvh, n), &corner,
                                                  1e-14 * bvh->largest));
            }
        }
    }
    assert_int_equal(covered, bvh->item_count);
}

static AbutVec3* deform(const AbutMesh* mesh, float amount)
{
    uint32_t count = abut_mesh_vertex_count(mesh);
    AbutVec3* vertices = malloc(count * sizeof(AbutVec3));
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 v = abut_mesh_vertices(mesh)[i];
        vertices[i] = abut_vec3(v.x + amount * v.y * v.y, v.y - amount * v.x * v.z, v.z + amount * v.x);
    }
    return vertices;
}

static void test_volumes_contain_their_triangles(void** state)
{
    Meshes* all = *state;
    for (int build = 0; build < BUILD_COUNT; ++build)
    {
        AbutBvhDef def = build_of(build);
        const AbutMesh* mesh = all->meshes[build / 7 % MESH_COUNT];
        AbutBvh* bvh = NULL;
        test_assert_result(abut_bvh_create(&def, mesh, &bvh), ABUT_OK);
        check_volumes(bvh);
        test_assert_near(abut_bvh_quality(bvh), 1.0, 0.0);
        AbutVec3* vertices = deform(mesh, 0.4f);
        test_assert_result(abut_bvh_refit(bvh, vertices, abut_mesh_vertex_count(mesh),
                                          (AbutBvhRefit)(build % ABUT_BVH_REFIT_COUNT)),
                           ABUT_OK);
        check_volumes(bvh);
        free(vertices);
        abut_bvh_destroy(bvh);
    }
}

static double sphere_of_brute_force(const AbutDVec3* points, int count)
{
    // By rule from the centroid: slow and simple.
    AbutDVec3 center = abut_dvec3_zero();
    for (int i = 0; i < count; ++i)
    {
        center = abut_dvec3_mul_add(center, 1.0 / count, points[i]);
    }
    double radius = 0.0;
    for (int step = 1; step < 20000; ++step)
    {
        int furthest = 0;
        radius = 0.0;
        for (int i = 0; i < count; ++i)
        {
            double d = abut_dvec3_distance(points[i], center);
            furthest = d > radius ? i : furthest;
            radius = abut_larger(radius, d);
        }
        center = abut_dvec3_lerp(center, points[furthest], 1.0 / (step + 1.0));
    }
    return radius;
}

static void test_spheres_are_the_smallest(void** state)
{
    (void)state;
    TestRandom random = { 33 };
    for (int repeat = 0; repeat < test_heavy_count(20); ++repeat)
    {
        AbutBvhItem items[4];
        AbutDVec3 points[12];
        for (int i = 0; i < 12; ++i)
        {
            AbutVec3 p = test_random_point(&random, 1.0);
            p = repeat % 4 == 0 ? abut_vec3(floorf(2.0f * p.x), floorf(2.0f * p.y), 0.0f) : p;
            items[i / 3].corners[i % 3] = p;
            points[i] = abut_dvec3_from_vec3(p);
        }
        double sphere[4];
        abut_bvh_sphere.fit(0, items, 4, sphere);
        double expected = sphere_of_brute_force(points, 12);
        assert_true(sphere[3] <= expected * (1.0 + 1e-12) && sphere[3] >= expected * (1.0 - 2e-3));
    }
}

static void test_refits_have_the_pairs_of_a_new_tree(void** state)
{
    Meshes* all = *state;
    TestRandom random = { 34 };
    AbutVec3* vertices = deform(all->meshes[0], 0.6f);
    uint32_t count = abut_mesh_vertex_count(all->meshes[0]);
    AbutMeshTree* tree = NULL;
    test_assert_result(abut_mesh_tree_create(all->meshes[0], NULL, &tree), ABUT_OK);
    test_assert_result(abut_mesh_tree_refit(tree, vertices, count), ABUT_OK);
    AbutMeshTree* still = all->trees[0];
    all->trees[0] = tree;
    for (int build = 0; build < ABUT_BVH_VOLUME_COUNT * ABUT_BVH_REFIT_COUNT; ++build)
    {
        AbutBvhDef def = build_of(build % ABUT_BVH_VOLUME_COUNT);
        AbutBvh *a = NULL, *b = NULL;
        test_assert_result(abut_bvh_create(&def, all->meshes[0], &a), ABUT_OK);
        test_assert_result(abut_bvh_create(&def, all->meshes[1], &b), ABUT_OK);
        AbutBvhRefit refit = (AbutBvhRefit)(build / ABUT_BVH_VOLUME_COUNT);
        test_assert_result(abut_bvh_refit(a, vertices, count, refit), ABUT_OK);
        for (int i = 0; i < 6; ++i)
        {
            AbutPose poses[2];
            make_poses(&random, i, &poses[0], &poses[1]);
            check_pairs(all, a, b, 0, 1, poses, i);
        }
        abut_bvh_destroy(a);
        abut_bvh_destroy(b);
    }
    all->trees[0] = still;
    abut_mesh_tree_destroy(tree);
    free(vertices);
}

// -----------------------------------------------------------------------------------------------------------
// Limits
// -----------------------------------------------------------------------------------------------------------

static void test_limits_end_on_the_safe_side(void** state)
{
    Meshes* all = *state;
    TestRandom random = { 35 };
    AbutBvhDef def = abut_bvh_def();
    AbutBvh *a = NULL, *b = NULL;
    int open = 0, wrong = 0;
    test_assert_result(abut_bvh_create(&def, all->meshes[0], &a), ABUT_OK);
    test_assert_result(abut_bvh_create(&def, all->meshes[2], &b), ABUT_OK);
    for (int i = 0; i < 400; ++i)
    {
        AbutPose poses[2];
        make_poses(&random, i, &poses[0], &poses[1]);
        AbutBvhPair pair = { a, b, poses[0], poses[1] };
        AbutBvhTraversal traversal = traversal_of(i % TRAVERSAL_COUNT);
        AbutBvhOutput full = abut_bvh_collide(&pair, &traversal);
        traversal.test_limit = 1 + (uint64_t)i % 97;
        AbutBvhOutput limited = abut_bvh_collide(&pair, &traversal);
        AbutBvhOutput again = abut_bvh_collide(&pair, &traversal);
        assert_int_equal(limited.state, again.state);
        assert_int_equal(limited.open_count, again.open_count);
        assert_int_equal(limited.volume_tests, again.volume_tests);
        assert_true(limited.touching >= full.touching); // never a wrong "apart"
        assert_true(limited.complete ? limited.state == full.state
                                     : limited.touching && limited.open_count > 0 &&
                                           limited.state == ABUT_MESH_TREE_CLOSE);
        AbutBvhOutput some = abut_bvh_pairs(&pair, &traversal, all->found, MOST_PAIRS);
        AbutBvhTraversal free_one = traversal_of(i % TRAVERSAL_COUNT);
        assert_true(some.pair_count <= abut_bvh_pairs(&pair, &free_one, NULL, 0).pair_count);
        open += !limited.complete;
        wrong += limited.touching && !full.touching;
    }
    assert_true(open > 20 && wrong > 0);
    abut_bvh_destroy(a);
    abut_bvh_destroy(b);
}

/// A clock that moves on by one at each reading.
static double count_readings(void* user)
{
    int* readings = user;
    return (*readings)++;
}

static void test_deadlines_read_the_clock_of_the_caller(void** state)
{
    Meshes* all = *state;
    AbutBvhDef def = abut_bvh_def();
    AbutBvh* bvh = NULL;
    test_assert_result(abut_bvh_create(&def, all->meshes[0], &bvh), ABUT_OK);
    AbutBvhPair pair = { bvh, bvh, abut_pose_at(0.0, 0.0, 0.0), abut_pose_at(0.01, 0.02, 0.0) };
    AbutBvhTraversal traversal = abut_bvh_traversal();
    uint64_t tests[2];
    for (int i = 0; i < 2; ++i)
    {
        int readings = 0;
        traversal.seconds = i == 0 ? 3.0 : 6.0;
        traversal.clock = count_readings;
        traversal.clock_user = &readings;
        AbutBvhOutput output = abut_bvh_pairs(&pair, &traversal, NULL, 0);
        assert_false(output.complete);
        assert_true(output.touching && output.open_count > 0);
        assert_int_equal(readings, i == 0 ? 4 : 7);
        tests[i] = output.volume_tests + output.triangle_tests;
    }
    assert_true(tests[1] > tests[0]);
    traversal.clock = NULL;
    traversal.seconds = 100.0;
    assert_true(abut_bvh_pairs(&pair, &traversal, NULL, 0).complete);
    traversal.seconds = 1e-9;
    assert_false(abut_bvh_pairs(&pair, &traversal, NULL, 0).complete);
    abut_bvh_destroy(bvh);
}

// -----------------------------------------------------------------------------------------------------------
// Workers, input, memory
// -----------------------------------------------------------------------------------------------------------

static void test_refits_are_the_same_for_any_number_of_workers(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_sphere(1.0f, 24, NULL, &mesh), ABUT_OK);
    AbutVec3* vertices = deform(mesh, 0.3f);
    AbutWorkers* workers = NULL;
    test_assert_result(abut_workers_create(3, NULL, &workers), ABUT_OK);
    AbutHost host = abut_workers_host(workers);
    for (int volume = 0; volume < ABUT_BVH_VOLUME_COUNT; ++volume)
    {
        AbutBvhDef def = abut_bvh_def();
        def.volume = (AbutBvhVolume)volume;
        AbutBvh *one = NULL, *many = NULL;
        test_assert_result(abut_bvh_create(&def, mesh, &one), ABUT_OK);
        def.host = &host;
        test_assert_result(abut_bvh_create(&def, mesh, &many), ABUT_OK);
        for (int refit = 0; refit < ABUT_BVH_REFIT_COUNT; ++refit)
        {
            uint32_t count = abut_mesh_vertex_count(mesh);
            test_assert_result(abut_bvh_refit(one, vertices, count, (AbutBvhRefit)refit), ABUT_OK);
            test_assert_result(abut_bvh_refit(many, vertices, count, (AbutBvhRefit)refit), ABUT_OK);
            assert_memory_equal(one->volumes, many->volumes,
                                one->node_count * one->table->size * sizeof(double));
            assert_true(abut_bvh_quality(one) == abut_bvh_quality(many));
        }
        abut_bvh_destroy(one);
        abut_bvh_destroy(many);
    }
    abut_workers_destroy(workers);
    abut_mesh_destroy(mesh);
    free(vertices);
}

static void test_bad_input_is_refused(void** state)
{
    Meshes* all = *state;
    AbutBvh* bvh = NULL;
    AbutBvhDef def = { 0 }; // never saw its default function
    test_assert_result(abut_bvh_create(&def, all->meshes[0], &bvh), ABUT_INVALID_ARGUMENT);
    def = abut_bvh_def();
    def.children = 3;
    test_assert_result(abut_bvh_create(&def, all->meshes[0], &bvh), ABUT_INVALID_ARGUMENT);
    def = abut_bvh_def();
    def.leaf_size = 9;
    test_assert_result(abut_bvh_create(&def, all->meshes[0], &bvh), ABUT_INVALID_ARGUMENT);
    def = abut_bvh_def();
    def.volume = ABUT_BVH_VOLUME_COUNT;
    test_assert_result(abut_bvh_create(&def, all->meshes[0], &bvh), ABUT_INVALID_ARGUMENT);
    assert_null(bvh);
    AbutMesh* empty = NULL;
    AbutMeshDef mesh_def = abut_mesh_def();
    def = abut_bvh_def();
    test_assert_result(abut_mesh_create(&mesh_def, &empty), ABUT_OK);
    test_assert_result(abut_bvh_create(&def, empty, &bvh), ABUT_INVALID_DATA);
    abut_mesh_destroy(empty);

    AbutBvh* spheres = NULL;
    test_assert_result(abut_bvh_create(&def, all->meshes[0], &bvh), ABUT_OK);
    def.volume = ABUT_BVH_SPHERE;
    test_assert_result(abut_bvh_create(&def, all->meshes[0], &spheres), ABUT_OK);
    AbutBvhPair pair = { bvh, spheres, abut_pose_at(0.0, 0.0, 0.0), abut_pose_at(0.0, 0.0, 0.0) };
    AbutBvhTraversal traversal = abut_bvh_traversal();
    assert_int_equal(abut_bvh_collide(&pair, &traversal).state, ABUT_MESH_TREE_INVALID);
    pair.b = bvh;
    pair.pose_b.position.y = NAN;
    assert_int_equal(abut_bvh_collide(&pair, &traversal).state, ABUT_MESH_TREE_INVALID);
    pair.pose_b = abut_pose_at(1e300, 0.0, 0.0);
    assert_int_equal(abut_bvh_collide(&pair, &traversal).state, ABUT_MESH_TREE_SEPARATED);
    traversal.seconds = -1.0;
    assert_int_equal(abut_bvh_pairs(&pair, &traversal, NULL, 0).state, ABUT_MESH_TREE_INVALID);
    AbutVec3 vertex = { NAN, 0.0f, 0.0f };
    test_assert_result(abut_bvh_refit(bvh, &vertex, 1, ABUT_BVH_BOTTOM_UP), ABUT_INVALID_ARGUMENT);
    AbutVec3* vertices = deform(all->meshes[0], 0.0f);
    vertices[5].z = NAN;
    uint32_t count = abut_mesh_vertex_count(all->meshes[0]);
    test_assert_result(abut_bvh_refit(bvh, vertices, count, ABUT_BVH_BOTTOM_UP), ABUT_INVALID_DATA);
    vertices[5].z = 3e12f;
    test_assert_result(abut_bvh_refit(bvh, vertices, count, ABUT_BVH_BOTTOM_UP), ABUT_LIMIT_EXCEEDED);
    check_volumes(bvh);
    free(vertices);
    abut_bvh_destroy(bvh);
    abut_bvh_destroy(spheres);
    abut_bvh_destroy(NULL);
}

static AbutResult create_tree(void* context, const AbutHost* host)
{
    AbutBvhDef def = abut_bvh_def();
    def.host = host;
    AbutBvh* bvh = NULL;
    AbutResult result = abut_bvh_create(&def, context, &bvh);
    assert_true((result == ABUT_OK) == (bvh != NULL));
    abut_bvh_destroy(bvh);
    return result;
}

static void test_nothing_leaks_when_memory_runs_out(void** state)
{
    Meshes* all = *state;
    assert_true(test_fail_every_allocation(create_tree, all->meshes[0]) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_combination_has_the_pairs_of_the_product),
        cmocka_unit_test(test_every_traversal_has_the_pairs_of_the_product),
        cmocka_unit_test(test_volumes_contain_their_triangles),
        cmocka_unit_test(test_spheres_are_the_smallest),
        cmocka_unit_test(test_refits_have_the_pairs_of_a_new_tree),
        cmocka_unit_test(test_limits_end_on_the_safe_side),
        cmocka_unit_test(test_deadlines_read_the_clock_of_the_caller),
        cmocka_unit_test(test_refits_are_the_same_for_any_number_of_workers),
        cmocka_unit_test(test_bad_input_is_refused),
        cmocka_unit_test(test_nothing_leaks_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, create_meshes, destroy_meshes);
}
