// Contacts of slow motion are the same contacts: ids stay, and the patch that they cover stays where it is.
#include "support/support.h"

#include <abut/bake.h>
#include <abut/models.h>
#include <abut/narrow.h>
#include <math.h>

enum
{
    CAPACITY = 2048,
    STEPS = 60
};

static const double DEGREE = 0.017453292519943295;

/// The contacts of a step.
typedef struct Step
{
    AbutContact contacts[CAPACITY];
    int count;
    double middle[3]; // of their places, in the frame of A
} Step;

/// What became of the contacts from step to step.
typedef struct Record
{
    int steps;
    double kept, least_kept; // part of the ids of a step that the next one has
    double furthest;         // that the patch moved in a step
    double contacts;
} Record;

static void take_step(const AbutCollideInput* input, Step* step)
{
    AbutCollideOutput output = abut_collide(input, step->contacts, CAPACITY);
    // Bodies at rest are hardly in each other: too close to call is an answer with contacts, too.
    assert_true(output.state == ABUT_COLLIDE_CONTACT || output.state == ABUT_COLLIDE_CLOSE);
    assert_true(output.contact_count > 0);
    assert_int_equal(output.contact_total, output.contact_count);
    step->count = (int)output.contact_count;
    step->middle[0] = step->middle[1] = step->middle[2] = 0.0;
    for (int i = 0; i < step->count; ++i)
    {
        step->middle[0] += (double)step->contacts[i].position.x / step->count;
        step->middle[1] += (double)step->contacts[i].position.y / step->count;
        step->middle[2] += (double)step->contacts[i].position.z / step->count;
    }
}

/// Both are sorted by id.
static int count_common(const Step* a, const Step* b)
{
    int common = 0;
    for (int i = 0, k = 0; i < a->count && k < b->count;)
    {
        uint64_t p = a->contacts[i].id, q = b->contacts[k].id;
        common += p == q ? 1 : 0;
        i += p <= q ? 1 : 0;
        k += q <= p ? 1 : 0;
    }
    return common;
}

static void compare_steps(const Step* before, const Step* after, Record* record)
{
    double x = after->middle[0] - before->middle[0], y = after->middle[1] - before->middle[1],
           z = after->middle[2] - before->middle[2];
    double kept = (double)count_common(before, after) / before->count;
    record->least_kept = record->steps == 0 ? kept : fmin(record->least_kept, kept);
    record->steps += 1;
    record->kept += kept;
    record->contacts += after->count;
    record->furthest = fmax(record->furthest, sqrt(x * x + y * y + z * z));
}

static void check_record(const char* name, const Record* record, double radius)
{
    double kept = record->kept / record->steps;
    print_message("%s: %.1f contacts; %.2f %% of the ids kept per step, %.1f %% at least; the patch moved "
                  "%.2f %% of the "
                  "radius at most\n",
                  name, record->contacts / record->steps, 100.0 * kept, 100.0 * record->least_kept,
                  100.0 * record->furthest / radius);
    assert_true(kept >= 0.95);
    assert_true(record->furthest < 0.05 * radius);
}

static AbutQuat rotated(AbutVec3 axis, double angle)
{
    return abut_quat_from_axis_angle(axis, (float)angle);
}

// -----------------------------------------------------------------------------------------------------------
// Gears
// -----------------------------------------------------------------------------------------------------------

static AbutShape* gear(uint32_t teeth, float module)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    AbutMesh* mesh = NULL;
    AbutShape* field = NULL;
    def.teeth = teeth;
    def.module = module;
    def.width = 0.2f;
    def.bore_radius = 0.0f;
    test_assert_result(abut_mesh_create_gear(&def, &mesh), ABUT_OK);
    AbutBakeDef bake = abut_bake_def();
    bake.resolution = 128;
    test_assert_result(abut_bake_mesh(&bake, mesh, &field), ABUT_OK);
    abut_mesh_destroy(mesh);
    return field;
}

static void test_a_rotating_gear_keeps_its_contacts(void** state)
{
    (void)state;
    static Step steps[2];
    const uint32_t teeth_a = 20, teeth_b = 12;
    const double module = 0.05, radius = 0.5 * module * teeth_a;
    const AbutVec3 y = { 0.0f, 1.0f, 0.0f };
    AbutShape *a = gear(teeth_a, 0.05f), *b = gear(teeth_b, 0.05f);
    Record record = { 0 };
    for (int i = 0; i < STEPS; ++i)
    {
        // A little nearer than they turn freely, so that the flanks are in each other.
        double angle = 0.1 * DEGREE * i, distance = 0.5 * module * (teeth_a + teeth_b) - 0.02;
        AbutCollideInput input = abut_collide_input(a, b);
        input.pose_a.rotation = rotated(y, angle);
        input.pose_b = abut_pose_at(distance, 0.0, 0.0);
        double half = 3.141592653589793;
        input.pose_b.rotation = rotated(y, half + half / teeth_b - angle * teeth_a / teeth_b);
        take_step(&input, &steps[i % 2]);
        if (i > 0)
        {
            compare_steps(&steps[(i + 1) % 2], &steps[i % 2], &record);
        }
    }
    check_record("gears", &record, radius);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

// -----------------------------------------------------------------------------------------------------------
// A cylinder on its end
// -----------------------------------------------------------------------------------------------------------

/// It stands on the plane by 0.002, turns by 0.1° per step and trembles by 0.1 mm per metre.
static void check_cylinder(const char* name, const AbutShape* cylinder, const AbutShape* plane,
                           bool plane_first)
{
    static Step steps[2];
    Record record = { 0 };
    TestRandom random = { 720 };
    for (int i = 0; i < STEPS; ++i)
    {
        AbutPose pose = abut_pose_identity();
        pose.position.x = 1e-4 * test_random_unit(&random);
        pose.position.y = 0.498 + 1e-4 * test_random_unit(&random);
        pose.position.z = 1e-4 * test_random_unit(&random);
        AbutQuat tilt = rotated(test_random_direction(&random), 1e-4);
        pose.rotation = abut_quat_multiply(tilt, rotated(abut_vec3(0.0f, 1.0f, 0.0f), 0.1 * DEGREE * i));
        AbutCollideInput input =
            abut_collide_input(plane_first ? plane : cylinder, plane_first ? cylinder : plane);
        input.pose_a = plane_first ? input.pose_a : pose;
        input.pose_b = plane_first ? pose : input.pose_b;
        take_step(&input, &steps[i % 2]);
        if (i > 0)
        {
            compare_steps(&steps[(i + 1) % 2], &steps[i % 2], &record);
        }
    }
    check_record(name, &record, 0.3);
}

static void test_a_cylinder_on_its_end_keeps_its_contacts(void** state)
{
    (void)state;
    AbutShape *cylinder = NULL, *plane = NULL, *field = NULL;
    test_assert_result(abut_shape_create_cylinder(0.3f, 1.0f, NULL, &cylinder), ABUT_OK);
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane), ABUT_OK);
    AbutBakeDef bake = abut_bake_def();
    bake.resolution = 128;
    test_assert_result(abut_bake_shape(&bake, cylinder, &field), ABUT_OK);
    check_cylinder("cylinder on a plane", cylinder, plane, false);
    check_cylinder("plane under a cylinder", cylinder, plane, true);
    check_cylinder("field of a cylinder on a plane", field, plane, false);
    check_cylinder("plane under the field of a cylinder", field, plane, true);
    abut_shape_destroy(field);
    abut_shape_destroy(cylinder);
    abut_shape_destroy(plane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rotating_gear_keeps_its_contacts),
        cmocka_unit_test(test_a_cylinder_on_its_end_keeps_its_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
