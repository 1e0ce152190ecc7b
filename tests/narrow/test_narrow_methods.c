// The table of pairs: every pair of kinds has one method in either order, and forced methods serve or refuse.
#include "support/shapes.h"
#include "support/support.h"

#include <abut/abut.h>
#include <string.h>

enum
{
    CAPACITY = 2048
};

static AbutPose tilted(double x, double y, double z)
{
    AbutPose pose = abut_pose_at(x, y, z);
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.3f, -0.5f, 0.8f), 0.7f);
    return pose;
}

/// One shape of each kind that needs no file; the caller destroys them.
static int make_shapes(AbutShape* shapes[ABUT_SHAPE_KIND_COUNT])
{
    AbutShape* box = test_make_box(1.0f, 0.75f, 0.5f);
    AbutShape* ball = test_make_sphere(0.5f);
    AbutShape* pair[2] = { box, ball };
    AbutPose pose = tilted(0.2, 0.1, -0.3);
    int count = 0;
    shapes[count++] = ball;
    shapes[count++] = box;
    abut_shape_create_rounded_box(abut_vec3(1.0f, 0.5f, 0.75f), 0.125f, NULL, &shapes[count++]);
    abut_shape_create_capsule(0.25f, 0.5f, NULL, &shapes[count++]);
    abut_shape_create_cylinder(0.25f, 0.5f, NULL, &shapes[count++]);
    abut_shape_create_cone(0.5f, 0.0f, 0.5f, NULL, &shapes[count++]);
    abut_shape_create_torus(0.5f, 0.2f, NULL, &shapes[count++]);
    abut_shape_create_union(pair, 2, NULL, &shapes[count++]);
    abut_shape_create_offset(box, 0.05f, NULL, &shapes[count++]);
    abut_shape_create_offset(box, -0.05f, NULL, &shapes[count++]);
    abut_shape_create_shell(ball, 0.1f, NULL, &shapes[count++]);
    abut_shape_create_transformed(box, &pose, NULL, &shapes[count++]);
    abut_shape_create_corrected(ball, 1.5f, NULL, &shapes[count++]);
    AbutBakeDef def = abut_bake_def();
    def.resolution = 24;
    test_assert_result(abut_bake_shape(&def, ball, &shapes[count++]), ABUT_OK);
    return count;
}

static void test_the_method_of_a_pair_is_the_same_in_either_order(void** state)
{
    (void)state;
    AbutShape* shapes[ABUT_SHAPE_KIND_COUNT] = { NULL };
    int count = make_shapes(shapes);
    for (int i = 0; i < count * count; ++i)
    {
        const AbutShape *a = shapes[i / count], *b = shapes[i % count];
        AbutCollideMethod method = abut_collide_method_of(a, b);
        assert_int_equal(method, abut_collide_method_of(b, a));
        assert_int_not_equal(method, ABUT_COLLIDE_AUTOMATIC);
        assert_true(abut_collide_method_serves(method, a, b));
        assert_true(abut_collide_method_serves(ABUT_COLLIDE_AUTOMATIC, a, b));
        assert_true(abut_collide_method_serves(ABUT_COLLIDE_ADAPTIVE, a, b));
    }
    assert_false(abut_collide_method_serves(ABUT_COLLIDE_METHOD_COUNT, shapes[0], shapes[0]));
    for (int i = 0; i < count; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

/// Equal results but for their times.
static void check_equal(AbutCollideOutput a, const AbutContact* contacts_a, AbutCollideOutput b,
                        const AbutContact* contacts_b)
{
    assert_int_equal(a.state, b.state);
    test_assert_near(a.gap, b.gap, 0.0);
    assert_int_equal(a.contact_count, b.contact_count);
    assert_int_equal(a.contact_total, b.contact_total);
    assert_memory_equal(contacts_a, contacts_b, a.contact_count * sizeof(AbutContact));
}

static void test_automatic_is_the_method_of_the_pair(void** state)
{
    (void)state;
    static AbutContact automatic[CAPACITY], forced[CAPACITY];
    AbutShape* shapes[ABUT_SHAPE_KIND_COUNT] = { NULL };
    int count = make_shapes(shapes);
    for (int i = 0; i < count * count; ++i)
    {
        AbutCollideInput input = abut_collide_input(shapes[i / count], shapes[i % count]);
        AbutCollideCache cache = { 0 };
        input.pose_b = tilted(0.6, 0.25, -0.1);
        input.settings.budget = 1u << 14;
        assert_int_equal(input.settings.method, ABUT_COLLIDE_AUTOMATIC);
        AbutCollideOutput with = abut_collide(&input, automatic, CAPACITY);
        input.settings.method = abut_collide_method_of(input.shape_a, input.shape_b);
        check_equal(with, automatic, abut_collide(&input, forced, CAPACITY), forced);
        input.cache = &cache;
        AbutCollideOutput warm = { 0 };
        for (int k = 0; k < 2; ++k)
        {
            warm = abut_collide(&input, forced, CAPACITY);
        }
        assert_int_equal(warm.state, with.state);
        AbutSpeculativeInput speculative = test_speculative_input(&input);
        AbutCollideOutput found = abut_speculative_contacts(&speculative, forced, CAPACITY);
        assert_true(found.state == ABUT_COLLIDE_UNDECIDED || found.state == ABUT_COLLIDE_SEPARATED);
    }
    for (int i = 0; i < count; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

static void test_methods_that_cannot_serve_a_pair_are_refused_with_the_reason(void** state)
{
    (void)state;
    static AbutContact contacts[CAPACITY];
    AbutShape* shapes[ABUT_SHAPE_KIND_COUNT] = { NULL };
    int count = make_shapes(shapes);
    for (int i = 0; i < count * count * ABUT_COLLIDE_METHOD_COUNT; ++i)
    {
        AbutCollideInput input = abut_collide_input(shapes[i / count % count], shapes[i % count]);
        input.settings.method = (AbutCollideMethod)(i / count / count);
        input.settings.budget = 1u << 12;
        if (abut_collide_method_serves(input.settings.method, input.shape_a, input.shape_b))
        {
            continue;
        }
        abut_fail(ABUT_OK, " ");
        assert_int_equal(abut_collide(&input, contacts, CAPACITY).state, ABUT_COLLIDE_INVALID);
        assert_non_null(strstr(abut_last_error(), abut_collide_method_name(input.settings.method)));
        assert_non_null(strstr(abut_last_error(), " needs "));
    }
    AbutSpeculativeInput particles = abut_speculative_input(shapes[0], shapes[1]);
    particles.settings.method = ABUT_COLLIDE_PARTICLES;
    assert_int_equal(abut_speculative_contacts(&particles, contacts, CAPACITY).state, ABUT_COLLIDE_INVALID);
    assert_non_null(strstr(abut_last_error(), "particles has no speculative contacts"));
    for (int i = 0; i < count; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_method_of_a_pair_is_the_same_in_either_order),
        cmocka_unit_test(test_automatic_is_the_method_of_the_pair),
        cmocka_unit_test(test_methods_that_cannot_serve_a_pair_are_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
