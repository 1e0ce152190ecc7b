// Why the lint of shaders matters (tools/check_shaders): the same texts, compiled with contraction and with
// quotients and roots two units in the last place off, lose and add contacts, and turn normals. Software
// devices do neither, so no comparison on them would show a slip.
#include "gpu/hostile/walk.h"
#include "support/support.h"

#include "field/field.h"
#include "narrow/collide.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    PAIRS = 60
};

typedef struct Tally
{
    size_t particles, arrived, missing, extra, moved;
    double angle; // the largest between two normals, in degrees
} Tally;

static AbutShape* make_field(void)
{
    AbutShape *torus, *field;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 48;
    test_assert_result(abut_shape_create_torus(0.6f, 0.2f, NULL, &torus), ABUT_OK);
    test_assert_result(abut_bake_shape(&def, torus, &field), ABUT_OK);
    abut_shape_destroy(torus);
    return field;
}

static double angle_of(const float a[3], const float b[3])
{
    double ab = 0.0, aa = 0.0, bb = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        ab += (double)a[i] * (double)b[i];
        aa += (double)a[i] * (double)a[i];
        bb += (double)b[i] * (double)b[i];
    }
    double cosine = ab / sqrt(aa * bb);
    return acos(cosine < -1.0 ? -1.0 : (cosine < 1.0 ? cosine : 1.0)) * 57.29577951308232;
}

static void count_pair(const GpuPair* pair, const HostileFields* fields, uint32_t count, Tally* tally)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        GpuHit exact, hostile;
        bool first = test_walk_exact(pair, fields, i, &exact);
        bool second = test_walk_hostile(pair, fields, i, &hostile);
        tally->arrived += first ? 1 : 0;
        tally->missing += first && !second ? 1 : 0;
        tally->extra += !first && second ? 1 : 0;
        if (first && second && memcmp(&exact, &hostile, sizeof(exact)) != 0)
        {
            tally->moved += 1;
            tally->angle = fmax(tally->angle, angle_of(exact.gradient[1], hostile.gradient[1]));
        }
    }
    tally->particles += count;
}

/// The pair as a device gets it, with both walks; and the contacts that the library finds.
static size_t walk_pair(const AbutShape* field, const AbutPose* pose, Tally* tally)
{
    AbutCollideInput input = abut_collide_input(field, field);
    input.pose_b = *pose;
    input.settings.method = ABUT_COLLIDE_PARTICLES;
    AbutNarrowInput query = { .shape_a = field,
                              .shape_b = field,
                              .pose_a = input.pose_a,
                              .pose_b = *pose,
                              .settings = abut_narrow_proof_settings(&input.settings) };
    AbutNarrowBegun begun;
    AbutCollideOutput output;
    if (!abut_collide_begin(&query, &begun, &output))
    {
        return 0;
    }
    GpuPair pair;
    const AbutShape* shapes[2];
    const AbutNarrowQuery narrow = { .settings = &query.settings.collide,
                                     .pair = &begun.pair,
                                     .output = &output };
    uint32_t count = begun.method->record_on_device(&narrow, &pair, shapes);
    if (count == 0) // built without devices
    {
        skip();
    }
    const HostileFields fields = { { &abut_field_of(shapes[0])->view, &abut_field_of(shapes[1])->view } };
    size_t before = tally->arrived;
    count_pair(&pair, &fields, count, tally);
    AbutContact contacts[1];
    assert_int_equal(abut_collide(&input, contacts, 1).contact_total, tally->arrived - before);
    return count;
}

static void test_contracted_and_approximate_arithmetic_changes_contacts(void** state)
{
    (void)state;
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("fma"))
    {
        skip();
    }
#endif
    AbutShape* field = make_field();
    TestRandom random = { 5 };
    Tally tally = { 0 };
    for (int i = 0; i < PAIRS; ++i)
    {
        AbutPose pose = abut_pose_identity();
        pose.position = test_random_position(&random, 0.7);
        pose.rotation = test_random_rotation(&random);
        walk_pair(field, &pose, &tally);
    }
    print_message(
        "%zu particles, %zu arrive; hostile: %zu missing, %zu extra, %zu with other bits, normals up "
        "to %.3g degrees off\n",
        tally.particles, tally.arrived, tally.missing, tally.extra, tally.moved, tally.angle);
    assert_true(tally.missing + tally.extra > 0);
    assert_true(tally.moved > tally.arrived / 4);
    assert_true(tally.angle > 1.0);
    abut_shape_destroy(field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contracted_and_approximate_arithmetic_changes_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
