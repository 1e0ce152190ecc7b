// Speculative contacts: none is missed, none is far, and separations are proved.
#include "support/shapes.h"
#include "support/support.h"

#include <abut/abut.h>
#include <math.h>

enum
{
    MOST = 512
};

static float deepest(const AbutContact* contacts, uint32_t count)
{
    float least = INFINITY;
    for (uint32_t i = 0; i < count; ++i)
    {
        least = fminf(least, contacts[i].separation);
    }
    return least;
}

static AbutShape* make_field(const AbutShape* shape)
{
    AbutShape* field = NULL;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 48;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    return field;
}

static AbutPose pose_of(int i)
{
    const double displacement = 0.35 + 0.013 * (i % 40);
    AbutPose pose = abut_pose_at(displacement * cos(0.7 * i) * cos(0.3 * i), displacement * sin(0.3 * i),
                                 displacement * sin(0.7 * i) * cos(0.3 * i));
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, (float)(i % 5) - 2.0f, 0.5f), 0.4f * (float)i);
    return pose;
}

/// Against abut_collide() with the same margin, and against proved distances.
static void compare(const AbutShape* a, const AbutShape* b, float margin, float slack)
{
    static AbutContact all[MOST], some[MOST];
    int found = 0, apart = 0;
    for (int i = 0; i < 120; ++i)
    {
        AbutCollideInput input = abut_collide_input(a, b);
        input.pose_b = pose_of(i);
        input.settings.margin = margin;
        AbutCollideOutput full = abut_collide(&input, all, MOST);
        AbutSpeculativeInput speculative = test_speculative_input(&input);
        AbutCollideOutput quick = abut_speculative_contacts(&speculative, some, MOST);
        AbutDistanceInput distance = abut_distance_input(a, b);
        distance.pose_b = input.pose_b;
        AbutDistanceOutput truth = abut_distance(&distance);
        if (quick.state == ABUT_COLLIDE_SEPARATED)
        {
            assert_true(quick.gap >= margin && quick.gap <= truth.high + 1e-5f);
            assert_int_equal(quick.contact_count, 0);
            ++apart;
            continue;
        }
        assert_int_equal(quick.state, ABUT_COLLIDE_UNDECIDED);
        if (full.contact_count > 0 && deepest(all, full.contact_count) < margin - slack)
        {
            assert_true(quick.contact_count > 0);
            float least = deepest(some, quick.contact_count);
            if (truth.state == ABUT_COLLIDE_SEPARATED)
            {
                assert_true(least <= truth.high + slack); // a sum of distances may be less than the gap
            }
            else
            {
                test_assert_near(least, deepest(all, full.contact_count), 2.0f * slack);
            }
            ++found;
        }
    }
    assert_true(found > 20 && apart > 10);
}

static void test_the_deepest_contact_is_found_without_a_proof(void** state)
{
    (void)state;
    AbutShape *torus = test_make_torus(0.25f, 0.08f), *box = test_make_box(0.5f, 0.3f, 0.2f);
    AbutShape *field = make_field(torus), *other = make_field(box);
    compare(torus, box, 0.02f, 0.004f);
    compare(field, other, 0.02f, 0.006f);
    compare(field, box, 0.05f, 0.006f);
    compare(field, field, 0.1f, 0.01f);
    abut_shape_destroy(torus);
    abut_shape_destroy(box);
    abut_shape_destroy(field);
    abut_shape_destroy(other);
}

static float margin_of(void* user, uint32_t a, uint32_t b)
{
    (void)user;
    return 0.01f * (float)(a + 2 * b);
}

static void test_pairs_have_margins_of_their_own(void** state)
{
    (void)state;
    AbutShape* ball = test_make_sphere(0.5f);
    AbutCollideBody bodies[4];
    for (int i = 0; i < 4; ++i)
    {
        bodies[i] = (AbutCollideBody){ ball, abut_pose_at(1.03 * i, 0.0, 0.0) };
    }
    const AbutBodyPair pairs[] = { { 2, 3 }, { 0, 1 }, { 1, 2 }, { 0, 1 } };
    AbutCollider* collider = NULL;
    AbutCollideResults results;
    AbutSpeculativeSettings settings = abut_speculative_settings();
    settings.pair_margin = margin_of;
    test_assert_result(abut_collider_create(NULL, &collider), ABUT_OK);
    test_assert_result(
        abut_speculative_pairs(collider, &(AbutPairsInput){ bodies, 4, pairs, 4 }, &settings, &results),
        ABUT_OK);
    assert_int_equal(results.pair_count, 3);
    // Gaps are 0.03; margins 0.02, 0.05 and 0.08.
    assert_int_equal(results.pairs[0].output.state, ABUT_COLLIDE_SEPARATED);
    for (int i = 1; i < 3; ++i)
    {
        assert_true(results.pairs[i].output.contact_count > 0);
        const AbutContact* contacts = results.contacts + results.pairs[i].first_contact;
        test_assert_near(deepest(contacts, results.pairs[i].output.contact_count), 0.03f, 1e-3);
    }
    abut_collider_destroy(collider);
    abut_shape_destroy(ball);
}

/// Of the plates side by side, only the first pair wants finer contacts.
static float spacing_of(void* user, uint32_t a, uint32_t b)
{
    const float* finer = user;
    return a == 0 && b == 1 ? *finer : 0.0f;
}

static void test_pairs_have_spacings_of_their_own(void** state)
{
    (void)state;
    AbutShape* plate = test_make_box(1.0f, 0.1f, 1.0f);
    AbutCollideBody bodies[3];
    for (int i = 0; i < 3; ++i)
    {
        bodies[i] = (AbutCollideBody){ plate, abut_pose_at(0.0, 0.101 * i, 0.0) };
    }
    const AbutBodyPair pairs[] = { { 0, 1 }, { 1, 2 } };
    float finer = 0.02f;
    AbutCollider* collider = NULL;
    AbutCollideResults results;
    AbutSpeculativeSettings settings = abut_speculative_settings();
    settings.method = ABUT_COLLIDE_ADAPTIVE;
    settings.margin = 0.01f;
    settings.pair_spacing = spacing_of;
    settings.pair_spacing_user = &finer;
    test_assert_result(abut_collider_create(NULL, &collider), ABUT_OK);
    test_assert_result(
        abut_speculative_pairs(collider, &(AbutPairsInput){ bodies, 3, pairs, 2 }, &settings, &results),
        ABUT_OK);
    assert_true(results.pairs[0].output.spacing < 0.05f && results.pairs[1].output.spacing > 0.05f);
    assert_true(results.pairs[0].output.contact_count > 4 * results.pairs[1].output.contact_count);
    finer = 0.0f; // nothing has moved, but what was found does not do
    test_assert_result(
        abut_speculative_pairs(collider, &(AbutPairsInput){ bodies, 3, pairs, 2 }, &settings, &results),
        ABUT_OK);
    assert_true(results.pairs[0].output.spacing == results.pairs[1].output.spacing);
    abut_collider_destroy(collider);
    abut_shape_destroy(plate);
}

/// Else ids of a body that turns would be others from step to step.
static void test_the_spacing_does_not_depend_on_rotations(void** state)
{
    (void)state;
    AbutShape *box = test_make_box(0.5f, 0.3f, 0.2f), *ground = test_make_box(4.0f, 1.0f, 4.0f);
    AbutSpeculativeInput input = abut_speculative_input(ground, box);
    input.settings.margin = 0.05f;
    input.settings.method = ABUT_COLLIDE_ADAPTIVE;
    for (int i = 0; i < 12; ++i)
    {
        static AbutContact contacts[2048];
        input.pose_b = abut_pose_at(0.0, 0.65, 0.0);
        input.pose_b.rotation = abut_quat_from_axis_angle(abut_vec3(0.2f, 1.0f, 0.1f), 0.5f * (float)i);
        AbutCollideOutput output = abut_speculative_contacts(&input, contacts, 2048);
        assert_true(output.contact_count > 0);
        test_assert_near(output.spacing, 0.5 / 12.0, 1e-6);
    }
    abut_shape_destroy(box);
    abut_shape_destroy(ground);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_deepest_contact_is_found_without_a_proof),
        cmocka_unit_test(test_pairs_have_margins_of_their_own),
        cmocka_unit_test(test_pairs_have_spacings_of_their_own),
        cmocka_unit_test(test_the_spacing_does_not_depend_on_rotations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
