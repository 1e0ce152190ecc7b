// The deepest contact against closed forms: how deep, which way, and the way out of a body that is inside
// another.
#include "support/shapes.h"
#include "support/support.h"

#include <abut/bake.h>
#include <abut/narrow.h>
#include <math.h>
#include <stdlib.h>

enum
{
    CAPACITY = 2048,
    POSES = 40
};

/// What an answer may be off by: separations as a part of the size (all shapes here are about 1), normals in
/// degrees.
typedef struct Limits
{
    double separation, degrees;
} Limits;

static const Limits EXACT = { 1e-4, 0.1 };
static const Limits ORDER_ONE = { 1e-3, 1.0 };

/// Two shapes, as formulas or as fields of order 1 with 64 cells (shapes without end stay formulas).
typedef struct Pair
{
    AbutShape* shapes[2];
    Limits limits;
} Pair;

typedef struct Truth
{
    double separation;
    double normal[3]; // in the frame of A
} Truth;

// -----------------------------------------------------------------------------------------------------------
// Shapes
// -----------------------------------------------------------------------------------------------------------

static AbutShape* capsule(float radius, float length)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_capsule(radius, length, NULL, &shape), ABUT_OK);
    return shape;
}

static AbutShape* ground(void)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &shape), ABUT_OK);
    return shape;
}

static AbutShape* baked(AbutShape* shape)
{
    if (!abut_box_is_finite(abut_shape_info(shape).bounds))
    {
        return shape;
    }
    AbutBakeDef def = abut_bake_def();
    AbutShape* field = NULL;
    def.resolution = 64;
    def.format = ABUT_FIELD_FIRST_ORDER;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    abut_shape_destroy(shape);
    return field;
}

static Pair make_pair(AbutShape* a, AbutShape* b, bool fields)
{
    return (Pair){ { fields ? baked(a) : a, fields ? baked(b) : b }, fields ? ORDER_ONE : EXACT };
}

static void destroy_pair(Pair* pair)
{
    abut_shape_destroy(pair->shapes[0]);
    abut_shape_destroy(pair->shapes[1]);
}

// -----------------------------------------------------------------------------------------------------------
// Checks
// -----------------------------------------------------------------------------------------------------------

static double angle_between(AbutVec3 n, const double truth[3])
{
    double dot = (double)n.x * truth[0] + (double)n.y * truth[1] + (double)n.z * truth[2];
    double x = (double)n.y * truth[2] - (double)n.z * truth[1];
    double y = (double)n.z * truth[0] - (double)n.x * truth[2];
    double z = (double)n.x * truth[1] - (double)n.y * truth[0];
    return atan2(sqrt(x * x + y * y + z * z), dot) * 57.29577951308232;
}

static const AbutContact* deepest_of(const AbutContact* contacts, int count)
{
    const AbutContact* deepest = &contacts[0];
    for (int i = 1; i < count; ++i)
    {
        deepest = contacts[i].separation < deepest->separation ? &contacts[i] : deepest;
    }
    return deepest;
}

/// `margin` reports contacts of solids that are apart, too.
static void check(const Pair* pair, AbutPose pose_a, AbutPose pose_b, float margin, const Truth* truth)
{
    static AbutContact contacts[CAPACITY];
    AbutCollideInput input = abut_collide_input(pair->shapes[0], pair->shapes[1]);
    input.pose_a = pose_a;
    input.pose_b = pose_b;
    input.settings.margin = margin;
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    AbutCollideState state = truth->separation < 0.0 ? ABUT_COLLIDE_CONTACT : ABUT_COLLIDE_SEPARATED;
    // Two cells of a corner are less than the error around it: a field may leave it open. Contacts are there
    // all the same.
    bool open = pair->limits.degrees > EXACT.degrees && fabs(truth->separation) < 2.0 / 64.0;
    assert_true(output.state == state || (open && output.state == ABUT_COLLIDE_CLOSE));
    assert_true(output.contact_count > 0);
    const AbutContact* deepest = deepest_of(contacts, (int)output.contact_count);
    test_assert_near(deepest->separation, truth->separation, pair->limits.separation);
    test_assert_near(abut_vec3_length(deepest->normal), 1.0, 1e-5);
    double angle = angle_between(deepest->normal, truth->normal);
    if (!(angle <= pair->limits.degrees))
    {
        fail_msg("normal (%g, %g, %g) is %g degrees from (%g, %g, %g)", (double)deepest->normal.x,
                 (double)deepest->normal.y, (double)deepest->normal.z, angle, truth->normal[0],
                 truth->normal[1], truth->normal[2]);
    }
}

static AbutPose at(double x, double y, double z, AbutQuat rotation)
{
    AbutPose pose = abut_pose_at(x, y, z);
    pose.rotation = rotation;
    return pose;
}

// -----------------------------------------------------------------------------------------------------------
// Pairs
// -----------------------------------------------------------------------------------------------------------

static void check_spheres(bool fields)
{
    Pair pair = make_pair(test_make_sphere(0.5f), test_make_sphere(0.4f), fields);
    TestRandom random = { 700 };
    for (int i = 0; i < POSES; ++i)
    {
        // Deep, shallow, and apart.
        double separation =
            i % 3 == 2 ? test_random_range(&random, 0.005, 0.03) : test_random_range(&random, -0.2, -0.004);
        AbutVec3 u = test_random_direction(&random);
        double d = 0.5 + (double)0.4f + separation;
        Truth truth = { separation, { -(double)u.x, -(double)u.y, -(double)u.z } };
        AbutPose b = at(d * (double)u.x, d * (double)u.y, d * (double)u.z, test_random_rotation(&random));
        check(&pair, abut_pose_identity(), b, separation > 0.0 ? 0.05f : 0.0f, &truth);
    }
    destroy_pair(&pair);
}

/// Both ways round: as A the plane is at rest, and as B the sphere is.
static void check_sphere_and_plane(bool fields)
{
    Pair on = make_pair(test_make_sphere(0.5f), ground(), fields),
         under = make_pair(ground(), test_make_sphere(0.5f), fields);
    TestRandom random = { 701 };
    for (int i = 0; i < POSES; ++i)
    {
        double separation = test_random_range(&random, -0.2, -0.004);
        double x = test_random_range(&random, -1.0, 1.0), z = test_random_range(&random, -1.0, 1.0);
        AbutPose s = at(x, 0.5 + separation, z, abut_quat_identity());
        check(&on, s, abut_pose_identity(), 0.0f, &(Truth){ separation, { 0.0, 1.0, 0.0 } });
        check(&under, abut_pose_identity(), s, 0.0f, &(Truth){ separation, { 0.0, -1.0, 0.0 } });
    }
    destroy_pair(&on);
    destroy_pair(&under);
}

/// Contacts are in the frame of the box, so the plane's normal is turned back.
static void check_box_on_plane(bool fields)
{
    Pair pair = make_pair(test_make_box(0.8f, 0.6f, 0.5f), ground(), fields);
    const Limits limits = pair.limits;
    TestRandom random = { 702 };
    for (int i = 0; i < POSES; ++i)
    {
        // Cells have no corners: a field rounds those of the box off by up to half a cell.
        pair.limits = limits;
        pair.limits.separation += fields && i % 6 != 0 ? 0.5 * 0.8 / 60.0 : 0.0;
        double m[3][3], separation = test_random_range(&random, -0.1, fields ? -0.02 : -0.004);
        AbutQuat rotation =
            i % 6 == 0 ? abut_quat_identity() : test_random_rotation(&random); // on a face, too
        abut_quat_to_matrix(rotation, m);
        double reach =
            0.5 * (fabs(m[1][0]) * (double)0.8f + fabs(m[1][1]) * (double)0.6f + fabs(m[1][2]) * 0.5);
        Truth truth = { separation, { m[1][0], m[1][1], m[1][2] } };
        check(&pair, at(0.3, reach + separation, -0.2, rotation), abut_pose_identity(), 0.0f, &truth);
    }
    destroy_pair(&pair);
}

/// The nearest points of two segments along y, the second one posed: crossing in their insides, so that they
/// are the nearest points of the lines.
static void check_capsules(bool fields)
{
    const double radius_a = (double)0.2f, radius_b = (double)0.15f;
    Pair pair = make_pair(capsule(0.2f, 0.6f), capsule(0.15f, 0.6f), fields);
    TestRandom random = { 703 };
    for (int i = 0; i < POSES; ++i)
    {
        // B's axis leans by an angle about the common perpendicular, which is at any heading.
        double heading = test_random_range(&random, 0.0, 6.283185307179586);
        double lean = test_random_range(&random, 0.4, 1.5),
               separation = test_random_range(&random, -0.12, -0.004);
        AbutVec3 u = abut_vec3((float)cos(heading), 0.0f, (float)sin(heading));
        AbutQuat rotation = abut_quat_from_axis_angle(u, (float)lean);
        AbutVec3 own =
            abut_quat_rotate(rotation, abut_vec3(0.0f, (float)test_random_range(&random, -0.2, 0.2), 0.0f));
        double d = radius_a + radius_b + separation, along = test_random_range(&random, -0.2, 0.2);
        AbutPose b = at(d * cos(heading) - (double)own.x, along - (double)own.y,
                        d * sin(heading) - (double)own.z, rotation);
        check(&pair, abut_pose_identity(), b, 0.0f,
              &(Truth){ separation, { -cos(heading), 0.0, -sin(heading) } });
    }
    destroy_pair(&pair);
}

/// A ball in a box leaves through the nearest wall: depth is to there and out of it with all of the ball.
static void check_contained(bool fields)
{
    Pair inner_b = make_pair(test_make_box(1.0f, 1.0f, 1.0f), test_make_sphere(0.1f), fields);
    Pair inner_a = make_pair(test_make_sphere(0.1f), test_make_box(1.0f, 1.0f, 1.0f), fields);
    TestRandom random = { 704 };
    for (int i = 0; i < POSES; ++i)
    {
        double side = i % 2 == 0 ? 1.0 : -1.0, c = test_random_range(&random, 0.2, 0.38);
        // Where the box has its nearest face, and not on the ridges between two.
        double wide = fields ? 0.04 : 0.08;
        double y = test_random_range(&random, -wide, wide), z = test_random_range(&random, -wide, wide);
        double separation = -(0.5 - c) - (double)0.1f;
        AbutPose ball = at(side * c, y, z, abut_quat_identity());
        check(&inner_b, abut_pose_identity(), ball, 0.0f, &(Truth){ separation, { -side, 0.0, 0.0 } });
        check(&inner_a, ball, abut_pose_identity(), 0.0f, &(Truth){ separation, { side, 0.0, 0.0 } });
    }
    destroy_pair(&inner_b);
    destroy_pair(&inner_a);
}

#define PAIR_TESTS(name, check_function)                                                                     \
    static void test_depth_and_normal_of_##name##_are_those_of_the_closed_form(void** state)                 \
    {                                                                                                        \
        (void)state;                                                                                         \
        check_function(false);                                                                               \
    }                                                                                                        \
    static void test_depth_and_normal_of_##name##_in_fields_of_order_one(void** state)                       \
    {                                                                                                        \
        (void)state;                                                                                         \
        check_function(true);                                                                                \
    }

PAIR_TESTS(two_spheres, check_spheres)
PAIR_TESTS(a_sphere_and_a_plane, check_sphere_and_plane)
PAIR_TESTS(a_box_on_a_plane, check_box_on_plane)
PAIR_TESTS(two_capsules, check_capsules)
PAIR_TESTS(a_ball_in_a_box, check_contained)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth_and_normal_of_two_spheres_are_those_of_the_closed_form),
        cmocka_unit_test(test_depth_and_normal_of_a_sphere_and_a_plane_are_those_of_the_closed_form),
        cmocka_unit_test(test_depth_and_normal_of_a_box_on_a_plane_are_those_of_the_closed_form),
        cmocka_unit_test(test_depth_and_normal_of_two_capsules_are_those_of_the_closed_form),
        cmocka_unit_test(test_depth_and_normal_of_a_ball_in_a_box_are_those_of_the_closed_form),
        cmocka_unit_test(test_depth_and_normal_of_two_spheres_in_fields_of_order_one),
        cmocka_unit_test(test_depth_and_normal_of_a_sphere_and_a_plane_in_fields_of_order_one),
        cmocka_unit_test(test_depth_and_normal_of_a_box_on_a_plane_in_fields_of_order_one),
        cmocka_unit_test(test_depth_and_normal_of_two_capsules_in_fields_of_order_one),
        cmocka_unit_test(test_depth_and_normal_of_a_ball_in_a_box_in_fields_of_order_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
