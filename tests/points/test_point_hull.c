// Point hulls: coverage and protrusion within the stated error, against closed forms and dense samples of
// surfaces; few balls; the same bytes on every worker count; bad input.
#include "support/support.h"

#include <abut/io.h>
#include <abut/points.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SURFACE_POINTS = 1500,
    BALL_POINTS = 16
};

/// Rounding of samples, relative to the size of a body of about 1.
static const double ROUNDING = 2e-6;

static AbutShape* test_shape(const char* text)
{
    AbutParsedShape parsed = { NULL, NULL };
    test_assert_result(abut_shape_parse(text, NULL, &parsed), ABUT_OK);
    assert_non_null(parsed.shape);
    return parsed.shape;
}

static AbutPointHull* make_hull(const AbutShape* shape, float error, uint32_t count, bool one_radius)
{
    AbutPointHullDef def = abut_point_hull_def();
    AbutPointHull* hull = NULL;
    def.error = error;
    def.count = count;
    def.one_radius = one_radius;
    test_assert_result(abut_point_hull_create(&def, shape, &hull), ABUT_OK);
    return hull;
}

static double distance_to_balls(AbutPointHullData balls, AbutVec3 at)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < balls.count; ++i)
    {
        double x = (double)at.x - (double)balls.centers.x[i], y = (double)at.y - (double)balls.centers.y[i],
               z = (double)at.z - (double)balls.centers.z[i];
        least = fmin(least, sqrt(x * x + y * y + z * z) - (double)balls.radii[i]);
    }
    return least;
}

/// Points of the surface by sampling, another method than the cells of the hull. They are as exact as the
/// distance of the shape, whose error is added.
static double worst_coverage(const AbutShape* shape, AbutPointHullData balls)
{
    AbutPointsDef def = abut_points_def();
    AbutPointSet* set = NULL;
    def.count = SURFACE_POINTS;
    test_assert_result(abut_points_create_from_shape(&def, shape, &set), ABUT_OK);
    AbutPointData data = abut_points_data(set);
    double worst = -INFINITY;
    for (uint32_t i = 0; i < data.count; ++i)
    {
        AbutVec3 at = abut_vec3(data.positions.x[i], data.positions.y[i], data.positions.z[i]);
        double off = fabs((double)abut_shape_distance(shape, at, NULL));
        worst = fmax(worst, distance_to_balls(balls, at) - off);
    }
    abut_points_destroy(set);
    return worst;
}

/// How far the balls stick out: the largest distance of random points of their surfaces.
static double worst_protrusion(const AbutShape* shape, AbutPointHullData balls, TestRandom* random)
{
    double worst = -INFINITY;
    for (uint32_t i = 0; i < balls.count; ++i)
    {
        for (int k = 0; k < BALL_POINTS; ++k)
        {
            AbutVec3 direction = test_random_direction(random);
            AbutVec3 center = abut_vec3(balls.centers.x[i], balls.centers.y[i], balls.centers.z[i]);
            AbutVec3 at = abut_vec3_add(center, abut_vec3_scale(direction, balls.radii[i]));
            worst = fmax(worst, (double)abut_shape_distance(shape, at, NULL));
        }
    }
    return worst;
}

static void check_hull(const AbutShape* shape, const AbutPointHull* hull, TestRandom* random)
{
    AbutPointHullData balls = abut_point_hull_data(hull);
    double error = (double)abut_point_hull_info(hull).error, own = (double)abut_shape_info(shape).error;
    assert_true(balls.count > 0);
    double coverage = worst_coverage(shape, balls), protrusion = worst_protrusion(shape, balls, random);
    if (coverage > error + own + ROUNDING || protrusion > error + own + ROUNDING)
    {
        fail_msg("error %g: a point of the surface is %g from the balls, a ball sticks out by %g", error,
                 coverage, protrusion);
    }
}

static void test_balls_cover_the_surface_and_stay_inside(void** state)
{
    (void)state;
    static const char* const texts[] = { "sphere:0.5",
                                         "box:1,0.8,0.6",
                                         "box:1,0.02,0.6",
                                         "torus:0.4,0.1",
                                         "cone:0.4,1",
                                         "cylinder:0.3,0.8",
                                         "capsule:0.2,0.5",
                                         "difference(box:1,1,1;sphere:0.6)",
                                         "smooth(torus:0.4,0.1;sphere:0.3;0.1)",
                                         "ring:0.4,0.1,3,1,32@48" };
    TestRandom random = { 41 };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i)
    {
        AbutShape* shape = test_shape(texts[i]);
        for (int one = 0; one < 2; ++one)
        {
            AbutPointHull* hull = make_hull(shape, 0.06f, 0, one == 1);
            check_hull(shape, hull, &random);
            abut_point_hull_destroy(hull);
        }
        abut_shape_destroy(shape);
    }
}

/// A ball has one point, a capsule few; a radius per point needs fewer points than one radius.
static void test_points_are_few(void** state)
{
    (void)state;
    AbutShape *sphere = test_shape("sphere:0.5"), *box = test_shape("box:1,1,1");
    AbutPointHull* hull = make_hull(sphere, 0.01f, 0, false);
    assert_int_equal(abut_point_hull_info(hull).count, 1);
    abut_point_hull_destroy(hull);
    AbutPointHull *each = make_hull(box, 0.02f, 0, false), *same = make_hull(box, 0.02f, 0, true);
    assert_true(1.6 * abut_point_hull_info(each).count < abut_point_hull_info(same).count);
    assert_true(abut_point_hull_info(same).min_radius == abut_point_hull_info(same).max_radius);
    abut_point_hull_destroy(each);
    abut_point_hull_destroy(same);
    abut_shape_destroy(sphere);
    abut_shape_destroy(box);
}

static void test_count_is_met(void** state)
{
    (void)state;
    AbutShape* cone = test_shape("cone:0.4,1");
    AbutPointHull* hull = make_hull(cone, 0.0f, 200, false);
    uint32_t count = abut_point_hull_info(hull).count;
    if (count < 170 || count > 230)
    {
        fail_msg("%u balls where 200 were asked for", count);
    }
    abut_point_hull_destroy(hull);
    abut_shape_destroy(cone);
}

static void test_scales_with_the_body(void** state)
{
    (void)state;
    AbutShape *box = test_shape("box:1,0.8,0.6"),
              *tiny = test_shape("box:0.0009765625,0.00078125,0.0005859375");
    AbutPointHull *large = make_hull(box, 0.04f, 0, false),
                  *small = make_hull(tiny, 0.04f / 1024.0f, 0, false);
    assert_int_equal(abut_point_hull_info(large).count, abut_point_hull_info(small).count);
    abut_point_hull_destroy(large);
    abut_point_hull_destroy(small);
    abut_shape_destroy(box);
    abut_shape_destroy(tiny);
}

static void test_bad_input_is_refused(void** state)
{
    (void)state;
    AbutShape *plane = test_shape("plane"), *box = test_shape("box:1,1,1"),
              *field = test_shape("box:1,1,1@16");
    AbutPointHullDef def = abut_point_hull_def();
    AbutPointHull* hull = NULL;
    test_assert_result(abut_point_hull_create(&def, plane, &hull), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_point_hull_create(&def, NULL, &hull), ABUT_INVALID_ARGUMENT);
    def.error = NAN;
    test_assert_result(abut_point_hull_create(&def, box, &hull), ABUT_INVALID_ARGUMENT);
    def.error = 1e-9f;
    test_assert_result(abut_point_hull_create(&def, box, &hull), ABUT_INVALID_ARGUMENT); // under the rounding
    def.error = 1e-5f;
    test_assert_result(abut_point_hull_create(&def, field, &hull), ABUT_INVALID_ARGUMENT); // under its error
    def.error = 0.05f;
    def.count_limit = 3;
    test_assert_result(abut_point_hull_create(&def, box, &hull), ABUT_LIMIT_EXCEEDED);
    AbutPointHullDef zero = { .error = 0.1f };
    test_assert_result(abut_point_hull_create(&zero, box, &hull), ABUT_INVALID_ARGUMENT);
    assert_null(hull);
    abut_shape_destroy(plane);
    abut_shape_destroy(box);
    abut_shape_destroy(field);
}

static AbutResult create_and_destroy(void* context, const AbutHost* host)
{
    AbutPointHullDef def = abut_point_hull_def();
    AbutPointHull* hull = NULL;
    def.error = 0.1f;
    def.host = host;
    AbutResult result = abut_point_hull_create(&def, context, &hull);
    abut_point_hull_destroy(hull);
    return result;
}

static void test_failed_allocations_leave_nothing(void** state)
{
    (void)state;
    AbutShape* box = test_shape("box:1,0.8,0.6");
    test_fail_every_allocation(create_and_destroy, box);
    abut_shape_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls_cover_the_surface_and_stay_inside),
        cmocka_unit_test(test_points_are_few),
        cmocka_unit_test(test_count_is_met),
        cmocka_unit_test(test_scales_with_the_body),
        cmocka_unit_test(test_bad_input_is_refused),
        cmocka_unit_test(test_failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
