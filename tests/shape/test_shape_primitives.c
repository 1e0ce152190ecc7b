// Every primitive against double precision: distances, gradients, bounds, poses, distant places, bad
// arguments.
#include "support/oracles/oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Batch
{
    float* values[7]; // x y z, distance, gradient
    AbutPoints points;
    AbutSamples samples;
} Batch;

static Batch make_batch(size_t count)
{
    Batch batch;
    for (int i = 0; i < 7; ++i)
    {
        batch.values[i] = malloc(count * sizeof(float));
        assert_non_null(batch.values[i]);
    }
    batch.points = (AbutPoints){ batch.values[0], batch.values[1], batch.values[2] };
    batch.samples = (AbutSamples){ batch.values[3], batch.values[4], batch.values[5], batch.values[6] };
    return batch;
}

static void free_batch(Batch* batch)
{
    for (int i = 0; i < 7; ++i)
    {
        free(batch->values[i]);
    }
}

static AbutShape* create(const OraclePrimitive* primitive)
{
    AbutShape* shape = NULL;
    test_assert_result(primitive->create(primitive, NULL, &shape), ABUT_OK);
    return shape;
}

static void test_distances_are_exact_on_a_million_points(void** state)
{
    (void)state;
    const size_t point_count = (size_t)test_heavy_count(1000000); // per primitive
    Batch batch = make_batch(point_count);
    for (const OraclePrimitive* primitive = oracle_primitives(); primitive->name != NULL; ++primitive)
    {
        TestRandom random = { 1 };
        AbutShape* shape = create(primitive);
        oracle_points(primitive, &random, point_count, batch.values[0], batch.values[1], batch.values[2]);
        abut_shape_sample(shape, NULL, batch.points, point_count, batch.samples);
        double worst = 0.0, worst_length = 0.0;
        for (size_t i = 0; i < point_count; ++i)
        {
            const double p[3] = { batch.values[0][i], batch.values[1][i], batch.values[2][i] };
            double error = fabs((double)batch.samples.distance[i] - primitive->distance(primitive, p));
            double gx = batch.values[4][i], gy = batch.values[5][i], gz = batch.values[6][i];
            double length_error = fabs(sqrt(gx * gx + gy * gy + gz * gz) - 1.0);
            worst = error > worst || isnan(error) ? error : worst;
            worst_length = length_error > worst_length || isnan(length_error) ? length_error : worst_length;
        }
        print_message("%-30s worst error %.2g of the size, gradient length off by %.2g\n", primitive->name,
                      worst / primitive->size, worst_length);
        test_assert_near(worst / primitive->size, 0.0, 2e-6);
        test_assert_near(worst_length, 0.0, 1e-5);
        abut_shape_destroy(shape);
    }
    free_batch(&batch);
}

/// Central differences of the oracle; false near a crease, where the differences to both sides disagree.
static bool oracle_gradient(const OraclePrimitive* primitive, const double p[3], double g[3])
{
    double step = 1e-6 * primitive->size;
    double middle = primitive->distance(primitive, p);
    for (int i = 0; i < 3; ++i)
    {
        double a[3] = { p[0], p[1], p[2] }, b[3] = { p[0], p[1], p[2] };
        a[i] += step;
        b[i] -= step;
        double ahead = (primitive->distance(primitive, a) - middle) / step;
        double behind = (middle - primitive->distance(primitive, b)) / step;
        if (fabs(ahead - behind) > 5e-4)
        {
            return false;
        }
        g[i] = 0.5 * (ahead + behind);
    }
    return true;
}

static void test_gradients_match_finite_differences_away_from_creases(void** state)
{
    (void)state;
    enum
    {
        COUNT = 100000
    };
    Batch batch = make_batch(COUNT);
    for (const OraclePrimitive* primitive = oracle_primitives(); primitive->name != NULL; ++primitive)
    {
        TestRandom random = { 2 };
        AbutShape* shape = create(primitive);
        oracle_points(primitive, &random, COUNT, batch.values[0], batch.values[1], batch.values[2]);
        abut_shape_sample(shape, NULL, batch.points, COUNT, batch.samples);
        size_t checked = 0;
        double worst = 0.0;
        for (size_t i = 0; i < COUNT; ++i)
        {
            const double p[3] = { batch.values[0][i], batch.values[1][i], batch.values[2][i] };
            double g[3];
            if (oracle_gradient(primitive, p, g))
            {
                checked += 1;
                double dx = g[0] - (double)batch.values[4][i], dy = g[1] - (double)batch.values[5][i];
                double dz = g[2] - (double)batch.values[6][i];
                worst = fmax(worst, sqrt(dx * dx + dy * dy + dz * dz));
            }
        }
        print_message("%-30s %zu gradients checked, worst %.2g\n", primitive->name, checked, worst);
        test_assert_near(worst, 0.0, 1e-3);
        assert_true(checked > COUNT / 4);
        abut_shape_destroy(shape);
    }
    free_batch(&batch);
}

static void test_poses_move_rotate_and_scale_the_distance(void** state)
{
    (void)state;
    enum
    {
        COUNT = 1000
    };
    Batch batch = make_batch(COUNT);
    TestRandom random = { 3 };
    for (const OraclePrimitive* primitive = oracle_primitives(); primitive->name != NULL; ++primitive)
    {
        AbutShape* shape = create(primitive);
        for (int repeat = 0; repeat < 50; ++repeat)
        {
            double size = primitive->size;
            AbutPose pose;
            pose.position = test_random_position(&random, size);
            pose.rotation = test_random_rotation(&random);
            pose.scale = (float)pow(10.0, test_random_range(&random, -0.5, 0.5));
            double m[3][3];
            abut_quat_to_matrix(pose.rotation, m);
            oracle_points(primitive, &random, COUNT, batch.values[0], batch.values[1], batch.values[2]);
            abut_shape_sample(shape, &pose, batch.points, COUNT, batch.samples);
            for (size_t i = 0; i < COUNT; ++i)
            {
                double x = batch.values[0][i] - pose.position.x, y = batch.values[1][i] - pose.position.y;
                double z = batch.values[2][i] - pose.position.z, a = pose.scale;
                double p[3];
                for (int k = 0; k < 3; ++k)
                {
                    p[k] = (m[0][k] * x + m[1][k] * y + m[2][k] * z) / a;
                }
                test_assert_near(batch.samples.distance[i], a * primitive->distance(primitive, p),
                                 2e-6 * size * (a + 2.0));
                double gx = batch.values[4][i], gy = batch.values[5][i], gz = batch.values[6][i];
                test_assert_near(gx * gx + gy * gy + gz * gz, 1.0, 1e-5);
            }
        }
        abut_shape_destroy(shape);
    }
    free_batch(&batch);
}

static void test_ten_kilometres_away_is_the_same_as_here(void** state)
{
    (void)state;
    TestRandom random = { 4 };
    for (const OraclePrimitive* primitive = oracle_primitives(); primitive->name != NULL; ++primitive)
    {
        AbutShape* shape = create(primitive);
        AbutPose here = abut_pose_identity();
        here.rotation = test_random_rotation(&random);
        here.scale = (float)(0.001 / primitive->size); // a millimetre across
        AbutPose there = here;
        // Binary fractions, so that the difference of two far positions is exact in double.
        there.position = (AbutPosition){ 10000.0, -8192.5, 7777.0 };
        for (int i = 0; i < 1000; ++i)
        {
            double p[3];
            for (int k = 0; k < 3; ++k)
            {
                p[k] = 0x1p-30 * (double)((int64_t)(test_random_bits(&random) % 4000000) - 2000000);
            }
            AbutVec3 near_gradient, far_gradient;
            float near_distance =
                abut_shape_distance_at(shape, &here, (AbutPosition){ p[0], p[1], p[2] }, &near_gradient);
            float far_distance = abut_shape_distance_at(
                shape, &there, (AbutPosition){ 10000.0 + p[0], -8192.5 + p[1], 7777.0 + p[2] },
                &far_gradient);
            assert_memory_equal(&near_distance, &far_distance, sizeof(float));
            assert_memory_equal(&near_gradient, &far_gradient, sizeof(AbutVec3));
        }
        // The same inside of the shape: a placement far away, met by a frame that is there too.
        AbutShape* posed = NULL;
        test_assert_result(abut_shape_create_transformed(shape, &there, NULL, &posed), ABUT_OK);
        AbutPose world = abut_pose_identity();
        AbutPosition at = { 10000.0 + 0x1p-12, -8192.5 - 0x1p-13, 7777.0 };
        float through_world = abut_shape_distance_at(posed, &world, at, NULL);
        float direct = abut_shape_distance_at(shape, &there, at, NULL);
        assert_memory_equal(&through_world, &direct, sizeof(float));
        abut_shape_destroy(posed);
        abut_shape_destroy(shape);
    }
}

static void test_gradients_at_singular_points_are_the_documented_ones(void** state)
{
    (void)state;
    static const struct
    {
        int primitive; // in the table
        AbutVec3 point, gradient;
    } cases[] = {
        { 0, { 0, 0, 0 }, { 1, 0, 0 } },             // centre of a sphere
        { 0, { -0.0f, -0.0f, -0.0f }, { 1, 0, 0 } }, //
        { 6, { 0, 0, 0 }, { 1, 0, 0 } },             // centre of a cube: x first, zero is positive
        { 6, { -0.0f, 0, 0 }, { 1, 0, 0 } },         //
        { 6, { -0.5f, 0.5f, 0.5f }, { -1, 0, 0 } },  // diagonal: x first
        { 6, { 0, 0.5f, -0.5f }, { 0, 1, 0 } },      // then y
        { 6, { 1, 1, 1 }, { 1, 0, 0 } },             // corner of the surface: one of its faces
        { 10, { 0, 0.125f, 0 }, { 1, 0, 0 } },       // axis of a capsule
        { 13, { 0, 0, 0 }, { 1, 0, 0 } },            // centre of a cylinder: side before caps
        { 13, { 0, 0.5f, 0 }, { 0, 1, 0 } },         // centre of its top
        { 15, { 0, 0.75f, 0 }, { 0, 1, 0 } },        // above the tip of a cone
        { 21, { 0.375f, 0, 0 }, { 1, 0, 0 } },       // centre circle of a torus: away from the axis
        { 21, { 0, 0, 0 }, { -1, 0, 0 } },           // its axis: away from the tube at +x
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        AbutShape* shape = create(&oracle_primitives()[cases[i].primitive]);
        AbutVec3 g;
        abut_shape_distance(shape, cases[i].point, &g);
        if (g.x != cases[i].gradient.x || g.y != cases[i].gradient.y || g.z != cases[i].gradient.z)
        {
            fail_msg("%s, case %zu: gradient %g %g %g", oracle_primitives()[cases[i].primitive].name, i,
                     (double)g.x, (double)g.y, (double)g.z);
        }
        abut_shape_destroy(shape);
    }
}

static void test_bounds_contain_the_solid_and_touch_it(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    for (const OraclePrimitive* primitive = oracle_primitives(); primitive->name != NULL; ++primitive)
    {
        AbutShape* shape = create(primitive);
        AbutShapeInfo info = abut_shape_info(shape);
        assert_int_equal(info.distance_kind, ABUT_DISTANCE_EXACT);
        assert_true(info.lipschitz == 1.0f && info.error == 0.0f);
        AbutBox seen = abut_box_empty();
        for (int i = 0; i < 200000; ++i)
        {
            AbutVec3 p = test_random_point(&random, primitive->size);
            if (primitive->distance(primitive, (const double[3]){ p.x, p.y, p.z }) <= 0.0)
            {
                seen = abut_box_add_point(seen, p);
            }
        }
        assert_true(info.bounds.min.x <= seen.min.x && info.bounds.min.y <= seen.min.y &&
                    info.bounds.min.z <= seen.min.z);
        assert_true(info.bounds.max.x >= seen.max.x && info.bounds.max.y >= seen.max.y &&
                    info.bounds.max.z >= seen.max.z);
        if (abut_box_is_finite(info.bounds))
        {
            AbutVec3 extents = abut_box_extents(info.bounds);
            test_assert_near(fmaxf(extents.x, fmaxf(extents.y, extents.z)), primitive->size,
                             1e-6 * primitive->size);
        }
        abut_shape_destroy(shape);
    }
}

static void test_nan_points_get_nan_and_leave_their_neighbours_alone(void** state)
{
    (void)state;
    for (const OraclePrimitive* primitive = oracle_primitives(); primitive->name != NULL; ++primitive)
    {
        AbutShape* shape = create(primitive);
        float c[3][11], d[11], g[3][11], expected[11];
        for (int i = 0; i < 11; ++i)
        {
            for (int k = 0; k < 3; ++k)
            {
                c[k][i] = (float)primitive->size * 0.07f * (float)(i + k);
            }
        }
        AbutPoints points = { c[0], c[1], c[2] };
        AbutSamples samples = { d, g[0], g[1], g[2] };
        abut_shape_sample(shape, NULL, points, 11, samples);
        memcpy(expected, d, sizeof(d));
        for (int bad = 0; bad < 11; ++bad)
        {
            for (int k = 0; k < 3; ++k)
            {
                float saved = c[k][bad];
                c[k][bad] = NAN;
                abut_shape_sample(shape, NULL, points, 11, samples);
                for (int i = 0; i < 11; ++i)
                {
                    if (i == bad)
                    {
                        // A plane does not see coordinates along which it does not slope, but NaN · 0 is NaN.
                        assert_true(isnan(d[i]) && isnan(g[0][i]) && isnan(g[1][i]) && isnan(g[2][i]));
                    }
                    else
                    {
                        assert_memory_equal(&d[i], &expected[i], sizeof(float));
                    }
                }
                c[k][bad] = saved;
            }
        }
        // Huge coordinates overflow to infinite distances, not to traps.
        abut_shape_distance(shape, abut_vec3(FLT_MAX, -FLT_MAX, FLT_MAX), NULL);
        abut_shape_distance(shape, abut_vec3(INFINITY, 0.0f, 0.0f), NULL);
        abut_shape_destroy(shape);
    }
}

#define expect_invalid(call, shape)                                                                          \
    do                                                                                                       \
    {                                                                                                        \
        test_assert_result(call, ABUT_INVALID_ARGUMENT);                                                     \
        assert_null(shape);                                                                                  \
        assert_true(strlen(abut_last_error()) > 10);                                                         \
    } while (0)

static void test_bad_arguments_are_refused_with_a_reason(void** state)
{
    (void)state;
    const float bad[] = { 0.0f, -1.0f, NAN, INFINITY, -INFINITY, 1e13f, 1e-13f };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
    {
        AbutShape* s = (AbutShape*)(uintptr_t)1; // must be overwritten
        float b = bad[i];
        expect_invalid(abut_shape_create_sphere(b, NULL, &s), s);
        expect_invalid(abut_shape_create_box(abut_vec3(b, 1, 1), NULL, &s), s);
        expect_invalid(abut_shape_create_box(abut_vec3(1, b, 1), NULL, &s), s);
        expect_invalid(abut_shape_create_rounded_box(abut_vec3(1, 1, b), 0.0f, NULL, &s), s);
        expect_invalid(abut_shape_create_capsule(b, 1, NULL, &s), s);
        expect_invalid(abut_shape_create_cylinder(b, 1, NULL, &s), s);
        expect_invalid(abut_shape_create_cylinder(1, b, NULL, &s), s);
        expect_invalid(abut_shape_create_cone(1, 0.5f, b, NULL, &s), s);
        expect_invalid(abut_shape_create_torus(b, 0.1f, NULL, &s), s);
        expect_invalid(abut_shape_create_torus(1, b, NULL, &s), s);
        if (b != 0.0f)
        {
            expect_invalid(abut_shape_create_capsule(1, b, NULL, &s), s);
            expect_invalid(abut_shape_create_cone(b, 1, 1, NULL, &s), s);
            expect_invalid(abut_shape_create_cone(1, b, 1, NULL, &s), s);
        }
        if (!isfinite(b))
        {
            expect_invalid(abut_shape_create_plane(abut_vec3(0, b, 0), 0, NULL, &s), s);
            expect_invalid(abut_shape_create_plane(abut_vec3(0, 1, 0), b, NULL, &s), s);
        }
    }
    AbutShape* s = NULL;
    expect_invalid(abut_shape_create_plane(abut_vec3(0, 0, 0), 0, NULL, &s), s);
    expect_invalid(abut_shape_create_rounded_box(abut_vec3(1, 1, 1), 0.51f, NULL, &s), s);
    expect_invalid(abut_shape_create_rounded_box(abut_vec3(1, 1, 1), -0.1f, NULL, &s), s);
    expect_invalid(abut_shape_create_rounded_box(abut_vec3(1, 1, 1), NAN, NULL, &s), s);
    expect_invalid(abut_shape_create_torus(1, 1.5f, NULL, &s), s);
    expect_invalid(abut_shape_create_cone(0, 0, 1, NULL, &s), s);
}

static AbutResult create_and_destroy(void* context, const AbutHost* host)
{
    AbutShape* shape = NULL;
    const OraclePrimitive* primitive = context;
    AbutResult result = primitive->create(primitive, host, &shape);
    assert_true((result == ABUT_OK) == (shape != NULL));
    abut_shape_destroy(shape);
    return result;
}

static void test_primitives_survive_every_failing_allocation(void** state)
{
    (void)state;
    for (const OraclePrimitive* primitive = oracle_primitives(); primitive->name != NULL; ++primitive)
    {
        OraclePrimitive copy = *primitive;
        test_fail_every_allocation(create_and_destroy, &copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_are_exact_on_a_million_points),
        cmocka_unit_test(test_gradients_match_finite_differences_away_from_creases),
        cmocka_unit_test(test_poses_move_rotate_and_scale_the_distance),
        cmocka_unit_test(test_ten_kilometres_away_is_the_same_as_here),
        cmocka_unit_test(test_gradients_at_singular_points_are_the_documented_ones),
        cmocka_unit_test(test_bounds_contain_the_solid_and_touch_it),
        cmocka_unit_test(test_nan_points_get_nan_and_leave_their_neighbours_alone),
        cmocka_unit_test(test_bad_arguments_are_refused_with_a_reason),
        cmocka_unit_test(test_primitives_survive_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
