// Threads of all sizes: a nut without friction falls as its helix says, z'' = g / (1 + (I/m) (2π/p)²),
// whatever pitch, clearance, cells and unit of length.
#include "support/worlds.h"

#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.141592653589793

/// Steps per second.
enum
{
    RATE = 240
};

typedef struct ThreadCase
{
    double diameter, pitch; // millimetres
    double clearance;       // along the radius, in pitches
    double cells;           // per pitch
    AbutFieldFormat format;
    double unit;        // lengths per metre
    uint32_t divisions; // of the meshes, per turn
} ThreadCase;

static AbutShape* bake_mesh(AbutMesh* mesh, float cell_size, AbutFieldFormat format)
{
    AbutBakeDef def = abut_bake_def();
    AbutShape* field = NULL;
    def.cell_size = cell_size;
    def.sparse = true;
    def.format = format;
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
    return field;
}

/// A bolt of eight pitches and a nut of four, as thick as the standard has them, in the unit of the case.
static AbutThreadMeshDef thread_def(const ThreadCase* thread)
{
    double millimetre = 1e-3 * thread->unit;
    AbutThreadMeshDef def = abut_thread_mesh_def();
    def.major_radius = (float)(0.5 * thread->diameter * millimetre);
    def.pitch = (float)(thread->pitch * millimetre);
    def.depth = 0.6134f * def.pitch;
    def.clearance = (float)thread->clearance * def.pitch;
    def.divisions_per_turn = thread->divisions;
    def.length = 10.0f * def.pitch;
    def.head_radius = 1.8f * def.major_radius;
    def.head_height = 2.0f * def.pitch;
    return def;
}

/// Radians, after the landing on the flanks and from rest.
typedef struct Fall
{
    double angle, expected;
    double angle_from_rest, expected_from_rest;
} Fall;

static double angular_velocity_of(const AbutWorld* world, AbutBodyId nut)
{
    return -(double)abut_body_state(world, nut).angular_velocity.y;
}

static double angle_between(AbutQuat from, AbutQuat to)
{
    AbutQuat q = abut_quat_multiply(to, abut_quat_conjugate(from));
    double angle_now = 2.0 * atan2((double)q.y, (double)q.w);
    return angle_now > PI ? angle_now - 2.0 * PI : angle_now < -PI ? angle_now + 2.0 * PI : angle_now;
}

static AbutBodyId add_nut(AbutWorld* world, AbutShape* shape, double height, double pitch)
{
    AbutBodyDef def = abut_body_def();
    def.shape = shape;
    def.material = (AbutMaterial){ .friction = 0.0f };
    def.pose = abut_pose_at(0.0, height, 0.0);
    def.pose.rotation =
        abut_quat_from_axis_angle(abut_vec3(0.0f, 1.0f, 0.0f), (float)(2.0 * PI * fmod(height / pitch, 1.0)));
    return test_add_body_of(world, &def);
}

/// Without friction, flat facets hold a nut: a corner of the bolt passes the middle of a facet of the nut
/// nearer by the height of an arc over its chord, and the nut climbs by that times tan 30°. Over the first of
/// half a facet that is this part of the slope of the helix.
static double facet_slope(const ThreadCase* thread)
{
    return 2.0 * PI * PI * tan(PI / 6.0) * 0.5 * thread->diameter / thread->pitch / thread->divisions;
}

/// Facets up to this slope delay the start by less than 0.5 % of the fall.
#define FINE_FACETS 0.2

/// The nut turns from `height` over the head on.
static Fall run_fall(const ThreadCase* thread)
{
    AbutThreadMeshDef def = thread_def(thread);
    AbutMesh *bolt = NULL, *nut = NULL;
    test_assert_result(abut_mesh_create_bolt(&def, &bolt), ABUT_OK);
    def.length = 4.0f * def.pitch;
    test_assert_result(abut_mesh_create_nut(&def, &nut), ABUT_OK);
    AbutMassData mass = abut_mesh_mass(nut);
    double pitch = (double)def.pitch, gravity = 9.81 * thread->unit, per_length = 2.0 * PI / pitch;
    double gain = per_length * gravity / (1.0 + mass.inertia[1][1] / mass.volume * per_length * per_length);
    AbutWorldDef settings = abut_world_def();
    settings.gravity = abut_vec3(0.0f, (float)-gravity, 0.0f);
    AbutWorld* world = test_make_world_of(&settings);
    float cell = def.pitch / (float)thread->cells;
    test_add_body(world, bake_mesh(bolt, cell, thread->format), ABUT_BODY_STATIC, abut_pose_identity(),
                  (AbutMaterial){ .friction = 0.0f });
    AbutBodyId body = add_nut(world, bake_mesh(nut, cell, thread->format), 5.5 * pitch, pitch);
    abut_mesh_destroy(bolt);
    abut_mesh_destroy(nut);
    // It falls by four of the five and a half pitches; a third of the time is for it to land on its flanks.
    // From rest it falls freely through its play first, and the landing changes its momentum along the helix
    // by nothing.
    // A nut that wobbles in its play is higher or lower by 0.005 pitches without any loss of energy: 2 % of a
    // fall by a quarter of a pitch, but nothing of this one.
    int steps = (int)(RATE * sqrt(8.0 * 2.0 * PI / gain)), landing = steps / 3;
    double time = (double)(steps - landing) / RATE, all = (double)steps / RATE;
    double play = thread->clearance * pitch * tan(PI / 6.0);
    Fall fall = { .expected_from_rest = 0.5 * gain * (all * all - 2.0 * play / gravity) };
    AbutQuat last = abut_body_state(world, body).pose.rotation;
    for (int i = 0; i < steps; ++i)
    {
        if (i == landing)
        {
            fall.expected = (angular_velocity_of(world, body) + 0.5 * gain * time) * time;
        }
        test_assert_result(abut_world_step(world, 1.0f / RATE, NULL), ABUT_OK);
        AbutQuat now = abut_body_state(world, body).pose.rotation;
        fall.angle -= i < landing ? 0.0 : angle_between(last, now);
        fall.angle_from_rest -= angle_between(last, now);
        last = now;
    }
    abut_world_destroy(world);
    return fall;
}

static bool falls_as_helix_says(const ThreadCase* thread)
{
    Fall fall = run_fall(thread);
    double fraction = fall.angle / fall.expected, from_rest = fall.angle_from_rest / fall.expected_from_rest;
    bool is_fine = facet_slope(thread) <= FINE_FACETS;
    print_message("M%g x %g, clearance %g p, cells of p/%g, %s, %g per metre, %u divisions: %.4f of the "
                  "fall, %.4f from "
                  "rest%s\n",
                  thread->diameter, thread->pitch, thread->clearance, thread->cells,
                  abut_field_format_name(thread->format), thread->unit, thread->divisions, fraction,
                  from_rest, is_fine ? "" : " (held by its facets)");
    bool falls = fabs(fraction - 1.0) <= 0.02 && (!is_fine || fabs(from_rest - 1.0) <= 0.02);
    if (!falls)
    {
        print_error("the nut turns by %g radians instead of %g, and by %g instead of %g from rest\n",
                    fall.angle, fall.expected, fall.angle_from_rest, fall.expected_from_rest);
    }
    return falls;
}

/// ABUT_TEST_HEAVY: all sizes, clearances, cells and tessellations.
static void test_nuts_of_all_pitches_fall_as_their_helix_says(void** state)
{
    (void)state;
    const AbutFieldFormat f32 = ABUT_FIELD_F32, first = ABUT_FIELD_FIRST_ORDER;
    const ThreadCase cases[] = {
        { 4.0, 0.7, 0.1, 8.0, f32, 1000.0, 172 },        { 20.0, 2.5, 0.12, 10.0, first, 1.0, 240 },
        { 20.0, 2.5, 0.06, 8.0, f32, 1.0, 240 },         { 16.0, 1.5, 0.1, 8.0, f32, 1.0, 128 },
        { 36.0, 4.0, 0.1, 8.0, f32, 1.0, 128 },          { 4.0, 0.7, 0.1, 10.0, first, 1.0, 128 },
        { 8.0, 1.25, 0.06, 8.0, f32, 1.0, 128 },         { 8.0, 1.0, 0.12, 10.0, first, 1000.0, 128 },
        { 12.0, 1.75, 0.12, 8.0, f32, 1.0, 128 },        { 12.0, 1.75, 0.12, 10.0, first, 1.0, 128 },
        { 16.0, 2.0, 0.06, 12.0, f32, 1000.0, 128 },     { 16.0, 2.0, 0.1, 12.0, first, 1.0, 128 },
        { 20.0, 1.5, 0.1, 8.0, f32, 1.0, 128 },          { 24.0, 3.0, 0.06, 12.0, first, 1.0, 128 },
        { 30.0, 3.5, 0.2, 8.0, f32, 1.0, 128 },          { 36.0, 4.0, 0.12, 12.0, first, 1.0, 128 },
        { 6.0, 1.0, 0.08, 9.0, first, 1000.0, 128 },     { 8.0, 1.25, 0.15, 11.0, first, 1.0, 96 },
        { 14.0, 2.0, 0.06, 13.0, first, 1.0, 256 },      { 18.0, 2.5, 0.2, 8.0, first, 1000.0, 128 },
        { 22.0, 1.5, 0.1, 14.0, first, 1.0, 64 },        { 27.0, 3.0, 0.12, 9.0, first, 1.0, 200 },
        { 33.0, 3.5, 0.06, 10.0, first, 1000.0, 128 },   { 3.0, 0.5, 0.16, 12.0, first, 1.0, 128 },
        { 12.0, 1.25, 0.2, 14.0, first, 1000.0, 128 },   { 42.0, 4.5, 0.08, 8.0, first, 1.0, 128 },
        { 20.0, 2.0, 0.1, 11.0, first, 1.0, 128 },       { 10.0, 1.0, 0.06, 14.0, first, 1000.0, 192 },
        { 5.0, 0.8, 0.06, 8.0, first, 1.0, 128 },        { 5.0, 0.8, 0.2, 12.0, first, 1.0, 128 },
        { 10.0, 1.5, 0.06, 8.0, first, 1.0, 128 },       { 10.0, 1.5, 0.2, 14.0, first, 1.0, 128 },
        { 16.0, 2.0, 0.06, 8.0, first, 1.0, 128 },       { 16.0, 2.0, 0.06, 14.0, first, 1.0, 128 },
        { 5.0, 0.8, 0.2, 12.0, f32, 1.0, 128 },          { 10.0, 1.5, 0.2, 14.0, f32, 1000.0, 128 },
        { 10.0, 1.5, 0.06, 10.0, first, 1.0, 128 },      { 42.0, 3.0, 0.103, 12.0, first, 1.0, 64 },
        { 30.0, 2.0, 0.06, 8.0, first, 1.0, 128 },       { 30.0, 2.0, 0.1, 10.0, first, 1.0, 128 },
        { 14.0, 1.5, 0.106, 10.4, first, 1000.0, 128 },  { 14.0, 1.5, 0.106, 10.4, first, 1000.0, 512 },
        { 39.0, 3.0, 0.0735, 9.62, first, 1000.0, 390 }, { 18.0, 1.5, 0.106, 8.535, first, 1000.0, 360 },
        { 3.0, 0.35, 0.18, 9.25, f32, 1.0, 253 },        { 3.0, 0.35, 0.1388, 11.43, first, 1.0, 314 },
        { 3.0, 0.35, 0.190902, 12.5783, f32, 1.0, 324 },
    };
    const char* heavy = getenv("ABUT_TEST_HEAVY");
    size_t count = heavy != NULL && heavy[0] != '\0' ? sizeof(cases) / sizeof(cases[0]) : 2;
    size_t wrong = 0;
    for (size_t i = 0; i < (TEST_IS_SANITIZED ? 1 : count); ++i)
    {
        wrong += falls_as_helix_says(&cases[i]) ? 0 : 1;
    }
    assert_int_equal(wrong, 0);
}

static ThreadCase random_case(TestRandom* random, AbutFieldFormat format)
{
    static const double sizes[][3] = {
        // diameter, coarse and fine pitch
        { 3.0, 0.5, 0.35 }, { 4.0, 0.7, 0.5 },    { 5.0, 0.8, 0.5 },  { 6.0, 1.0, 0.75 }, { 8.0, 1.25, 1.0 },
        { 10.0, 1.5, 1.0 }, { 12.0, 1.75, 1.25 }, { 14.0, 2.0, 1.5 }, { 16.0, 2.0, 1.5 }, { 18.0, 2.5, 1.5 },
        { 20.0, 2.5, 2.0 }, { 22.0, 2.5, 1.5 },   { 24.0, 3.0, 2.0 }, { 27.0, 3.0, 2.0 }, { 30.0, 3.5, 2.0 },
        { 33.0, 3.5, 2.0 }, { 36.0, 4.0, 3.0 },   { 39.0, 4.0, 3.0 }, { 42.0, 4.5, 3.0 },
    };
    const double* size = sizes[(size_t)test_random_range(random, 0.0, sizeof(sizes) / sizeof(sizes[0]))];
    ThreadCase thread = { size[0], size[test_random_unit(random) < 0.5 ? 1 : 2], .format = format,
                          .divisions = 1 };
    const char* only = getenv("ABUT_TEST_NUT_SIZE");
    if (only != NULL)
    {
        assert_int_equal(sscanf(only, "%lfx%lf", &thread.diameter, &thread.pitch), 2);
    }
    thread.clearance = test_random_range(random, 0.06, 0.2);
    thread.cells = test_random_range(random, 8.0, 14.0);
    thread.unit = test_random_unit(random) < 0.5 ? 1.0 : 1000.0;
    thread.divisions =
        (uint32_t)ceil(facet_slope(&thread) / FINE_FACETS * test_random_range(random, 1.0, 1.5));
    return thread;
}

/// ABUT_TEST_NUTS: their number of each order, M3 to M42. ABUT_TEST_SEED. ABUT_TEST_NUT_SIZE: all of this
/// size, as 3x0.35.
static void test_random_nuts_fall_as_their_helix_says(void** state)
{
    (void)state;
    const char *count = getenv("ABUT_TEST_NUTS"), *seed = getenv("ABUT_TEST_SEED");
    if (count == NULL)
    {
        skip();
    }
    TestRandom random = { seed != NULL ? strtoull(seed, NULL, 10) : 16 };
    size_t wrong = 0;
    for (unsigned long i = 0; i < 2 * strtoul(count, NULL, 10); ++i)
    {
        ThreadCase thread = random_case(&random, i % 2 == 0 ? ABUT_FIELD_FIRST_ORDER : ABUT_FIELD_F32);
        wrong += falls_as_helix_says(&thread) ? 0 : 1;
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nuts_of_all_pitches_fall_as_their_helix_says),
        cmocka_unit_test(test_random_nuts_fall_as_their_helix_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
