// What include/abut/contact.h and narrow.h say of contacts, sentence by sentence, on random pairs of
// formulas.
#include "support/shapes.h"
#include "support/support.h"

#include "contact/contact_grid.h"

#include <abut/narrow.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    CAPACITY = 2048,
    SHAPES = 5
};

static AbutContact contacts[CAPACITY];
static int ties; // contacts whose normal is not the gradient

/// Exact distances, inside and outside.
static void create_shapes(AbutShape* shapes[SHAPES])
{
    shapes[0] = test_make_sphere(0.5f);
    shapes[1] = test_make_box(0.9f, 0.5f, 0.7f);
    shapes[2] = test_make_torus(0.4f, 0.15f);
    test_assert_result(abut_shape_create_capsule(0.2f, 0.6f, NULL, &shapes[3]), ABUT_OK);
    test_assert_result(abut_shape_create_cylinder(0.3f, 0.8f, NULL, &shapes[4]), ABUT_OK);
}

static AbutPose random_pose(TestRandom* random, double reach, double scale)
{
    AbutVec3 at = test_random_point(random, reach);
    AbutPose pose = abut_pose_at((double)at.x, (double)at.y, (double)at.z);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)scale;
    return pose;
}

/// A random pair; sizes in units of A are about 1.
static AbutCollideInput random_input(AbutShape* const shapes[SHAPES], TestRandom* random)
{
    double scale = pow(10.0, test_random_range(random, -2.0, 2.0));
    const AbutShape* a = shapes[test_random_bits(random) % SHAPES];
    const AbutShape* b = shapes[test_random_bits(random) % SHAPES];
    AbutCollideInput input = abut_collide_input(a, b);
    input.pose_a = random_pose(random, 3.0 * scale, scale);
    double relative = test_random_range(random, 0.5, 2.0);
    AbutPose between = random_pose(random, 0.6, relative);
    input.pose_b = abut_pose_multiply(&input.pose_a, &between);
    input.settings.spacing = 0.1f;
    return input;
}

/// Distances and gradients of both at a point of A's frame, in units of A.
typedef struct Answer
{
    float distance[2];
    AbutVec3 gradient[2];
} Answer;

static Answer answer_at(const AbutCollideInput* input, AbutVec3 at)
{
    AbutPose relative = abut_pose_relative(&input->pose_a, &input->pose_b);
    Answer answer;
    float* g[2] = { &answer.gradient[0].x, &answer.gradient[1].x };
    AbutPoints points = { &at.x, &at.y, &at.z };
    AbutSamples a = { &answer.distance[0], g[0], g[0] + 1, g[0] + 2 };
    AbutSamples b = { &answer.distance[1], g[1], g[1] + 1, g[1] + 2 };
    abut_shape_sample(input->shape_a, NULL, points, 1, a);
    abut_shape_sample(input->shape_b, &relative, points, 1, b);
    return answer;
}

static float size_of(const AbutShape* shape)
{
    AbutVec3 e = abut_box_extents(abut_shape_info(shape).bounds);
    return fmaxf(e.x, fmaxf(e.y, e.z));
}

static void check_position_and_separation(const AbutContact* c, const Answer* answer, float reach,
                                          bool is_sum)
{
    float a = answer->distance[0], b = answer->distance[1];
    assert_true(a <= reach && b <= reach);
    test_assert_near(c->separation, is_sum && (a > 0.0f || b > 0.0f) ? a + b : fminf(a, b), 2e-5);
    test_assert_near(abut_vec3_length(c->normal), 1.0, 1e-5);
    // On an edge, and between faces that are equally near, rounding decides which of them has the normal.
    bool is_tie = !(abut_vec3_dot(c->normal, answer->gradient[1]) > 1.0f - 1e-4f);
    ties += is_tie && fabsf(b) > 1e-5f ? 1 : 0;
    assert_true(c->depth == 0.0f && c->depth_error == 0.0f && c->shared_length == 0.0f);
}

/// On the surface, and as far from the contact as the surface is.
static void check_anchor(const AbutShape* shape, AbutVec3 anchor, AbutVec3 from, float scale, float distance)
{
    float on = abut_shape_distance(shape, anchor, NULL) * scale;
    float away = abut_vec3_length(abut_vec3_sub(anchor, from)) * scale;
    test_assert_near(on, 0.0, 2e-5);
    test_assert_near(away, fabsf(distance), 2e-5);
}

static void test_contacts_have_the_members_that_are_documented(void** state)
{
    (void)state;
    AbutShape* shapes[SHAPES];
    TestRandom random = { 1200 };
    create_shapes(shapes);
    int count = 0;
    for (int i = 0; i < TEST_ROUNDS(300); ++i)
    {
        AbutCollideInput input = random_input(shapes, &random);
        AbutPose relative = abut_pose_relative(&input.pose_a, &input.pose_b);
        bool particles = i % 4 >= 2;
        input.settings.margin = i % 2 == 0 ? 0.0f : 0.04f;
        input.settings.method = particles ? ABUT_COLLIDE_PARTICLES : ABUT_COLLIDE_ADAPTIVE;
        AbutSpeculativeInput speculative = test_speculative_input(&input);
        AbutCollideOutput output = !particles && i % 8 >= 4
                                       ? abut_speculative_contacts(&speculative, contacts, CAPACITY)
                                       : abut_collide(&input, contacts, CAPACITY);
        float size = fminf(size_of(input.shape_a), 1.8f * relative.scale * size_of(input.shape_b));
        for (uint32_t k = 0; k < output.contact_count; ++k)
        {
            const AbutContact* c = &contacts[k];
            Answer answer = answer_at(&input, c->position);
            AbutPosition at = { (double)c->position.x, (double)c->position.y, (double)c->position.z };
            check_position_and_separation(c, &answer, 1e-3f * size + 0.5f * input.settings.margin + 1e-5f,
                                          !particles || input.settings.margin > 0.0f);
            check_anchor(input.shape_a, c->anchor_a, c->position, 1.0f, answer.distance[0]);
            check_anchor(input.shape_b, c->anchor_b, abut_pose_inverse_transform_point(&relative, at),
                         relative.scale, answer.distance[1]);
            count += 1;
        }
    }
    assert_true(count > (TEST_IS_SANITIZED ? 500 : 5000) && ties <= 0.001 * count);
    for (int i = 0; i < SHAPES; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

static void test_ids_are_cubes_of_the_spacing_near_their_contacts(void** state)
{
    (void)state;
    AbutShape* shapes[SHAPES];
    TestRandom random = { 1201 };
    create_shapes(shapes);
    int count = 0, beside = 0;
    double furthest = 0.0;
    for (int i = 0; i < TEST_ROUNDS(300); ++i)
    {
        AbutCollideInput input = random_input(shapes, &random);
        input.settings.method = ABUT_COLLIDE_ADAPTIVE; // closed forms have ids of features
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        assert_true(output.spacing >= input.settings.spacing || output.contact_count == 0);
        const AbutDVec3 origin = abut_dvec3_zero(); // positions are in the frame of A
        AbutContactLattice grid = abut_contact_lattice(output.spacing > 0.0f ? output.spacing : 1.0f, origin);
        for (uint32_t k = 0; k < output.contact_count; ++k)
        {
            const float at[3] = { contacts[k].position.x, contacts[k].position.y, contacts[k].position.z };
            assert_true(k == 0 || contacts[k - 1].id < contacts[k].id);
            double away = 0.0;
            for (int axis = 0; axis < 3; ++axis)
            {
                double in_cubes = (double)at[axis] * grid.per_length + grid.shift[axis];
                double grid_cell = (double)(contacts[k].id >> (ABUT_CONTACT_CELL_BITS * axis) & 0x1FFFFF);
                away = fmax(away, fmax(grid_cell - in_cubes, in_cubes - grid_cell - 1.0));
            }
            beside += away > 1e-3 ? 1 : 0;
            furthest = fmax(furthest, away);
            count += 1;
        }
    }
    print_message("%d of %d contacts moved out of their cubes, by up to %.3g of the spacing\n", beside, count,
                  furthest);
    assert_true(beside <= 0.1 * count);
    for (int i = 0; i < SHAPES; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

static int compare_separations(const void* a, const void* b)
{
    float p = ((const AbutContact*)a)->separation, q = ((const AbutContact*)b)->separation;
    return p < q ? -1 : (p > q ? 1 : 0);
}

static void test_an_array_that_is_too_small_gets_the_deepest(void** state)
{
    (void)state;
    static AbutContact few[CAPACITY];
    AbutShape* shapes[SHAPES];
    TestRandom random = { 1202 };
    create_shapes(shapes);
    for (int i = 0; i < TEST_ROUNDS(200); ++i)
    {
        AbutCollideInput input = random_input(shapes, &random);
        AbutCollideOutput all = abut_collide(&input, contacts, CAPACITY);
        uint32_t capacity = (uint32_t)(test_random_bits(&random) % 12) + 1;
        AbutCollideOutput some = abut_collide(&input, few, capacity);
        assert_int_equal(all.contact_total, all.contact_count);
        assert_int_equal(some.contact_total, all.contact_total);
        assert_int_equal(some.contact_count, all.contact_total < capacity ? all.contact_total : capacity);
        assert_true(some.state == all.state && some.gap == all.gap && some.spacing == all.spacing);
        qsort(contacts, (size_t)all.contact_count, sizeof(contacts[0]), compare_separations);
        qsort(few, (size_t)some.contact_count, sizeof(few[0]), compare_separations);
        for (uint32_t k = 0; k < some.contact_count; ++k)
        {
            assert_true(few[k].separation == contacts[k].separation);
        }
    }
    for (int i = 0; i < SHAPES; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts_have_the_members_that_are_documented),
        cmocka_unit_test(test_ids_are_cubes_of_the_spacing_near_their_contacts),
        cmocka_unit_test(test_an_array_that_is_too_small_gets_the_deepest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
