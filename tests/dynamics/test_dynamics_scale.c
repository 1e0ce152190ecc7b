// Rest does not depend on the unit of length: heaps of very small and very large bodies lie as heaps of any
// others do.
#include "support/worlds.h"

#include <math.h>

enum
{
    BALLS = 8,
    STEPS = TEST_IS_SANITIZED ? 30 : 120
};

typedef struct Heap
{
    AbutWorld* world;
    AbutBodyId balls[BALLS];
    double radius;
} Heap;

/// Balls of one size that fall into a square shaft a little wider than two of them.
static Heap make_heap(double radius, double gravity)
{
    AbutWorldDef def = abut_world_def();
    def.gravity = abut_vec3(0.0f, (float)-gravity, 0.0f);
    Heap heap = { .world = test_make_world_of(&def), .radius = radius };
    const AbutVec3 normals[5] = { { 0.0f, 1.0f, 0.0f },
                                  { 1.0f, 0.0f, 0.0f },
                                  { -1.0f, 0.0f, 0.0f },
                                  { 0.0f, 0.0f, 1.0f },
                                  { 0.0f, 0.0f, -1.0f } };
    for (int i = 0; i < 5; ++i)
    {
        AbutShape* plane = NULL;
        float offset = i == 0 ? 0.0f : (float)(-2.5 * radius);
        test_assert_result(abut_shape_create_plane(normals[i], offset, NULL, &plane), ABUT_OK);
        test_add_body(heap.world, plane, ABUT_BODY_STATIC, abut_pose_identity(), test_plain);
    }
    for (int i = 0; i < BALLS; ++i)
    {
        double x = (i % 2 == 0 ? -1.125 : 1.1875) * radius, z = (i / 2 % 2 == 0 ? -1.25 : 1.0625) * radius;
        AbutPose pose = abut_pose_at(x, (1.25 + 2.25 * (i / 4)) * radius, z);
        AbutBodyDef body = abut_body_def();
        body.shape = test_make_sphere((float)radius);
        body.pose = pose;
        heap.balls[i] = test_add_body_of(heap.world, &body);
    }
    return heap;
}

/// The exact penetration depth of all pairs of balls, and of balls in the walls, in radii.
static double exact_depth(const Heap* heap)
{
    double depth = 0.0, wall = 2.5 * heap->radius;
    for (int i = 0; i < BALLS; ++i)
    {
        AbutPosition p = abut_body_state(heap->world, heap->balls[i]).center;
        depth = fmax(depth, heap->radius - p.y);
        depth = fmax(depth, fmax(fabs(p.x), fabs(p.z)) + heap->radius - wall);
        for (int k = 0; k < i; ++k)
        {
            AbutPosition q = abut_body_state(heap->world, heap->balls[k]).center;
            depth = fmax(depth, 2.0 * heap->radius - test_position_distance(p, q));
        }
    }
    return depth / heap->radius;
}

/// A hundredth of a millimetre to a hundred metres, under the gravity of the earth, at 60 steps per second.
static void test_small_and_large_balls_lie_on_each_other_and_not_in(void** state)
{
    (void)state;
    const double radii[] = { 5e-6, 5e-5, 5e-3, 0.1, 50.0 };
    for (size_t i = 0; i < sizeof(radii) / sizeof(radii[0]); ++i)
    {
        Heap heap = make_heap(radii[i], 9.81);
        double worst = 0.0;
        AbutStepReport report = { 0 };
        // The largest need some seconds for a fall by their radius.
        int steps = radii[i] > 1.0 && !TEST_IS_SANITIZED ? 600 : STEPS;
        for (int step = 0; step < steps; ++step)
        {
            report = test_steps(heap.world, 1);
            worst = step >= steps - 10 ? fmax(worst, exact_depth(&heap)) : worst;
        }
        print_message("radius %g: %.4f radii deep, reported %.4f, at most %.4f; %u awake\n", radii[i], worst,
                      (double)report.max_penetration / radii[i],
                      (double)abut_world_penetration_bound(heap.world) / radii[i], report.awake_count);
        double lowest = INFINITY;
        for (int k = 0; k < BALLS; ++k)
        {
            lowest = fmin(lowest, abut_body_state(heap.world, heap.balls[k]).center.y / radii[i]);
        }
        if (!TEST_IS_SANITIZED && fabs(lowest - 1.0) > 0.02) // they have come down
        {
            fail_msg("the lowest ball of radius %g is %g radii high", radii[i], lowest);
        }
        if (!TEST_IS_SANITIZED && worst > 0.02)
        {
            fail_msg("balls of radius %g lie %g radii in each other", radii[i], worst);
        }
        abut_world_destroy(heap.world);
    }
}

/// Lengths and gravity in another unit, a power of two: constants that are not parts of sizes would show at
/// once. Contacts of convex solids are the same bits; cubes of contacts of fields depend on the unit
/// (docs/dynamics.md).
static void test_a_heap_in_another_unit_of_length_is_the_same_heap(void** state)
{
    (void)state;
    const double units[] = { 0x1p-10, 0x1p-4, 0x1p7 };
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); ++i)
    {
        Heap plain = make_heap(0.125, 9.8125), other = make_heap(0.125 * units[i], 9.8125 * units[i]);
        for (int step = 0; step < STEPS / 2; ++step)
        {
            test_steps(plain.world, 1);
            test_steps(other.world, 1);
        }
        for (int k = 0; k < BALLS; ++k)
        {
            AbutBodyState a = abut_body_state(plain.world, plain.balls[k]);
            AbutBodyState b = abut_body_state(other.world, other.balls[k]);
            test_assert_near(b.center.x / units[i], a.center.x, 0.0);
            test_assert_near(b.center.y / units[i], a.center.y, 0.0);
            test_assert_near(b.center.z / units[i], a.center.z, 0.0);
        }
        abut_world_destroy(plain.world);
        abut_world_destroy(other.world);
    }
}

/// Bodies that fall by several of their sizes in a step drive each other deep: they come out again, although
/// the springs of contacts as deep as that yield to the load of a column by a part of the size.
static void test_small_solids_come_out_of_each_other_after_an_impact(void** state)
{
    (void)state;
    for (int variant = 0; variant < 6; ++variant)
    {
        float size = (float[]){ 1e-3f, 2e-3f, 4e-3f }[variant % 3];
        AbutWorldDef def = abut_world_def();
        AbutWorld* world = test_make_world_of(&def);
        AbutShape* plane = NULL;
        test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane), ABUT_OK);
        test_add_body(world, plane, ABUT_BODY_STATIC, abut_pose_identity(), test_plain);
        for (int i = 0; i < 4; ++i)
        {
            AbutVec3 extents = abut_vec3(size, (0.5f + 0.1f * (float)(variant / 3)) * size, 0.75f * size);
            AbutShape* shape = NULL;
            AbutResult result = i == 2 ? abut_shape_create_cone(0.5f * size, 0.25f * size, size, NULL, &shape)
                                       : abut_shape_create_box(extents, NULL, &shape);
            test_assert_result(result, ABUT_OK);
            AbutPose pose = abut_pose_at(0.02 * i * (double)size, (0.6 + 1.75 * i) * (double)size, 0.0);
            test_add_body(world, shape, ABUT_BODY_DYNAMIC, pose, test_plain);
        }
        double fallen = 0.0;
        AbutStepReport report = { 0 };
        for (int step = 0; step < (TEST_IS_SANITIZED ? 30 : 120); ++step)
        {
            report = test_steps(world, 1);
            fallen = fmax(fallen, (double)report.max_penetration / (double)size);
        }
        print_message("size %g: %.4f sizes deep in the fall, %.4f after it\n", (double)size, fallen,
                      (double)report.max_penetration / (double)size);
        if (!TEST_IS_SANITIZED && (double)report.max_penetration > 0.02 * (double)size)
        {
            fail_msg("solids of size %g lie %g sizes in each other", (double)size,
                     (double)report.max_penetration / (double)size);
        }
        abut_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_and_large_balls_lie_on_each_other_and_not_in),
        cmocka_unit_test(test_small_solids_come_out_of_each_other_after_an_impact),
        cmocka_unit_test(test_a_heap_in_another_unit_of_length_is_the_same_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
