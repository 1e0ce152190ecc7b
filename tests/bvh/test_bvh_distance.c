// Distances of triangles against a search along their edges, and of meshes against brute force over all
// triangles.
#include "support/meshes/meshes.h"
#include "support/support.h"

#include "math/transform.h"
#include "mesh/triangle/closest_point.h"
#include "mesh/triangle/distance.h"

#include <abut/bvh.h>
#include <abut/models.h>

// -----------------------------------------------------------------------------------------------------------
// Triangles
// -----------------------------------------------------------------------------------------------------------

static double distance_to_triangle(const AbutDTriangle* t, AbutDVec3 p)
{
    return sqrt(abut_triangle_closest_feature(t->corners, p).squared);
}

/// The distance to a triangle is convex along an edge: a search by thirds finds its minimum.
static double edge_distance(const AbutDTriangle* t, AbutDVec3 p, AbutDVec3 q)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 120; ++i)
    {
        double s = low + (high - low) / 3.0, u = high - (high - low) / 3.0;
        if (distance_to_triangle(t, abut_dvec3_lerp(p, q, s)) <
            distance_to_triangle(t, abut_dvec3_lerp(p, q, u)))
        {
            high = u;
        }
        else
        {
            low = s;
        }
    }
    return distance_to_triangle(t, abut_dvec3_lerp(p, q, 0.5 * (low + high)));
}

static double oracle_distance(const AbutDTriangle* a, const AbutDTriangle* b)
{
    double least = INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        least = fmin(least, edge_distance(a, b->corners[i], b->corners[(i + 1) % 3]));
        least = fmin(least, edge_distance(b, a->corners[i], a->corners[(i + 1) % 3]));
    }
    return least;
}

static AbutDTriangle random_triangle(TestRandom* random, int kind, AbutDVec3 at)
{
    AbutDTriangle t;
    for (int i = 0; i < 3; ++i)
    {
        AbutVec3 p = test_random_point(random, 1.0);
        p = kind == 1 ? abut_vec3(roundf(2.0f * p.x), roundf(2.0f * p.y), roundf(2.0f * p.z)) : p; // a grid
        p = kind == 2 ? abut_vec3(p.x, 1e-6f * p.y, 0.0f) : p;                                     // a needle
        p = kind == 3 ? abut_vec3(p.x, p.y, 0.0f) : p;                                             // flat
        t.corners[i] = abut_dvec3_add(at, abut_dvec3_from_vec3(p));
    }
    return t;
}

static void test_distance_of_triangles_is_that_of_a_search(void** state)
{
    (void)state;
    TestRandom random = { 31 };
    int count = 0;
    for (int repeat = 0; repeat < test_heavy_count(6000); ++repeat)
    {
        AbutVec3 offset = test_random_point(&random, 3.0);
        offset = repeat % 3 == 0 ? abut_vec3(roundf(offset.x), roundf(offset.y), roundf(offset.z)) : offset;
        AbutDTriangle a = random_triangle(&random, repeat % 4, abut_dvec3_zero());
        AbutDTriangle b = random_triangle(&random, repeat / 4 % 4, abut_dvec3_from_vec3(offset));
        if (abut_triangles_touch(&a, &b))
        {
            continue;
        }
        AbutTriangleDistance d = abut_triangles_distance(&a, &b, 0.0);
        double expected = oracle_distance(&a, &b);
        count += 1;
        test_assert_near(d.distance, expected, 1e-7);
        assert_true(d.distance <= expected + 1e-12);
        assert_true(d.lower <= d.distance);
        assert_true(d.lower <= expected * (1.0 + 1e-12));
        test_assert_near(d.lower, d.distance, 1e-6);
    }
    assert_true(count > 100);
}

// -----------------------------------------------------------------------------------------------------------
// Meshes
// -----------------------------------------------------------------------------------------------------------

enum
{
    MESH_COUNT = 4
};

typedef struct Meshes
{
    AbutMesh* meshes[MESH_COUNT];
    AbutMeshTree* trees[MESH_COUNT];
} Meshes;

static int create_meshes(void** state)
{
    static Meshes all;
    test_assert_result(abut_mesh_create_sphere(0.5f, 5, NULL, &all.meshes[0]), ABUT_OK);
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 0.5f, 0.75f), 2, NULL, &all.meshes[1]), ABUT_OK);
    all.meshes[2] = test_torus_mesh(0.7f, 0.2f, 24, 9);
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 1.0f, 1.0f), 1, NULL, &all.meshes[3]), ABUT_OK);
    for (int i = 0; i < MESH_COUNT; ++i)
    {
        test_assert_result(abut_mesh_tree_create(all.meshes[i], NULL, &all.trees[i]), ABUT_OK);
    }
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
    return 0;
}

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

/// 0 for surfaces that touch.
static double brute_force(const AbutMesh* a, const AbutMesh* b, const AbutMeshTreePair* pair)
{
    AbutTransform t = abut_transform_relative(&pair->pose_a, &pair->pose_b);
    double least = INFINITY;
    for (uint32_t i = 0; i < abut_mesh_triangle_count(a); ++i)
    {
        AbutDTriangle p = corners_of(a, i, NULL);
        for (uint32_t k = 0; k < abut_mesh_triangle_count(b); ++k)
        {
            AbutDTriangle q = corners_of(b, k, &t);
            double d = abut_triangles_touch(&p, &q) ? 0.0 : abut_triangles_distance(&p, &q, 0.0).distance;
            least = fmin(least, d);
        }
    }
    return least;
}

static void check_points(const Meshes* all, int a, int b, const AbutMeshTreePair* pair,
                         const AbutMeshTreeDistance* d)
{
    AbutTransform t = abut_transform_relative(&pair->pose_a, &pair->pose_b);
    AbutDTriangle p = corners_of(all->meshes[a], d->triangle_a, NULL);
    AbutDTriangle q = corners_of(all->meshes[b], d->triangle_b, &t);
    AbutDVec3 on_a = abut_dvec3_from_position(d->point_a), on_b = abut_dvec3_from_position(d->point_b);
    test_assert_near(distance_to_triangle(&p, on_a), 0.0, 1e-12 * (1.0 + d->distance));
    test_assert_near(distance_to_triangle(&q, on_b), 0.0, 1e-12 * (1.0 + d->distance));
    test_assert_near(abut_dvec3_distance(on_a, on_b), d->distance, 1e-13 * (1.0 + d->distance));
}

static void check_distance(const Meshes* all, int a, int b, const AbutMeshTreePair* pair, double size)
{
    double expected = brute_force(all->meshes[a], all->meshes[b], pair);
    AbutMeshTreeDistance d = abut_mesh_tree_distance(pair, INFINITY);
    assert_true(d.found);
    test_assert_near(d.distance, expected, 1e-12 * size);
    assert_true(d.lower <= d.distance && d.lower <= expected);
    if (expected > 0.0)
    {
        check_points(all, a, b, pair, &d);
        test_assert_near(d.lower, expected, 1e-6 * size);
        AbutMeshTreeDistance limited = abut_mesh_tree_distance(pair, 0.5 * expected);
        assert_true(!limited.found && limited.lower >= 0.5 * expected);
        assert_int_equal(abut_mesh_tree_within(pair, 0.999 * expected), ABUT_MESH_TREE_SEPARATED);
        assert_int_equal(abut_mesh_tree_within(pair, expected), ABUT_MESH_TREE_CLOSE);
    }
    assert_int_equal(abut_mesh_tree_within(pair, 1.001 * expected + 1e-6 * size), ABUT_MESH_TREE_CONTACT);
}

static void test_distance_of_meshes_is_that_of_brute_force(void** state)
{
    Meshes* all = *state;
    TestRandom random = { 32 };
    for (int repeat = 0; repeat < test_heavy_count(160); ++repeat)
    {
        int a = repeat % MESH_COUNT, b = repeat / MESH_COUNT % MESH_COUNT;
        AbutMeshTreePair pair = { all->trees[a], all->trees[b], abut_pose_at(0, 0, 0),
                                  abut_pose_at(0, 0, 0) };
        double size = repeat % 8 == 7 ? 1e6 : repeat % 8 == 5 ? 1e-6 : 1.0;
        pair.pose_a.rotation = test_random_rotation(&random);
        pair.pose_a.scale = (float)size;
        pair.pose_b.rotation = repeat % 3 == 0 ? pair.pose_a.rotation : test_random_rotation(&random);
        pair.pose_b.scale = (float)(repeat % 5 == 0 ? 0.4 * size : size);
        AbutPosition at = test_random_position(&random, 1.6);
        pair.pose_b.position = (AbutPosition){ size * at.x, size * at.y, size * at.z };
        check_distance(all, a, b, &pair, 1.0); // distances are in the unit of A
    }
}

static void test_bad_limits_are_refused(void** state)
{
    Meshes* all = *state;
    AbutMeshTreePair pair = { all->trees[0], all->trees[1], abut_pose_at(0, 0, 0), abut_pose_at(5, 0, 0) };
    assert_int_equal(abut_mesh_tree_distance(&pair, -1.0).state, ABUT_MESH_TREE_INVALID);
    assert_int_equal(abut_mesh_tree_distance(&pair, NAN).state, ABUT_MESH_TREE_INVALID);
    assert_int_equal(abut_mesh_tree_within(&pair, NAN), ABUT_MESH_TREE_INVALID);
    pair.pose_b = abut_pose_at(1e200, 0.0, 0.0);
    assert_int_equal(abut_mesh_tree_distance(&pair, INFINITY).state, ABUT_MESH_TREE_INVALID);
    pair.pose_b = abut_pose_at(1e12, 0.0, 0.0);
    test_assert_near(abut_mesh_tree_distance(&pair, INFINITY).distance, 1e12, 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_of_triangles_is_that_of_a_search),
        cmocka_unit_test(test_distance_of_meshes_is_that_of_brute_force),
        cmocka_unit_test(test_bad_limits_are_refused),
    };
    return cmocka_run_group_tests(tests, create_meshes, destroy_meshes);
}
