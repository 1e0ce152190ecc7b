// Caps over outlines of any form, flat or not: volumes in closed form are the judge.
#include "support/meshes/closing.h"

#include <math.h>
#include <stdlib.h>

static double outline_area(const TestOutline* outline)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < outline->count; ++i)
    {
        const double *p = outline->points[i], *q = outline->points[(i + 1) % outline->count];
        sum += p[0] * q[1] - p[1] * q[0];
    }
    return 0.5 * sum;
}

/// A strip wound up `turns` times: as far from star-shaped as can be.
static TestOutline make_spiral(uint32_t half_count, double turns)
{
    TestOutline outline = { malloc(2 * half_count * sizeof(double[2])), 2 * half_count };
    for (uint32_t i = 0; i < half_count; ++i)
    {
        double angle = 6.283185307179586 * turns * i / (half_count - 1);
        double inner = 0.5 + angle / 6.283185307179586, outer = inner + 0.5;
        outline.points[2 * half_count - 1 - i][0] = inner * cos(angle);
        outline.points[2 * half_count - 1 - i][1] = inner * sin(angle);
        outline.points[i][0] = outer * cos(angle);
        outline.points[i][1] = outer * sin(angle);
    }
    return outline;
}

/// Random distances from the middle: simple, and mostly not convex.
static TestOutline make_star(TestRandom* random, uint32_t count, double least)
{
    TestOutline outline = { malloc(count * sizeof(double[2])), count };
    for (uint32_t i = 0; i < count; ++i)
    {
        double angle = 6.283185307179586 * i / count, radius = test_random_range(random, least, 1.0);
        outline.points[i][0] = radius * cos(angle);
        outline.points[i][1] = radius * sin(angle);
    }
    return outline;
}

/// Teeth with straight flanks, points along them in line.
static TestOutline make_comb(uint32_t teeth, uint32_t steps)
{
    TestOutline outline = { malloc((4 * teeth * steps + 2) * sizeof(double[2])), 0 };
    double width = 2.0 * teeth;
    outline.points[outline.count][0] = 0.0;
    outline.points[outline.count++][1] = -1.0;
    outline.points[outline.count][0] = width;
    outline.points[outline.count++][1] = -1.0;
    for (uint32_t tooth = 0; tooth < teeth; ++tooth)
    {
        double right = width - 2.0 * tooth;
        const double corners[5][2] = {
            { right, 0.0 }, { right, 4.0 }, { right - 1.0, 4.0 }, { right - 1.0, 0.0 }, { right - 2.0, 0.0 }
        };
        for (int side = 0; side < 4; ++side)
        {
            for (uint32_t i = 0; i < steps; ++i)
            {
                double t = (double)i / steps;
                double* p = outline.points[outline.count++];
                p[0] = corners[side][0] + t * (corners[side + 1][0] - corners[side][0]);
                p[1] = corners[side][1] + t * (corners[side + 1][1] - corners[side][1]);
            }
        }
    }
    return outline;
}

static void check_prism(TestOutline* outline, double lean, AbutQuat rotation)
{
    const double height = 0.75;
    double area = outline_area(outline);
    assert_true(area > 0.0);
    TestSoup soup = test_make_wall(outline, height, lean);
    test_rotate_soup(&soup, rotation);
    TestClosed closed = test_close_and_free(&soup);
    test_check_closed(&closed);
    assert_int_equal(closed.close.loop_count, 2);
    assert_int_equal(closed.close.triangle_count, 2 * (outline->count - 2));
    assert_int_equal(closed.close.vertex_count, 0);
    test_assert_near(closed.after.mass.volume, area * height, 1e-5 * area);
    test_assert_near(closed.close.area, 2.0 * area * sqrt(1.0 + lean * lean), 1e-4 * area);
    assert_int_equal(closed.after.self_intersection_count, 0);
    assert_int_equal(closed.after.degenerate_count, 0);
    abut_mesh_destroy(closed.mesh);
}

static void test_close_fills_flat_outlines_of_any_form(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    for (int repeat = 0; repeat < 40; ++repeat)
    {
        TestOutline outline = make_star(&random, 3 + (uint32_t)(test_random_bits(&random) % 60), 0.1);
        AbutQuat rotation = repeat == 0 ? abut_quat_identity() : test_random_rotation(&random);
        check_prism(&outline, test_random_range(&random, -1.0, 1.0), rotation);
        free(outline.points);
    }
    for (uint32_t half_count = 20; half_count <= 80; half_count *= 2)
    {
        TestOutline outline = make_spiral(half_count, 3.0);
        check_prism(&outline, 0.25, test_random_rotation(&random));
        free(outline.points);
    }
    for (uint32_t steps = 1; steps <= 8; steps *= 2)
    {
        TestOutline outline = make_comb(5, steps);
        check_prism(&outline, 0.0, abut_quat_identity());
        check_prism(&outline, -0.5, test_random_rotation(&random));
        free(outline.points);
    }
}

static void test_close_cuts_long_outlines_into_short_ones(void** state)
{
    (void)state;
    TestRandom random = { 12 };
    TestOutline spiral = make_spiral(200, 4.0), comb = make_comb(12, 10), star = make_star(&random, 330, 0.9);
    check_prism(&spiral, 0.0, test_random_rotation(&random));
    check_prism(&comb, 0.3, test_random_rotation(&random));
    check_prism(&star, 0.3, test_random_rotation(&random));
    free(spiral.points);
    free(comb.points);
    free(star.points);
}

static void test_close_fills_rims_that_are_not_flat(void** state)
{
    (void)state;
    for (int waves = 1; waves <= 5; waves += 2)
    {
        for (uint32_t count = 10; count <= 330; count = 3 * count + 30)
        {
            TestSoup soup = test_make_wavy_tube(count, waves, 0.8);
            TestClosed closed = test_close_and_free(&soup);
            test_check_closed(&closed);
            assert_int_equal(closed.after.self_intersection_count, 0);
            assert_int_equal(closed.after.degenerate_count, 0);
            // Between all troughs and all crests.
            double base = 0.5 * count * sin(6.283185307179586 / count);
            assert_true(closed.after.mass.volume > 1.2 * base && closed.after.mass.volume < 2.8 * base);
            abut_mesh_destroy(closed.mesh);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_close_fills_flat_outlines_of_any_form),
        cmocka_unit_test(test_close_cuts_long_outlines_into_short_ones),
        cmocka_unit_test(test_close_fills_rims_that_are_not_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
