// SWIFT against brute force over all pairs of triangles in double, exact signs, and itself with a tracker.
#include "support/meshes/meshes.h"
#include "support/support.h"

#include "math/transform.h"
#include "mesh/corners.h"
#include "mesh/triangle/distance.h"

#include <math.h>
#include <string.h>

static AbutDecomposition* decompose_soup(TestSoup* soup)
{
    AbutMesh* mesh = test_soup_mesh(soup, NULL);
    AbutDecomposeDef def = abut_decompose_def();
    AbutDecomposition* decomposition = NULL;
    test_assert_result(abut_decompose(&def, mesh, &decomposition), ABUT_OK);
    abut_mesh_destroy(mesh);
    test_soup_free(soup);
    return decomposition;
}

static AbutDecomposition* torus(uint32_t major, uint32_t minor)
{
    TestSoup soup = { 0 };
    test_soup_torus(&soup, 1.0, 0.3, major, minor);
    return decompose_soup(&soup);
}

static AbutDecomposition* box(AbutVec3 min, AbutVec3 max)
{
    TestSoup soup = { 0 };
    test_soup_box(&soup, min, max);
    return decompose_soup(&soup);
}

// -----------------------------------------------------------------------------------------------------------
// Brute force
// -----------------------------------------------------------------------------------------------------------

typedef struct Brute
{
    double distance; // of the surfaces; 0 in touch
    bool touch;
} Brute;

static Brute brute_force(const AbutDecomposition* a, const AbutDecomposition* b, const AbutTransform* b_in_a)
{
    const AbutMesh *mesh_a = abut_decomposition_mesh(a), *mesh_b = abut_decomposition_mesh(b);
    Brute out = { .distance = INFINITY };
    for (uint32_t j = 0; j < mesh_b->triangle_count; ++j)
    {
        AbutDTriangle t;
        abut_mesh_corners(mesh_b, j, t.corners);
        for (int k = 0; k < 3; ++k)
        {
            t.corners[k] = abut_transform_point(b_in_a, t.corners[k]);
        }
        for (uint32_t i = 0; i < mesh_a->triangle_count; ++i)
        {
            AbutDTriangle s;
            abut_mesh_corners(mesh_a, i, s.corners);
            out.touch = out.touch || abut_triangles_touch(&s, &t);
            out.distance = fmin(out.distance, abut_triangles_distance(&s, &t, 0.0).distance);
        }
    }
    out.distance = out.touch ? 0.0 : out.distance;
    return out;
}

static AbutPose random_pose(TestRandom* random, double spread)
{
    AbutPose pose = abut_pose_identity();
    pose.position = test_random_position(random, spread);
    pose.rotation = test_random_rotation(random);
    if (test_random_bits(random) % 4 == 0) // coincidences
    {
        pose.rotation = abut_pose_identity().rotation;
        pose.position.x = round(4.0 * pose.position.x) / 4.0;
        pose.position.y = round(4.0 * pose.position.y) / 4.0;
        pose.position.z = round(4.0 * pose.position.z) / 4.0;
    }
    return pose;
}

// -----------------------------------------------------------------------------------------------------------
// Claims
// -----------------------------------------------------------------------------------------------------------

static void check_states(const AbutSwiftOutput* out, const Brute* brute, double size)
{
    if (out->state == ABUT_SWIFT_SEPARATED)
    {
        assert_false(brute->touch);
        assert_true(out->low > 0.0);
    }
    if (out->state == ABUT_SWIFT_CONTACT)
    {
        assert_true(out->low == 0.0 && out->high == 0.0);
    }
    if (out->state == ABUT_SWIFT_CLOSE)
    {
        assert_true(brute->distance <= 1e-9 * size);
    }
}

static void check_pose(const AbutDecomposition* a, const AbutDecomposition* b, AbutPose pose,
                       AbutSwiftTracker* tracker, double size)
{
    AbutPose origin = abut_pose_identity();
    AbutTransform b_in_a = abut_transform_relative(&origin, &pose);
    Brute brute = brute_force(a, b, &b_in_a);
    AbutSwiftInput input = abut_swift_input(a, b);
    input.pose_b = pose;
    AbutSwiftOutput cold = abut_swift_query(&input);
    check_states(&cold, &brute, size);
    if (cold.state == ABUT_SWIFT_SEPARATED)
    {
        test_assert_near(cold.high, brute.distance, 1e-9 * size);
        assert_true(cold.low <= cold.high && cold.high - cold.low <= 1e-9 * size);
    }
    else if (!brute.touch)
    {
        assert_true(cold.state == ABUT_SWIFT_CONTACT || brute.distance <= 1e-9 * size); // inside, or close
    }
    input.tracker = tracker;
    AbutSwiftOutput warm = abut_swift_query(&input);
    assert_int_equal(warm.state, cold.state);
    test_assert_near(warm.high == INFINITY ? -1.0 : warm.high, cold.high == INFINITY ? -1.0 : cold.high,
                     1e-9 * size);
    input.tolerance = 0.05 * size;
    AbutSwiftOutput rough = abut_swift_query(&input);
    if (rough.state == ABUT_SWIFT_SEPARATED)
    {
        assert_true(rough.low <= brute.distance + 1e-9 * size && rough.high >= brute.distance - 1e-9 * size);
        assert_true(rough.high - rough.low <= input.tolerance + 1e-9 * size);
    }
    input.question = ABUT_SWIFT_YES_NO;
    AbutSwiftOutput within = abut_swift_query(&input);
    assert_true((within.state == ABUT_SWIFT_SEPARATED) ==
                    (cold.state == ABUT_SWIFT_SEPARATED && brute.distance > input.tolerance) ||
                fabs(brute.distance - input.tolerance) < 1e-9 * size);
    input.tolerance = 0.0;
    AbutSwiftOutput answer = abut_swift_query(&input);
    assert_int_equal(answer.state, cold.state);
}

static void test_swift_agrees_with_brute_force(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    AbutDecomposition* bodies[] = { torus(16, 8),
                                    box(abut_vec3(-0.5f, -0.25f, -0.5f), abut_vec3(0.5f, 0.25f, 0.5f)),
                                    torus(9, 5) };
    AbutSwiftTracker* tracker = NULL;
    test_assert_result(abut_swift_tracker_create(NULL, &tracker), ABUT_OK);
    for (int round = 0; round < test_heavy_count(600); ++round)
    {
        const AbutDecomposition* a = bodies[round % 3];
        const AbutDecomposition* b = bodies[round / 3 % 3];
        check_pose(a, b, random_pose(&random, round % 2 == 0 ? 1.5 : 3.0), tracker, 1.0);
    }
    abut_swift_tracker_destroy(tracker);
    for (int i = 0; i < 3; ++i)
    {
        abut_decomposition_destroy(bodies[i]);
    }
}

/// A tumbling pair: the walks of a step start where those of the last one ended, and take fewer steps.
static void test_coherent_motion_takes_fewer_steps(void** state)
{
    (void)state;
    AbutDecomposition* body = torus(24, 10);
    AbutSwiftTracker* tracker = NULL;
    test_assert_result(abut_swift_tracker_create(NULL, &tracker), ABUT_OK);
    uint64_t cold_steps = 0, later_steps = 0;
    for (int step = 0; step < 100; ++step)
    {
        AbutSwiftInput input = abut_swift_input(body, body);
        float angle = 0.005f * (float)step;
        input.pose_b.position = (AbutPosition){ 0.3 * (double)angle, 2.4 - 0.002 * step, 0.1 };
        input.pose_b.rotation = abut_quat_from_axis_angle(abut_vec3(0.6f, 0.0f, 0.8f), angle);
        AbutSwiftOutput cold = abut_swift_query(&input);
        input.tracker = tracker;
        AbutSwiftOutput warm = abut_swift_query(&input);
        assert_int_equal(cold.state, warm.state);
        test_assert_near(cold.high, warm.high, 1e-12);
        cold_steps += cold.walk_steps;
        later_steps += warm.walk_steps;
    }
    print_message("steps of walks: %llu cold, %llu warm\n", (unsigned long long)cold_steps,
                  (unsigned long long)later_steps);
    assert_true(later_steps < cold_steps);
    abut_swift_tracker_destroy(tracker);
    abut_decomposition_destroy(body);
}

/// Closed forms: boxes face to face, edge to edge and corner to corner; identical, inside, far, tiny and
/// huge.
static void test_boxes_have_the_distances_of_closed_forms(void** state)
{
    (void)state;
    const double scales[] = { 1.0, 1e-6, 1e6 };
    for (int i = 0; i < 3; ++i)
    {
        double s = scales[i];
        float half = 0.5f * (float)s;
        double h = (double)half;
        AbutDecomposition* cube = box(abut_vec3(-half, -half, -half), abut_vec3(half, half, half));
        const struct
        {
            AbutPosition at;
            float scale;
            double distance;
            AbutSwiftState state;
        } cases[] = {
            { { 5.0 * h, 0, 0 }, 1.0f, 3.0 * h, ABUT_SWIFT_SEPARATED },
            { { 5.0 * h, 5.0 * h, 0 }, 1.0f, 3.0 * h * sqrt(2.0), ABUT_SWIFT_SEPARATED },
            { { 5.0 * h, 5.0 * h, -5.0 * h }, 1.0f, 3.0 * h * sqrt(3.0), ABUT_SWIFT_SEPARATED },
            { { 2e8 * h, 0, 0 }, 1.0f, 2e8 * h - 2.0 * h, ABUT_SWIFT_SEPARATED },
            { { 0, 0, 0 }, 1.0f, 0.0, ABUT_SWIFT_CONTACT },
            { { h, h, 0 }, 1.0f, 0.0, ABUT_SWIFT_CONTACT },
            { { 0.1 * h, 0, 0 }, 0.25f, 0.0, ABUT_SWIFT_CONTACT },
            { { 0, 0.1 * h, 0 }, 4.0f, 0.0, ABUT_SWIFT_CONTACT },
        };
        for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k)
        {
            AbutSwiftInput input = abut_swift_input(cube, cube);
            input.pose_b.position = cases[k].at;
            input.pose_b.scale = cases[k].scale;
            AbutSwiftOutput out = abut_swift_query(&input);
            if (k == 4) // identical: faces on faces, within the rounding of the pose
            {
                assert_true(out.state == ABUT_SWIFT_CONTACT || out.state == ABUT_SWIFT_CLOSE);
                continue;
            }
            assert_string_equal(abut_swift_state_name(out.state), abut_swift_state_name(cases[k].state));
            test_assert_near(out.high, cases[k].distance, 1e-7 * s + 1e-12 * cases[k].distance);
        }
        abut_decomposition_destroy(cube);
    }
}

/// Exact touch can be proved neither way where poses are rounded; it is never separated.
static void test_exact_touch_is_not_separated(void** state)
{
    (void)state;
    AbutDecomposition* cube = box(abut_vec3(-1, -1, -1), abut_vec3(1, 1, 1));
    const AbutPosition touching[] = { { 2, 0, 0 }, { 2, 2, 0 }, { 2, 2, 2 }, { 2, 0.5, 0.25 } };
    for (int i = 0; i < 4; ++i)
    {
        AbutSwiftInput input = abut_swift_input(cube, cube);
        input.pose_b.position = touching[i];
        assert_true(abut_swift_query(&input).state != ABUT_SWIFT_SEPARATED);
    }
    abut_decomposition_destroy(cube);
}

static void test_invalid_input_is_a_state(void** state)
{
    (void)state;
    AbutDecomposition* cube = box(abut_vec3(-1, -1, -1), abut_vec3(1, 1, 1));
    AbutSwiftInput input = abut_swift_input(cube, cube);
    input.pose_b.position.x = NAN;
    assert_int_equal(abut_swift_query(&input).state, ABUT_SWIFT_INVALID);
    input = abut_swift_input(cube, cube);
    input.tolerance = -1.0;
    assert_int_equal(abut_swift_query(&input).state, ABUT_SWIFT_INVALID);
    input = abut_swift_input(cube, NULL);
    assert_int_equal(abut_swift_query(&input).state, ABUT_SWIFT_INVALID);
    assert_string_equal(abut_swift_state_name((AbutSwiftState)99), "unknown state");
    abut_swift_tracker_destroy(NULL);
    abut_decomposition_destroy(cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swift_agrees_with_brute_force),
        cmocka_unit_test(test_coherent_motion_takes_fewer_steps),
        cmocka_unit_test(test_boxes_have_the_distances_of_closed_forms),
        cmocka_unit_test(test_exact_touch_is_not_separated),
        cmocka_unit_test(test_invalid_input_is_a_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
