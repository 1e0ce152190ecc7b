// A nut on a bolt: surfaces that slide along each other all over.
#include "support/support.h"

#include <abut/bake.h>
#include <abut/mesh.h>
#include <abut/models.h>
#include <abut/toi.h>
#include <math.h>

enum
{
    CELLS = 96,
    BUDGET = 1 << 23
};

static const double FULL_ANGLE = 6.283185307179586;

typedef struct Thread
{
    AbutShape *bolt, *nut;
    double pitch, play, start;
} Thread;

static AbutShape* bake(AbutMesh* mesh)
{
    AbutBakeDef def = abut_bake_def();
    AbutShape* field = NULL;
    def.resolution = CELLS;
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
    abut_mesh_destroy(mesh);
    return field;
}

static Thread make_thread(void)
{
    AbutThreadMeshDef def = abut_thread_mesh_def();
    AbutMesh *bolt = NULL, *nut = NULL;
    def.clearance = 0.05f;
    test_assert_result(abut_mesh_create_bolt(&def, &bolt), ABUT_OK);
    float length = def.length;
    def.length = 0.4f * length;
    test_assert_result(abut_mesh_create_nut(&def, &nut), ABUT_OK);
    Thread made = { .pitch = (double)def.pitch, .play = 0.5 * (double)def.pitch };
    made.start = floor(0.5 * (double)(length - def.length) / made.pitch) * made.pitch;
    made.bolt = bake(bolt);
    made.nut = bake(nut);
    return made;
}

static Thread thread;

static int set_up(void** state)
{
    (void)state;
    thread = make_thread();
    return 0;
}

static int tear_down(void** state)
{
    (void)state;
    abut_shape_destroy(thread.bolt);
    abut_shape_destroy(thread.nut);
    return 0;
}

static AbutToiOutput drive(double angle, double push, double rotation)
{
    AbutToiInput input = abut_toi_input(thread.bolt, thread.nut);
    input.pose_b = abut_pose_at(0.0, thread.start + thread.pitch * angle / FULL_ANGLE, 0.0);
    input.pose_b.rotation = (AbutQuat){ 0.0f, (float)sin(0.5 * angle), 0.0f, (float)cos(0.5 * angle) };
    input.motion_b.linear = abut_vec3(0.0f, (float)(push + thread.pitch * rotation / FULL_ANGLE), 0.0f);
    input.motion_b.angular = abut_vec3(0.0f, (float)rotation, 0.0f);
    input.settings.tolerance = (float)(2e-3 * thread.pitch);
    input.settings.budget = BUDGET;
    return abut_time_of_impact(&input);
}

static void test_a_nut_that_rotates_with_the_thread_is_free(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        AbutToiOutput output = drive(1.3 * i, 0.0, (i == 0 ? 1.0 : -1.0) * FULL_ANGLE / 60.0);
        assert_int_equal(output.state, ABUT_TOI_MISS);
    }
}

static void test_a_nut_under_a_force_does_not_pass_a_thread(void** state)
{
    (void)state;
    for (int i = 0; i < 6; ++i)
    {
        double push = (i % 2 == 0 ? 1.0 : -1.0) * (1 + i / 2) * thread.pitch;
        AbutToiOutput output = drive(0.7 * i, push, i < 3 ? 0.0 : FULL_ANGLE / 60.0);
        assert_int_equal(output.state, ABUT_TOI_HIT);
        assert_true((double)output.time * fabs(push) < thread.play);
        assert_true(output.time > 0.0f); // there is play
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_nut_that_rotates_with_the_thread_is_free),
        cmocka_unit_test(test_a_nut_under_a_force_does_not_pass_a_thread),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
