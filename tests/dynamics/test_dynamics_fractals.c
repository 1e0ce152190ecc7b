// A formula that is no distance, the Menger sponge, also at three times the slope that it promises, and a
// ring come to rest on each other: by the point hull of the ring with the formula as it is, and by the
// default method with the formula corrected. Depths are those of surface points in the formula, in double.
#include "support/support.h"
#include "support/worlds.h"

#include <abut/points.h>
#include <math.h>

enum
{
    RING_POINTS = 400,
    TUBE_POINTS = 120,
    GRID = 81 // of the sponge: its holes are 27ths
};

static const double MAJOR = 0.35, MINOR = 0.12;

/// The size of both bodies, of which penetrations are fractions.
static const double SIZE = 1.0;

/// Of size 1 with three levels of holes: its slope is that of boxes, and it is a bound of the distance.
static double sponge(const double p[3])
{
    double deepest = -INFINITY, squared = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        double d = fabs(p[k]) - 0.5;
        deepest = fmax(deepest, d);
        squared += d > 0.0 ? d * d : 0.0;
    }
    double distance = sqrt(squared) + fmin(deepest, 0.0);
    for (double scale = 1.0; scale < 10.0; scale *= 3.0)
    {
        double r[3];
        for (int k = 0; k < 3; ++k)
        {
            double a = (p[k] + 0.5) * scale;
            r[k] = fabs((a - floor(a)) - 0.5); // in the cell of this level
        }
        double pairs[3] = { fmax(r[0], r[1]), fmax(r[1], r[2]), fmax(r[2], r[0]) };
        double cross = (1.0 / 6.0 - fmin(pairs[0], fmin(pairs[1], pairs[2]))) / scale;
        distance = fmax(distance, cross);
    }
    return distance;
}

/// `user` is the factor by which the formula is too steep.
static void steep_sponge(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    for (size_t i = 0; i < count; ++i)
    {
        const double p[3] = { points.x[i], points.y[i], points.z[i] };
        out.distance[i] = (float)(*(const double*)user * sponge(p));
    }
}

static AbutShape* make_sponge(const double* factor)
{
    AbutCallbackDef def = abut_callback_def();
    AbutShape* shape = NULL;
    def.function = steep_sponge;
    def.user = (void*)(uintptr_t)factor;
    def.bounds = abut_box(abut_vec3(-0.5f, -0.5f, -0.5f), abut_vec3(0.5f, 0.5f, 0.5f));
    def.gradient_step = 1e-3f;
    test_assert_result(abut_shape_create_callback(&def, &shape), ABUT_OK); // and promises a slope of 1
    return shape;
}

static AbutPointHull* hull_of_rings;

static AbutShape* make_ring(void)
{
    AbutShape* ring = test_make_torus((float)MAJOR, (float)MINOR);
    test_assert_result(abut_point_hull_attach(hull_of_rings, ring), ABUT_OK);
    return ring;
}

static int make_hull(void** state)
{
    (void)state;
    AbutPointHullDef def = abut_point_hull_def();
    AbutShape* ring = test_make_torus((float)MAJOR, (float)MINOR);
    def.error = 0.004f;
    test_assert_result(abut_point_hull_create(&def, ring, &hull_of_rings), ABUT_OK);
    abut_shape_destroy(ring);
    return 0;
}

static int destroy_hull(void** state)
{
    (void)state;
    abut_point_hull_destroy(hull_of_rings);
    return 0;
}

static void into_body(const AbutPose* pose, const double world[3], double out[3])
{
    AbutVec3 from = abut_vec3((float)(world[0] - pose->position.x), (float)(world[1] - pose->position.y),
                              (float)(world[2] - pose->position.z));
    AbutVec3 local = abut_quat_rotate(abut_quat_conjugate(pose->rotation), from);
    out[0] = (double)local.x;
    out[1] = (double)local.y;
    out[2] = (double)local.z;
}

static void out_of_body(const AbutPose* pose, const double local[3], double out[3])
{
    AbutVec3 at =
        abut_quat_rotate(pose->rotation, abut_vec3((float)local[0], (float)local[1], (float)local[2]));
    out[0] = pose->position.x + (double)at.x;
    out[1] = pose->position.y + (double)at.y;
    out[2] = pose->position.z + (double)at.z;
}

/// The deepest point of the ring's surface in the sponge.
static double ring_in_sponge(const AbutPose* ring, const AbutPose* below)
{
    double deepest = 0.0;
    for (int i = 0; i < RING_POINTS * TUBE_POINTS; ++i)
    {
        double u = 6.283185307179586 * (i % RING_POINTS) / RING_POINTS,
               v = 6.283185307179586 * (i / RING_POINTS) / TUBE_POINTS, r = MAJOR + MINOR * cos(v);
        const double local[3] = { r * cos(u), MINOR * sin(v), r * sin(u) };
        double world[3], at[3];
        out_of_body(ring, local, world);
        into_body(below, world, at);
        deepest = fmax(deepest, -sponge(at));
    }
    return deepest;
}

/// The deepest grid point of the sponge in the ring.
static double sponge_in_ring(const AbutPose* ring, const AbutPose* below)
{
    double deepest = 0.0;
    for (int i = 0; i < (GRID + 1) * (GRID + 1) * (GRID + 1); ++i)
    {
        const double local[3] = { (double)(i % (GRID + 1)) / GRID - 0.5,
                                  (double)(i / (GRID + 1) % (GRID + 1)) / GRID - 0.5,
                                  (double)(i / (GRID + 1) / (GRID + 1)) / GRID - 0.5 };
        double world[3], at[3];
        out_of_body(below, local, world);
        into_body(ring, world, at);
        double tube = sqrt(at[0] * at[0] + at[2] * at[2]) - MAJOR;
        double inside = MINOR - sqrt(tube * tube + at[1] * at[1]);
        deepest = inside > deepest && sponge(local) <= 1e-9 ? inside : deepest;
    }
    return deepest;
}

typedef struct Resting
{
    double penetration; // of the size
    double height;      // of the ring
    double speed;       // of the ring
    double sunk;        // of the sponge in the ground
} Resting;

/// Takes over both shapes. 5 seconds.
static Resting drop(AbutCollideMethod method, AbutShape* formula, AbutBodyKind kind, AbutShape* torus)
{
    AbutWorldDef def = abut_world_def();
    def.speculative.method = method;
    AbutWorld* world = test_make_world_of(&def);
    test_add_ground(world, 0.0, test_plain);
    AbutPose ground = abut_pose_at(0, kind == ABUT_BODY_STATIC ? 0.5 : 0.51, 0);
    AbutBodyId below = test_add_body(world, formula, kind, ground, test_plain);
    AbutPose start = abut_pose_at(0.02, 1.2, 0.01);
    start.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.0f, 0.3f), 0.2f);
    AbutBodyId above = test_add_body(world, torus, ABUT_BODY_DYNAMIC, start, test_plain);
    test_steps(world, TEST_IS_SANITIZED ? 30 : 300);
    AbutBodyState above_state = abut_body_state(world, above);
    AbutPose ring = above_state.pose, cube = abut_body_state(world, below).pose;
    double in_sponge = ring_in_sponge(&ring, &cube), in_ring = sponge_in_ring(&ring, &cube);
    Resting rest = { .penetration = fmax(in_sponge, in_ring) / SIZE,
                     .height = ring.position.y,
                     .speed = (double)abut_vec3_length(above_state.linear_velocity),
                     .sunk = 0.5 - cube.position.y };
    print_message(
        "%s: penetration %.5f of the size (ring in sponge %.5f, sponge in ring %.5f), ring at %.4f, "
        "%.2g m/s, sponge %.5f in the ground\n",
        abut_collide_method_name(method), rest.penetration, in_sponge, in_ring, rest.height, rest.speed,
        rest.sunk);
    abut_world_destroy(world);
    return rest;
}

static void check(Resting rest)
{
    if (!TEST_IS_SANITIZED)
    {
        assert_true(rest.penetration <= 0.01 && fabs(rest.sunk) <= 0.01);
        assert_true(rest.height > 1.0); // on top
        assert_true(rest.speed < 0.02);
    }
}

static void test_a_sponge_and_a_ring_come_to_rest_by_point_hull(void** state)
{
    (void)state;
    static const double factor = 1.0;
    check(drop(ABUT_COLLIDE_HULL, make_sponge(&factor), ABUT_BODY_DYNAMIC, make_ring()));
}

/// Mass properties of a function that is steeper than it promises are refused, so it stands still.
static void test_a_sponge_that_is_too_steep_carries_a_ring_by_its_point_hull(void** state)
{
    (void)state;
    static const double factor = 3.0;
    check(drop(ABUT_COLLIDE_HULL, make_sponge(&factor), ABUT_BODY_STATIC, make_ring()));
}

static void test_a_corrected_sponge_carries_a_ring_by_the_default_method(void** state)
{
    (void)state;
    static const double factor = 3.0;
    AbutShape *raw = make_sponge(&factor), *corrected = NULL;
    float slope = 0.0f;
    AbutBox box = abut_box(abut_vec3(-0.6f, -0.6f, -0.6f), abut_vec3(0.6f, 0.6f, 0.6f));
    test_assert_result(abut_shape_measure_slope(raw, box, 32, &slope), ABUT_OK);
    test_assert_result(abut_shape_create_corrected(raw, 1.05f * slope, NULL, &corrected), ABUT_OK);
    abut_shape_destroy(raw);
    check(drop(ABUT_COLLIDE_AUTOMATIC, corrected, ABUT_BODY_DYNAMIC, make_ring()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sponge_and_a_ring_come_to_rest_by_point_hull),
        cmocka_unit_test(test_a_sponge_that_is_too_steep_carries_a_ring_by_its_point_hull),
        cmocka_unit_test(test_a_corrected_sponge_carries_a_ring_by_the_default_method),
    };
    return cmocka_run_group_tests(tests, make_hull, destroy_hull);
}
