// Combinations and changes of shapes against their formulas in double, and what they declare against the
// solid itself.
#include "support/oracles/oracle_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Trees are a few units across and their formulas keep slopes of at most 1, so rounding is a few 1e-7 of
/// that.
static const double TOLERANCE = 1e-5;

typedef void TreeFn(const OracleTree* tree, TestRandom* random);

static int count_trees(void)
{
    return test_heavy_count(320);
}

/// Calls check for trees of one to four levels.
static void for_random_trees(uint64_t seed, bool infinite, TreeFn* check)
{
    TestRandom random = { seed };
    for (int i = 0; i < count_trees(); ++i)
    {
        OracleTree* tree = oracle_tree_random(&random, 1 + i % 4, infinite);
        check(tree, &random);
        oracle_tree_destroy(tree);
    }
}

static void to_double(AbutVec3 v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static double formula_at(const OracleTree* tree, AbutVec3 p)
{
    return oracle_tree_distance(tree, (const double[3]){ p.x, p.y, p.z });
}

// -----------------------------------------------------------------------------------------------------------
// Values
// -----------------------------------------------------------------------------------------------------------

/// Central differences of the formula; false near a crease.
static bool formula_gradient(const OracleTree* tree, const double p[3], double g[3])
{
    const double step = 1e-6;
    double middle = oracle_tree_distance(tree, p);
    for (int i = 0; i < 3; ++i)
    {
        double a[3] = { p[0], p[1], p[2] }, b[3] = { p[0], p[1], p[2] };
        a[i] += step;
        b[i] -= step;
        double ahead = (oracle_tree_distance(tree, a) - middle) / step;
        double behind = (middle - oracle_tree_distance(tree, b)) / step;
        if (fabs(ahead - behind) > 2e-4)
        {
            return false;
        }
        g[i] = 0.5 * (ahead + behind);
    }
    return true;
}

static size_t checked_gradients;

static void check_formula(const OracleTree* tree, TestRandom* random)
{
    for (int i = 0; i < 500; ++i)
    {
        AbutVec3 point = test_random_point(random, i % 2 == 0 ? 1.0 : 3.0), g;
        double p[3], expected[3];
        to_double(point, p);
        float d = abut_shape_distance(tree->shape, point, &g);
        double exact = oracle_tree_distance(tree, p);
        if (!(fabs((double)d - exact) <= TOLERANCE))
        {
            fail_msg("%s at %g %g %g: %.9g, expected %.9g", oracle_tree_text(tree), p[0], p[1], p[2],
                     (double)d, exact);
        }
        bool inside = oracle_tree_contains(tree, p);
        if (fabs(exact) > TOLERANCE && inside != (d <= 0.0f))
        {
            fail_msg("%s at %g %g %g: %.9g, but the point is %s", oracle_tree_text(tree), p[0], p[1], p[2],
                     (double)d, inside ? "inside" : "outside");
        }
        if (formula_gradient(tree, p, expected))
        {
            checked_gradients += 1;
            double dx = expected[0] - (double)g.x, dy = expected[1] - (double)g.y;
            double dz = expected[2] - (double)g.z;
            if (!(sqrt(dx * dx + dy * dy + dz * dz) <= 1e-3))
            {
                fail_msg("%s at %g %g %g: gradient %g %g %g, expected %g %g %g", oracle_tree_text(tree), p[0],
                         p[1], p[2], (double)g.x, (double)g.y, (double)g.z, expected[0], expected[1],
                         expected[2]);
            }
        }
    }
}

static void test_values_signs_and_gradients_are_those_of_the_formula(void** state)
{
    (void)state;
    checked_gradients = 0;
    for_random_trees(1, true, check_formula);
    print_message("%zu gradients checked\n", checked_gradients);
    assert_true(checked_gradients > 250 * (size_t)count_trees());
}

static bool same_value(float a, float b)
{
    return a == b || (isnan(a) && isnan(b)); // 0 and −0 may change places
}

static void test_swapping_children_changes_no_distance(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    for (int i = 0; i < 200; ++i)
    {
        OracleTree *a = oracle_tree_random(&random, i % 3, true), *b = oracle_tree_random(&random, 1, true);
        AbutShape* const ab[2] = { a->shape, b->shape };
        AbutShape* const ba[2] = { b->shape, a->shape };
        AbutShape* pairs[3][2];
        test_assert_result(abut_shape_create_union(ab, 2, NULL, &pairs[0][0]), ABUT_OK);
        test_assert_result(abut_shape_create_union(ba, 2, NULL, &pairs[0][1]), ABUT_OK);
        test_assert_result(abut_shape_create_intersection(ab, 2, NULL, &pairs[1][0]), ABUT_OK);
        test_assert_result(abut_shape_create_intersection(ba, 2, NULL, &pairs[1][1]), ABUT_OK);
        test_assert_result(abut_shape_create_smooth_union(ab[0], ab[1], 0.3f, NULL, &pairs[2][0]), ABUT_OK);
        test_assert_result(abut_shape_create_smooth_union(ba[0], ba[1], 0.3f, NULL, &pairs[2][1]), ABUT_OK);
        for (int k = 0; k < 3; ++k)
        {
            for (int n = 0; n < 300; ++n)
            {
                AbutVec3 p = test_random_point(&random, 2.0);
                assert_true(same_value(abut_shape_distance(pairs[k][0], p, NULL),
                                       abut_shape_distance(pairs[k][1], p, NULL)));
            }
            abut_shape_destroy(pairs[k][0]);
            abut_shape_destroy(pairs[k][1]);
        }
        oracle_tree_destroy(a);
        oracle_tree_destroy(b);
    }
}

static void test_between_equal_children_the_gradient_of_the_first_wins(void** state)
{
    (void)state;
    AbutShape *ball = NULL, *at[2] = { NULL, NULL }, *shape = NULL;
    test_assert_result(abut_shape_create_sphere(0.5f, NULL, &ball), ABUT_OK);
    for (int i = 0; i < 2; ++i)
    {
        AbutPose pose = abut_pose_at(i == 0 ? -1.0 : 1.0, 0.0, 0.0);
        test_assert_result(abut_shape_create_transformed(ball, &pose, NULL, &at[i]), ABUT_OK);
    }
    AbutVec3 g, middle = abut_vec3(0.0f, 0.0f, 0.0f);
    AbutShape* const swapped[2] = { at[1], at[0] };
    test_assert_result(abut_shape_create_union(at, 2, NULL, &shape), ABUT_OK);
    test_assert_near(abut_shape_distance(shape, middle, &g), 0.5, 0.0);
    assert_true(g.x == 1.0f); // away from the ball at −x
    abut_shape_destroy(shape);
    test_assert_result(abut_shape_create_intersection(swapped, 2, NULL, &shape), ABUT_OK);
    abut_shape_distance(shape, middle, &g);
    assert_true(g.x == -1.0f);
    abut_shape_destroy(shape);
    test_assert_result(abut_shape_create_smooth_union(at[0], at[1], 0.5f, NULL, &shape), ABUT_OK);
    test_assert_near(abut_shape_distance(shape, middle, &g), 0.5 - 0.125, 0.0);
    assert_true(g.x == 0.0f); // half of each
    abut_shape_destroy(shape);
    for (int i = 0; i < 2; ++i)
    {
        abut_shape_destroy(at[i]);
    }
    abut_shape_destroy(ball);
}

static void check_pose(const OracleTree* tree, TestRandom* random)
{
    AbutPose pose;
    pose.position = test_random_position(random, 2.0);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)pow(10.0, test_random_range(random, -1.0, 1.0));
    AbutShape* transformed = NULL;
    test_assert_result(abut_shape_create_transformed(tree->shape, &pose, NULL, &transformed), ABUT_OK);
    double a = pose.scale;
    for (int i = 0; i < 100; ++i)
    {
        AbutVec3 inner = test_random_point(random, 2.0), g, g_inner;
        AbutPosition outer = abut_pose_transform_point(&pose, inner);
        AbutVec3 p = abut_vec3((float)outer.x, (float)outer.y, (float)outer.z);
        double expected = a * formula_at(tree, inner);
        double tolerance = TOLERANCE * (a + 1.0);
        float posed;
        abut_shape_sample(tree->shape, &pose, (AbutPoints){ &p.x, &p.y, &p.z }, 1,
                          (AbutSamples){ &posed, &g.x, &g.y, &g.z });
        test_assert_near(posed, expected, tolerance);
        test_assert_near(abut_shape_distance(transformed, p, NULL), expected, tolerance);
        test_assert_near(abut_shape_distance_at(tree->shape, &pose, outer, &g), expected, tolerance);
        double q[3], d[3];
        to_double(inner, q);
        if (formula_gradient(tree, q, d))
        {
            g_inner = abut_quat_rotate(abut_quat_conjugate(pose.rotation), g);
            test_assert_near(g_inner.x, d[0], 2e-3);
            test_assert_near(g_inner.y, d[1], 2e-3);
            test_assert_near(g_inner.z, d[2], 2e-3);
        }
    }
    abut_shape_destroy(transformed);
}

static void test_poses_move_rotate_and_scale_whole_trees(void** state)
{
    (void)state;
    for_random_trees(3, true, check_pose);
}

static void check_identity_pose(const OracleTree* tree, TestRandom* random)
{
    AbutPose identity = abut_pose_identity();
    for (int i = 0; i < 100; ++i)
    {
        AbutVec3 p = test_random_point(random, 2.0), g, posed_g;
        float d = abut_shape_distance(tree->shape, p, &g), posed;
        abut_shape_sample(tree->shape, &identity, (AbutPoints){ &p.x, &p.y, &p.z }, 1,
                          (AbutSamples){ &posed, &posed_g.x, &posed_g.y, &posed_g.z });
        assert_memory_equal(&d, &posed, sizeof(d));
        assert_true(g.x == posed_g.x && g.y == posed_g.y && g.z == posed_g.z);
    }
}

static void test_the_identity_pose_changes_no_bit(void** state)
{
    (void)state;
    for_random_trees(4, true, check_identity_pose);
}

enum
{
    LARGEST_BATCH = 300
};

static void check_batches(const OracleTree* tree, TestRandom* random)
{
    static float c[3][LARGEST_BATCH], one[4][LARGEST_BATCH], many[4][LARGEST_BATCH + 1];
    AbutPose pose = { { 1.0, -0.5, 0.25 }, test_random_rotation(random), 1.25f };
    const AbutPose* used = test_random_bits(random) % 2 == 0 ? &pose : NULL;
    for (int i = 0; i < LARGEST_BATCH; ++i)
    {
        AbutVec3 p = test_random_point(random, 2.0);
        c[0][i] = p.x;
        c[1][i] = p.y;
        c[2][i] = p.z;
        abut_shape_sample(tree->shape, used, (AbutPoints){ &p.x, &p.y, &p.z }, 1,
                          (AbutSamples){ &one[0][i], &one[1][i], &one[2][i], &one[3][i] });
    }
    for (size_t count = 0; count <= LARGEST_BATCH; ++count)
    {
        bool gradient = count % 3 != 0;
        for (int k = 0; k < 4; ++k)
        {
            many[k][count] = 42.0f; // a guard behind the last answer
        }
        AbutSamples out = gradient ? (AbutSamples){ many[0], many[1], many[2], many[3] }
                                   : (AbutSamples){ .distance = many[0] };
        abut_shape_sample(tree->shape, used, (AbutPoints){ c[0], c[1], c[2] }, count, out);
        for (int k = 0; k < (gradient ? 4 : 1); ++k)
        {
            assert_memory_equal(many[k], one[k], count * sizeof(float));
            assert_true(many[k][count] == 42.0f);
        }
    }
}

static void test_batches_of_every_size_have_the_bits_of_single_points(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    for (int i = 0; i < 60; ++i)
    {
        OracleTree* tree = oracle_tree_random(&random, i % 4, true);
        check_batches(tree, &random);
        oracle_tree_destroy(tree);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Promises
// -----------------------------------------------------------------------------------------------------------

enum
{
    SURFACE_POINTS = 1200
};

/// Points of the surface by bisection between points inside and outside; returns how many, 0 when no inside
/// was met.
static int find_surface(const OracleTree* tree, TestRandom* random, double (*surface)[3])
{
    double inside[64][3];
    int inside_count = 0, count = 0;
    for (int i = 0; i < 6000 && inside_count < 64; ++i)
    {
        double p[3];
        to_double(test_random_point(random, 2.0), p);
        if (oracle_tree_distance(tree, p) < 0.0)
        {
            memcpy(inside[inside_count++], p, sizeof(p));
        }
    }
    for (int i = 0; i < SURFACE_POINTS && inside_count > 0; ++i)
    {
        double a[3], b[3], middle[3];
        memcpy(a, inside[i % inside_count], sizeof(a));
        to_double(test_random_point(random, 3.0), b);
        if (oracle_tree_distance(tree, b) <= 0.0)
        {
            continue;
        }
        for (int step = 0; step < 40; ++step)
        {
            for (int k = 0; k < 3; ++k)
            {
                middle[k] = 0.5 * (a[k] + b[k]);
            }
            memcpy(oracle_tree_distance(tree, middle) <= 0.0 ? a : b, middle, sizeof(middle));
        }
        memcpy(surface[count++], a, sizeof(a));
    }
    return count;
}

static double nearest_of(const double (*points)[3], int count, const double p[3])
{
    double best = INFINITY;
    for (int i = 0; i < count; ++i)
    {
        double x = points[i][0] - p[0], y = points[i][1] - p[1], z = points[i][2] - p[2];
        best = fmin(best, x * x + y * y + z * z);
    }
    return sqrt(best);
}

static void check_bound(const OracleTree* tree, TestRandom* random)
{
    static double surface[SURFACE_POINTS][3];
    int count = find_surface(tree, random, surface);
    double lipschitz = abut_shape_info(tree->shape).lipschitz;
    for (int i = 0; i < 100; ++i)
    {
        // Half of the points close to the surface, where the samples are dense enough to be near the nearest
        // point.
        AbutVec3 p = test_random_point(random, 2.5);
        if (i % 2 == 1 && count > 0)
        {
            const double* s = surface[test_random_bits(random) % (uint64_t)count];
            AbutVec3 off = test_random_point(random, 0.1);
            p = abut_vec3((float)s[0] + off.x, (float)s[1] + off.y, (float)s[2] + off.z);
        }
        double q[3];
        to_double(p, q);
        double nearest = nearest_of(surface, count, q);
        double size = fabs((double)abut_shape_distance(tree->shape, p, NULL)) / lipschitz;
        if (!(size <= nearest + TOLERANCE))
        {
            fail_msg("%s at %g %g %g: |f|/lipschitz is %.9g, but the surface is %.9g away",
                     oracle_tree_text(tree), q[0], q[1], q[2], size, nearest);
        }
    }
}

static void test_sizes_never_exceed_the_distance_to_the_surface(void** state)
{
    (void)state;
    for_random_trees(6, true, check_bound);
}

static size_t exact_counts[2]; // outside, inside

/// The point that distance and gradient lead to must be on the surface: then the distance is not more than
/// |f|, and the test above says that it is not less.
static void check_exactness(const OracleTree* tree, TestRandom* random)
{
    AbutDistanceKind kind = abut_shape_info(tree->shape).distance_kind;
    bool exact[2] = { kind == ABUT_DISTANCE_EXACT || kind == ABUT_DISTANCE_EXACT_OUTSIDE,
                      kind == ABUT_DISTANCE_EXACT || kind == ABUT_DISTANCE_EXACT_INSIDE };
    for (int i = 0; i < 300 && kind != ABUT_DISTANCE_BOUND; ++i)
    {
        AbutVec3 point = test_random_point(random, i % 2 == 0 ? 1.0 : 3.0), g;
        double p[3], landed[3];
        to_double(point, p);
        double d = abut_shape_distance(tree->shape, point, &g);
        if (!exact[d <= 0.0])
        {
            continue;
        }
        exact_counts[d <= 0.0] += 1;
        const double direction[3] = { g.x, g.y, g.z };
        for (int k = 0; k < 3; ++k)
        {
            landed[k] = p[k] - d * direction[k];
        }
        double left = oracle_tree_distance(tree, landed);
        if (!(d > 0.0 ? left <= 2.0 * TOLERANCE : left >= -2.0 * TOLERANCE))
        {
            fail_msg("%s, %s, at %g %g %g: %.9g, but %.9g is left from where it leads to",
                     oracle_tree_text(tree), abut_distance_kind_name(kind), p[0], p[1], p[2], d, left);
        }
    }
}

static void test_distances_declared_exact_lead_to_the_surface(void** state)
{
    (void)state;
    exact_counts[0] = exact_counts[1] = 0;
    for_random_trees(7, true, check_exactness);
    print_message("%zu exact distances outside, %zu inside\n", exact_counts[0], exact_counts[1]);
    size_t trees = (size_t)count_trees();
    assert_true(exact_counts[0] > 19 * trees && exact_counts[1] > 2 * trees);
}

static void check_slope(const OracleTree* tree, TestRandom* random)
{
    double lipschitz = abut_shape_info(tree->shape).lipschitz;
    for (int i = 0; i < 1000; ++i)
    {
        AbutVec3 a = test_random_point(random, 2.0);
        float length = (float)pow(10.0, test_random_range(random, -4.0, 0.5));
        AbutVec3 off = abut_vec3_scale(test_random_direction(random), length);
        AbutVec3 b = abut_vec3_add(a, off);
        double rise = fabs((double)abut_shape_distance(tree->shape, a, NULL) -
                           (double)abut_shape_distance(tree->shape, b, NULL));
        double run = abut_vec3_length(abut_vec3_sub(a, b));
        if (!(rise <= lipschitz * run + 5e-6))
        {
            fail_msg("%s: rises by %.9g over %.9g", oracle_tree_text(tree), rise, run);
        }
    }
}

static void test_slopes_stay_under_the_declared_one(void** state)
{
    (void)state;
    for_random_trees(8, true, check_slope);
}

static bool box_contains(AbutBox box, const double p[3], double slack)
{
    return p[0] >= box.min.x - slack && p[0] <= box.max.x + slack && p[1] >= box.min.y - slack &&
           p[1] <= box.max.y + slack && p[2] >= box.min.z - slack && p[2] <= box.max.z + slack;
}

static size_t finite_bounds;

static void check_bounds(const OracleTree* tree, TestRandom* random)
{
    static double surface[SURFACE_POINTS][3];
    int count = find_surface(tree, random, surface);
    AbutBox bounds = abut_shape_info(tree->shape).bounds;
    finite_bounds += abut_box_is_finite(bounds) && !abut_box_is_empty(bounds);
    for (int i = 0; i < count; ++i)
    {
        if (!box_contains(bounds, surface[i], 1e-9))
        {
            fail_msg("%s: %.9g %.9g %.9g is solid and outside of the bounds %g %g %g to %g %g %g",
                     oracle_tree_text(tree), surface[i][0], surface[i][1], surface[i][2],
                     (double)bounds.min.x, (double)bounds.min.y, (double)bounds.min.z, (double)bounds.max.x,
                     (double)bounds.max.y, (double)bounds.max.z);
        }
    }
}

static void test_bounds_contain_the_solid(void** state)
{
    (void)state;
    finite_bounds = 0;
    for_random_trees(9, false, check_bounds);
    for_random_trees(10, true, check_bounds);
    print_message("%zu of %d bounds are finite\n", finite_bounds, 2 * count_trees());
    assert_true(finite_bounds > (size_t)count_trees() / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_signs_and_gradients_are_those_of_the_formula),
        cmocka_unit_test(test_swapping_children_changes_no_distance),
        cmocka_unit_test(test_between_equal_children_the_gradient_of_the_first_wins),
        cmocka_unit_test(test_poses_move_rotate_and_scale_whole_trees),
        cmocka_unit_test(test_the_identity_pose_changes_no_bit),
        cmocka_unit_test(test_batches_of_every_size_have_the_bits_of_single_points),
        cmocka_unit_test(test_sizes_never_exceed_the_distance_to_the_surface),
        cmocka_unit_test(test_distances_declared_exact_lead_to_the_surface),
        cmocka_unit_test(test_slopes_stay_under_the_declared_one),
        cmocka_unit_test(test_bounds_contain_the_solid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
