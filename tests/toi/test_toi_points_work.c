// What intervals of points take: samples are counted, so that a tree that is not made use of is noticed.
#include "support/scenes/motion_scenes.h"

#include <stdlib.h>

enum
{
    POINTS = 20000,
    CAPACITY = 4096
};

/// A ball of many points whose lowest touch the ring's field, seen from above.
static AbutToiInput ball_over_ring(AbutShape* field, AbutPointSet* points)
{
    AbutToiInput input = abut_toi_input(field, NULL);
    AbutBox box = abut_shape_info(field).bounds;
    input.points_b = points;
    input.settings.method = ABUT_TOI_POINTS;
    input.pose_b = abut_pose_at(0.0, 0.0, (double)box.max.z + 0.75);
    return input;
}

static AbutPointSet* ball_points(void)
{
    AbutPointsDef def = abut_points_def();
    AbutShape* ball = NULL;
    AbutPointSet* points = NULL;
    def.count = POINTS;
    def.relaxations = 1;
    test_assert_result(abut_shape_create_sphere(1.0f, NULL, &ball), ABUT_OK);
    test_assert_result(abut_points_create_from_shape(&def, ball, &points), ABUT_OK);
    abut_shape_destroy(ball);
    return points;
}

/// However short a step is, spheres that are far from the surface are not opened.
static void test_short_steps_sample_few_of_the_points(void** state)
{
    (void)state;
    static AbutPointInterval intervals[CAPACITY];
    AbutShape* field = test_ring_field(ABUT_FIELD_F32, false, false);
    AbutPointSet* points = ball_points();
    AbutToiInput input = ball_over_ring(field, points);
    uint32_t count = abut_points_info(points).count;
    for (int i = 0; i < 8; ++i)
    {
        float displacement = 0.1f / (float)(1 << (2 * i));
        input.settings.linear = i % 2 == 0;
        input.motion_b.linear = abut_vec3(0.0f, 0.0f, -displacement);
        input.motion_b.angular = abut_vec3(0.0f, displacement, 0.5f * displacement);
        AbutToiOutput output = abut_toi_intervals(&input, intervals, CAPACITY);
        print_message("a step of %.2g: %d intervals, %llu samples for %u points\n", (double)displacement,
                      output.interval_total, (unsigned long long)output.evaluations, count);
        assert_true(output.interval_total > 0);
        assert_true(output.evaluations * 4 < count);
    }
    abut_points_destroy(points);
    abut_shape_destroy(field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_steps_sample_few_of_the_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
