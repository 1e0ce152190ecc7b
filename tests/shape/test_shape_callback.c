// User functions as shapes, the measured slope, and the correction of formulas that are not distances.
#include "support/support.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static AbutShape* create(const AbutCallbackDef* def)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_callback(def, &shape), ABUT_OK);
    return shape;
}

// -----------------------------------------------------------------------------------------------------------
// Calls
// -----------------------------------------------------------------------------------------------------------

/// A tilted ellipsoid-like bowl: smooth, with a gradient that is easy to write down.
typedef struct Recorder
{
    atomic_size_t calls, points, largest, with_gradient;
} Recorder;

static void record(Recorder* self, size_t count, bool gradient)
{
    atomic_fetch_add(&self->calls, 1);
    atomic_fetch_add(&self->points, count);
    size_t seen = atomic_load(&self->largest);
    while (count > seen && !atomic_compare_exchange_weak(&self->largest, &seen, count))
    {
    }
    atomic_fetch_add(&self->with_gradient, gradient);
}

static double bowl(double x, double y, double z)
{
    return 0.5 * x * x + 0.25 * y * y + 0.125 * z * z + 0.25 * x * y - 0.5;
}

static void bowl_function(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    record(user, count, out.gradient_x != NULL);
    for (size_t i = 0; i < count; ++i)
    {
        double x = points.x[i], y = points.y[i], z = points.z[i];
        out.distance[i] = (float)bowl(x, y, z);
        if (out.gradient_x != NULL)
        {
            out.gradient_x[i] = (float)(x + 0.25 * y);
            out.gradient_y[i] = (float)(0.5 * y + 0.25 * x);
            out.gradient_z[i] = (float)(0.25 * z);
        }
    }
}

static AbutCallbackDef bowl_def(Recorder* recorder)
{
    AbutCallbackDef def = abut_callback_def();
    def.function = bowl_function;
    def.user = recorder;
    def.lipschitz = 4.0f;
    def.bounds = abut_box(abut_vec3(-2, -2, -2), abut_vec3(2, 2, 2));
    return def;
}

static void test_promises_are_the_declared_ones(void** state)
{
    (void)state;
    AbutCallbackDef def = abut_callback_def();
    assert_true(def.lipschitz == 1.0f && def.distance_kind == ABUT_DISTANCE_BOUND && !def.has_gradient);
    Recorder recorder = { 0 };
    def = bowl_def(&recorder);
    AbutShape* shape = create(&def);
    AbutShapeInfo info = abut_shape_info(shape);
    assert_int_equal(info.kind, ABUT_SHAPE_CALLBACK);
    assert_int_equal(info.distance_kind, ABUT_DISTANCE_BOUND);
    assert_true(info.lipschitz == 4.0f && info.error == 0.0f && !info.convex);
    assert_memory_equal(&info.bounds, &def.bounds, sizeof(AbutBox));
    assert_int_equal(atomic_load(&recorder.calls), 0);
    abut_shape_destroy(shape);
}

static void test_gradients_are_given_or_differences(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    Recorder recorder = { 0 };
    AbutCallbackDef def = bowl_def(&recorder);
    for (int variant = 0; variant < 3; ++variant)
    {
        def.has_gradient = variant == 0;
        def.gradient_step = variant == 2 ? 0.125f : 0.0f;
        AbutShape* shape = create(&def);
        AbutPose pose = { { 0.25, -0.5, 1.0 }, test_random_rotation(&random), 2.0f };
        for (int i = 0; i < 2000; ++i)
        {
            AbutVec3 p = test_random_point(&random, 2.0), g;
            test_assert_near(abut_shape_distance(shape, p, &g), bowl(p.x, p.y, p.z), 1e-6);
            // Differences of a quadratic are exact but for rounding: 1e-7 over a step of 4e-3, or of 1/8.
            double tolerance = variant == 0 ? 1e-6 : (variant == 1 ? 5e-4 : 1e-5);
            test_assert_near(g.x, p.x + 0.25f * p.y, tolerance);
            test_assert_near(g.y, 0.5f * p.y + 0.25f * p.x, tolerance);
            test_assert_near(g.z, 0.25f * p.z, tolerance);
            AbutPosition outer = abut_pose_transform_point(&pose, p);
            AbutVec3 posed, expected = abut_quat_rotate(pose.rotation, g);
            test_assert_near(abut_shape_distance_at(shape, &pose, outer, &posed), 2.0 * bowl(p.x, p.y, p.z),
                             1e-5);
            test_assert_near(abut_vec3_length(abut_vec3_sub(posed, expected)), 0.0, tolerance + 1e-3);
        }
        abut_shape_destroy(shape);
    }
}

static void test_functions_see_at_most_128_points_and_no_gradient_unless_they_have_one(void** state)
{
    (void)state;
    enum
    {
        COUNT = 1000
    };
    static float c[3][COUNT], v[4][COUNT];
    for (int variant = 0; variant < 4; ++variant)
    {
        Recorder recorder = { 0 };
        AbutCallbackDef def = bowl_def(&recorder);
        bool has = variant % 2 == 1, asked = variant / 2 == 1;
        def.has_gradient = has;
        AbutShape* shape = create(&def);
        AbutSamples out = asked ? (AbutSamples){ v[0], v[1], v[2], v[3] } : (AbutSamples){ .distance = v[0] };
        abut_shape_sample(shape, NULL, (AbutPoints){ c[0], c[1], c[2] }, COUNT, out);
        assert_int_equal(atomic_load(&recorder.largest), 128);
        // Six more calls per batch make the differences.
        assert_int_equal(atomic_load(&recorder.points), asked && !has ? 7 * COUNT : COUNT);
        assert_int_equal(atomic_load(&recorder.with_gradient), asked && has ? (COUNT + 127) / 128 : 0);
        size_t calls = atomic_load(&recorder.calls);
        abut_shape_sample(shape, NULL, (AbutPoints){ c[0], c[1], c[2] }, 0, out);
        assert_int_equal(atomic_load(&recorder.calls), calls); // nothing to do, nobody called
        abut_shape_destroy(shape);
    }
}

static void test_functions_run_on_all_workers_with_the_same_bytes(void** state)
{
    (void)state;
    enum
    {
        COUNT = 40000
    };
    static float c[3][COUNT], one[4][COUNT], many[4][COUNT];
    TestRandom random = { 2 };
    for (int i = 0; i < COUNT; ++i)
    {
        AbutVec3 p = test_random_point(&random, 2.0);
        c[0][i] = p.x;
        c[1][i] = p.y;
        c[2][i] = p.z;
    }
    Recorder recorder = { 0 };
    AbutCallbackDef def = bowl_def(&recorder);
    AbutShape* shape = create(&def);
    AbutPoints points = { c[0], c[1], c[2] };
    abut_shape_sample(shape, NULL, points, COUNT, (AbutSamples){ one[0], one[1], one[2], one[3] });
    size_t calls = atomic_load(&recorder.calls);
    for (uint32_t workers_count = 1; workers_count <= 7; workers_count += 3)
    {
        AbutWorkers* workers = NULL;
        test_assert_result(abut_workers_create(workers_count, NULL, &workers), ABUT_OK);
        AbutHost host = abut_workers_host(workers);
        atomic_store(&recorder.calls, 0);
        memset(many, 0, sizeof(many));
        abut_shape_sample_parallel(shape, NULL, points, COUNT,
                                   (AbutSamples){ many[0], many[1], many[2], many[3] }, &host);
        assert_int_equal(atomic_load(&recorder.calls), calls);
        assert_memory_equal(one, many, sizeof(one));
        abut_workers_destroy(workers);
    }
    abut_shape_destroy(shape);
}

static void test_nan_points_and_answers_stay_nan(void** state)
{
    (void)state;
    Recorder recorder = { 0 };
    AbutCallbackDef def = bowl_def(&recorder);
    for (int has = 0; has < 2; ++has)
    {
        def.has_gradient = has == 1;
        AbutShape* shape = create(&def);
        for (int axis = 0; axis < 3; ++axis)
        {
            AbutVec3 p = abut_vec3(axis == 0 ? NAN : 1.0f, axis == 1 ? NAN : 1.0f, axis == 2 ? NAN : 1.0f), g;
            assert_true(isnan(abut_shape_distance(shape, p, &g)));
            assert_true(isnan(g.x) && isnan(g.y) && isnan(g.z));
        }
        abut_shape_destroy(shape);
    }
}

static void test_bad_definitions_are_refused_with_a_reason(void** state)
{
    (void)state;
    Recorder recorder = { 0 };
    AbutCallbackDef bad[16];
    int count = 0;
    for (; count < 16; ++count)
    {
        bad[count] = bowl_def(&recorder);
    }
    bad[0].function = NULL;
    bad[1].lipschitz = 0.0f;
    bad[2].lipschitz = -1.0f;
    bad[3].lipschitz = NAN;
    bad[4].lipschitz = INFINITY;
    bad[5].gradient_step = -1.0f;
    bad[6].gradient_step = NAN;
    bad[7].gradient_step = INFINITY;
    bad[8].bounds = abut_box_empty();
    bad[9].bounds.min.x = NAN;
    bad[10].bounds.max.z = NAN;
    bad[11].bounds.min.y = 3.0f;
    bad[12].distance_kind = (AbutDistanceKind)4;
    bad[13].distance_kind = (AbutDistanceKind)-1;
    bad[14] = (AbutCallbackDef){ 0 };
    bad[15] = (AbutCallbackDef){ .function = bowl_function };
    for (int i = 0; i < count; ++i)
    {
        AbutShape* shape = (AbutShape*)(uintptr_t)1; // must be overwritten
        AbutResult result = abut_shape_create_callback(&bad[i], &shape);
        if (result != ABUT_INVALID_ARGUMENT || shape != NULL)
        {
            fail_msg("definition %d: %s", i, abut_result_name(result));
        }
        assert_true(strlen(abut_last_error()) > 10);
    }
}

static AbutResult create_and_destroy(void* context, const AbutHost* host)
{
    AbutCallbackDef def = bowl_def(context);
    def.host = host;
    AbutShape* shape = NULL;
    AbutResult result = abut_shape_create_callback(&def, &shape);
    assert_true((result == ABUT_OK) == (shape != NULL));
    abut_shape_destroy(shape);
    return result;
}

static void test_every_failing_allocation_leaves_nothing_behind(void** state)
{
    (void)state;
    Recorder recorder = { 0 };
    test_fail_every_allocation(create_and_destroy, &recorder);
}

// -----------------------------------------------------------------------------------------------------------
// Measured slopes
// -----------------------------------------------------------------------------------------------------------

static const AbutBox UNIT_BOX = { { -1, -1, -1 }, { 1, 1, 1 } };

static float slope_of(const AbutShape* shape, AbutBox box, uint32_t divisions)
{
    float slope = 0.0f;
    test_assert_result(abut_shape_measure_slope(shape, box, divisions, &slope), ABUT_OK);
    return slope;
}

/// A plane's slope is 1 in the direction of its normal and the pairs of corners point in 13: exact when the
/// normal is one of them, at least the cosine of the angle to the nearest one otherwise.
static void test_slope_of_planes_is_that_of_the_best_pair(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    for (int i = 0; i < 300; ++i)
    {
        AbutVec3 n = test_random_direction(&random);
        if (i < 27)
        {
            n = abut_vec3((float)(i % 3 - 1), (float)(i / 3 % 3 - 1), (float)(i / 9 - 1));
        }
        AbutShape* shape = NULL;
        if (abut_vec3_length(n) == 0.0f)
        {
            continue;
        }
        test_assert_result(abut_shape_create_plane(n, 0.25f, NULL, &shape), ABUT_OK);
        double best = 0.0;
        for (int k = 0; k < 27; ++k)
        {
            double x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1, length = sqrt(x * x + y * y + z * z);
            double along = fabs(x * (double)n.x + y * (double)n.y + z * (double)n.z);
            best = length > 0.0 ? fmax(best, along / length / (double)abut_vec3_length(n)) : best;
        }
        for (uint32_t divisions = 1; divisions <= 16; divisions *= 4)
        {
            test_assert_near(slope_of(shape, UNIT_BOX, divisions), best, 1e-6 * divisions);
        }
        abut_shape_destroy(shape);
    }
}

static void steep_ball(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    double factor = *(const double*)user;
    for (size_t i = 0; i < count; ++i)
    {
        double x = points.x[i], y = points.y[i], z = points.z[i];
        out.distance[i] = (float)(factor * (sqrt(x * x + y * y + z * z) - 0.5));
    }
}

static void test_slope_nears_the_true_one_from_below(void** state)
{
    (void)state;
    for (double factor = 0.25; factor < 30.0; factor *= 3.0)
    {
        AbutCallbackDef def = abut_callback_def();
        def.function = steep_ball;
        def.user = &factor;
        AbutShape* shape = create(&def);
        double previous = 0.0;
        for (uint32_t divisions = 1; divisions <= 64; divisions *= 2)
        {
            double slope = slope_of(shape, UNIT_BOX, divisions);
            assert_true(slope <= factor * (1.0 + 1e-5));
            assert_true(slope >= previous - 1e-5 * factor);
            previous = slope;
        }
        test_assert_near(previous, factor, 2e-3 * factor);
        abut_shape_destroy(shape);
    }
}

static void torn(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    for (size_t i = 0; i < count; ++i)
    {
        out.distance[i] = points.x[i] > 0.9f ? NAN : points.y[i];
    }
}

static void test_slope_has_no_answer_where_there_is_none(void** state)
{
    (void)state;
    AbutShape* ball = NULL;
    test_assert_result(abut_shape_create_sphere(0.5f, NULL, &ball), ABUT_OK);
    AbutBox box = UNIT_BOX;
    float slope = 3.0f;
    test_assert_result(abut_shape_measure_slope(ball, box, 0, &slope), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_shape_measure_slope(ball, box, 257, &slope), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_shape_measure_slope(ball, abut_box_infinite(), 4, &slope), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_shape_measure_slope(ball, abut_box_empty(), 4, &slope), ABUT_INVALID_ARGUMENT);
    box.max.y = NAN;
    test_assert_result(abut_shape_measure_slope(ball, box, 4, &slope), ABUT_INVALID_ARGUMENT);
    // Flat boxes have fewer pairs, a point has none.
    box = UNIT_BOX;
    box.max.y = box.min.y = 0.0f;
    test_assert_near(slope_of(ball, box, 32), 1.0, 2e-3);
    box.max = box.min;
    assert_true(slope_of(ball, box, 3) == 0.0f);
    AbutCallbackDef def = abut_callback_def();
    def.function = torn;
    AbutShape* shape = create(&def);
    test_assert_result(abut_shape_measure_slope(shape, UNIT_BOX, 8, &slope), ABUT_INVALID_DATA);
    assert_true(slope == 3.0f);
    box = UNIT_BOX;
    box.max.x = 0.5f;
    test_assert_near(slope_of(shape, box, 8), 1.0, 1e-5);
    abut_shape_destroy(shape);
    abut_shape_destroy(ball);
}

static void test_slope_of_the_largest_count_is_measured(void** state)
{
    (void)state;
    AbutShape* plane = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(0, 1, 0), 0.0f, NULL, &plane), ABUT_OK);
    test_assert_near(slope_of(plane, UNIT_BOX, 131), 1.0, 1e-4); // not a multiple of a batch
    abut_shape_destroy(plane);
}

// -----------------------------------------------------------------------------------------------------------
// Fractals
// -----------------------------------------------------------------------------------------------------------

/// Too steep by this much, on purpose.
static const double BROKEN = 3.0;

/// Power 8, two iterations (more, and the estimate has slopes without bound); r log(r)/2r'.
static double mandelbulb(double cx, double cy, double cz)
{
    double x = cx, y = cy, z = cz, slope = 1.0, r = sqrt(x * x + y * y + z * z);
    for (int i = 0; i < 2 && r > 0.0 && r < 16.0; ++i)
    {
        double theta = 8.0 * acos(z / r), phi = 8.0 * atan2(y, x), r7 = pow(r, 7.0);
        slope = 8.0 * r7 * slope + 1.0;
        x = r7 * r * sin(theta) * cos(phi) + cx;
        y = r7 * r * sin(theta) * sin(phi) + cy;
        z = r7 * r * cos(theta) + cz;
        r = sqrt(x * x + y * y + z * z);
    }
    return r > 0.0 ? 0.5 * log(r) * r / slope : 0.0;
}

/// A cube of side 2 with three generations of square holes; a distance bound of slope 1.
static double menger(double x, double y, double z)
{
    const double p[3] = { x, y, z };
    double deepest = -INFINITY, outside = 0.0, size = 1.0;
    for (int i = 0; i < 3; ++i)
    {
        double q = fabs(p[i]) - 1.0;
        deepest = fmax(deepest, q);
        outside += q > 0.0 ? q * q : 0.0;
    }
    double d = fmin(deepest, 0.0) + sqrt(outside);
    for (int generation = 0; generation < 3; ++generation)
    {
        double r[3];
        for (int i = 0; i < 3; ++i)
        {
            double a = p[i] * size - 2.0 * floor(0.5 * p[i] * size) - 1.0;
            r[i] = fabs(1.0 - 3.0 * fabs(a));
        }
        size *= 3.0;
        double cross = fmin(fmax(r[0], r[1]), fmin(fmax(r[1], r[2]), fmax(r[2], r[0])));
        d = fmax(d, (cross - 1.0) / size);
    }
    return d;
}

typedef double FormulaFn(double x, double y, double z);

typedef struct Formula
{
    const char* name;
    FormulaFn* function;
} Formula;

static void broken_formula(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    const Formula* formula = user;
    for (size_t i = 0; i < count; ++i)
    {
        out.distance[i] = (float)(BROKEN * formula->function(points.x[i], points.y[i], points.z[i]));
    }
}

static const AbutBox FRACTAL_BOX = { { -1.3f, -1.3f, -1.3f }, { 1.3f, 1.3f, 1.3f } };

static double steepest_of_pairs(const AbutShape* shape, TestRandom* random)
{
    double steepest = 0.0;
    for (int i = 0; i < 100000; ++i)
    {
        AbutVec3 a = test_random_point(random, 1.3);
        float length = (float)pow(10.0, test_random_range(random, -3.0, -0.5));
        AbutVec3 off = abut_vec3_scale(test_random_direction(random), length);
        AbutVec3 b = abut_vec3_add(a, off);
        b = abut_vec3_max(FRACTAL_BOX.min, abut_vec3_min(FRACTAL_BOX.max, b));
        double run = abut_vec3_length(abut_vec3_sub(a, b));
        double rise =
            fabs((double)abut_shape_distance(shape, a, NULL) - (double)abut_shape_distance(shape, b, NULL));
        steepest = run > 1e-4 ? fmax(steepest, (rise - 1e-6) / run) : steepest;
    }
    return steepest;
}

typedef struct Ray
{
    double from[3], direction[3], length;
} Ray;

static AbutVec3 point_on(const Ray* ray, double t)
{
    return abut_vec3((float)(ray->from[0] + t * ray->direction[0]),
                     (float)(ray->from[1] + t * ray->direction[1]),
                     (float)(ray->from[2] + t * ray->direction[2]));
}

/// From a corner of the box or its surroundings into it.
static Ray random_ray(TestRandom* random)
{
    Ray ray;
    AbutVec3 start = abut_vec3_scale(test_random_direction(random), 2.2f),
             end = test_random_point(random, 1.0);
    AbutVec3 displacement = abut_vec3_sub(end, start);
    const float from[3] = { start.x, start.y, start.z },
                to[3] = { displacement.x, displacement.y, displacement.z };
    double length = abut_vec3_length(displacement);
    for (int i = 0; i < 3; ++i)
    {
        ray.from[i] = from[i];
        ray.direction[i] = (double)to[i] / length;
    }
    ray.length = length + 1.0;
    return ray;
}

/// The first solid point by steps so small that only slivers hide between them; INFINITY when there is none.
static double march(const Formula* formula, const Ray* ray)
{
    for (double t = 0.0; t < ray->length; t += 1e-3)
    {
        AbutVec3 p = point_on(ray, t);
        if (formula->function(p.x, p.y, p.z) < -1e-5)
        {
            return t;
        }
    }
    return INFINITY;
}

/// Where tracing by steps of f stops, within 1e-5 of the surface; INFINITY when it leaves the ray.
static double trace(const AbutShape* shape, const Ray* ray)
{
    double t = 0.0;
    for (int step = 0; step < 5000 && t < ray->length; ++step)
    {
        double f = abut_shape_distance(shape, point_on(ray, t), NULL);
        if (f < 1e-5)
        {
            return t;
        }
        t += f;
    }
    return t < ray->length ? t : INFINITY;
}

/// Rays whose trace goes past the first solid point.
static int count_misses(const AbutShape* shape, const Formula* formula)
{
    TestRandom random = { 4 };
    int misses = 0;
    for (int i = 0; i < 400; ++i)
    {
        Ray ray = random_ray(&random);
        misses += trace(shape, &ray) > march(formula, &ray) + 2e-3;
    }
    return misses;
}

static void test_corrected_fractals_are_traced_without_misses(void** state)
{
    (void)state;
    Formula formulas[2] = { { "mandelbulb", mandelbulb }, { "menger sponge", menger } };
    for (int i = 0; i < 2; ++i)
    {
        AbutCallbackDef def = abut_callback_def();
        def.function = broken_formula;
        def.user = &formulas[i];
        AbutShape *raw = create(&def), *corrected = NULL;
        float slope = slope_of(raw, FRACTAL_BOX, 64);
        test_assert_result(abut_shape_create_corrected(raw, 1.25f * slope, NULL, &corrected), ABUT_OK);
        TestRandom random = { 5 };
        double before = steepest_of_pairs(raw, &random), after = steepest_of_pairs(corrected, &random);
        int misses_before = count_misses(raw, &formulas[i]), misses = count_misses(corrected, &formulas[i]);
        print_message("%s: measured slope %.3f, of pairs %.3f, corrected %.3f; %d misses, corrected %d\n",
                      formulas[i].name, (double)slope, before, after, misses_before, misses);
        assert_true(before > 2.5 && after <= 1.0);
        assert_true(misses_before > 0);
        assert_int_equal(misses, 0);
        AbutShapeInfo info = abut_shape_info(corrected);
        assert_true(info.lipschitz == 1.0f && info.distance_kind == ABUT_DISTANCE_BOUND);
        // The surface is where it was.
        AbutVec3 p = abut_vec3(0.3f, 0.8f, 0.9f);
        assert_true((abut_shape_distance(corrected, p, NULL) < 0.0f) ==
                    (abut_shape_distance(raw, p, NULL) < 0.0f));
        abut_shape_destroy(corrected);
        abut_shape_destroy(raw);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_promises_are_the_declared_ones),
        cmocka_unit_test(test_gradients_are_given_or_differences),
        cmocka_unit_test(test_functions_see_at_most_128_points_and_no_gradient_unless_they_have_one),
        cmocka_unit_test(test_functions_run_on_all_workers_with_the_same_bytes),
        cmocka_unit_test(test_nan_points_and_answers_stay_nan),
        cmocka_unit_test(test_bad_definitions_are_refused_with_a_reason),
        cmocka_unit_test(test_every_failing_allocation_leaves_nothing_behind),
        cmocka_unit_test(test_slope_of_planes_is_that_of_the_best_pair),
        cmocka_unit_test(test_slope_nears_the_true_one_from_below),
        cmocka_unit_test(test_slope_has_no_answer_where_there_is_none),
        cmocka_unit_test(test_slope_of_the_largest_count_is_measured),
        cmocka_unit_test(test_corrected_fractals_are_traced_without_misses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
