// Contacts are where both solids are: a formula without end and distances that are a little too small must
// not lead them away.
#include "support/shapes.h"
#include "support/support.h"

#include <abut/bake.h>
#include <abut/narrow.h>
#include <math.h>

enum
{
    CAPACITY = 512,
    POSES = 1500
};

static AbutShape* bake(AbutShape* shape)
{
    AbutBakeDef def = abut_bake_def();
    AbutShape* field = NULL;
    def.resolution = 40;
    def.format = ABUT_FIELD_FIRST_ORDER;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    abut_shape_destroy(shape);
    return field;
}

/// Smooth joints have slopes under 1 around them: their distances are too small there.
static AbutShape* make_blend(void)
{
    AbutPose away = abut_pose_at(0.5, 0.2, 0.0);
    AbutShape *a = test_make_sphere(0.4f), *b = test_transformed(test_make_torus(0.4f, 0.12f), &away),
              *blend = NULL;
    test_assert_result(abut_shape_create_smooth_union(a, b, 0.3f, NULL, &blend), ABUT_OK);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    return bake(blend);
}

/// The larger one of the two distances at a contact.
static float furthest(const AbutCollideInput* input, AbutVec3 at)
{
    AbutPosition outer = abut_pose_transform_point(&input->pose_a, at);
    AbutVec3 in_b = abut_pose_inverse_transform_point(&input->pose_b, outer);
    return fmaxf(abut_shape_distance(input->shape_a, at, NULL),
                 abut_shape_distance(input->shape_b, in_b, NULL));
}

static void check_poses(AbutShape* a, AbutShape* b, bool speculative, double height)
{
    TestRandom random = { 61 };
    AbutContact contacts[CAPACITY];
    int found = 0;
    for (int i = 0; i < TEST_ROUNDS(POSES); ++i)
    {
        AbutCollideInput input = abut_collide_input(a, b);
        AbutVec3 at = test_random_point(&random, height);
        input.pose_b = abut_pose_at((double)at.x, (double)at.y, (double)at.z);
        input.pose_b.rotation = test_random_rotation(&random);
        input.settings.margin = i % 3 == 0 ? 0.0f : (float)test_random_range(&random, 0.0, 0.1);
        input.settings.tolerance = 1e-3f;
        AbutSpeculativeInput other = test_speculative_input(&input);
        AbutCollideOutput output = speculative ? abut_speculative_contacts(&other, contacts, CAPACITY)
                                               : abut_collide(&input, contacts, CAPACITY);
        // What the search reaches, and what a point may gain on its way.
        float most = 0.5f * input.settings.margin + input.settings.tolerance + 0.04f * output.spacing;
        for (uint32_t k = 0; k < output.contact_count; ++k)
        {
            float further = furthest(&input, contacts[k].position);
            if (!(further <= most))
            {
                fail_msg("pose %d: a contact is %g from one of the solids, %g at most", i, (double)further,
                         (double)most);
            }
        }
        found += (int)output.contact_count;
    }
    assert_true(found > TEST_ROUNDS(POSES));
}

static void test_contacts_with_a_plane_are_at_the_body(void** state)
{
    (void)state;
    AbutShape *plane = NULL, *blend = make_blend();
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane), ABUT_OK);
    check_poses(plane, blend, false, 0.9);
    check_poses(plane, blend, true, 0.9);
    check_poses(blend, plane, true, 0.9);
    abut_shape_destroy(plane);
    abut_shape_destroy(blend);
}

static void test_contacts_of_two_bodies_are_at_both(void** state)
{
    (void)state;
    AbutShape* blend = make_blend();
    check_poses(blend, blend, false, 0.9);
    check_poses(blend, blend, true, 0.9);
    abut_shape_destroy(blend);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts_with_a_plane_are_at_the_body),
        cmocka_unit_test(test_contacts_of_two_bodies_are_at_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
