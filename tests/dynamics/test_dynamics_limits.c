// Worlds that outgrow what they may have: more bodies than allowed, and less memory than a million bodies
// take.
#include "support/support.h"
#include "support/worlds.h"

#include <math.h>
#include <string.h>

enum
{
    MILLION = 1000000,
    CAP = 32 << 20 // bytes
};

/// Balls in layers of a hundred by a hundred, a gap between each two, until there are a million or one is
/// refused.
static AbutResult add_balls(AbutWorld* world, AbutShape* ball, uint32_t* count)
{
    AbutResult result = ABUT_OK;
    for (*count = 0; *count < MILLION && result == ABUT_OK; *count += result == ABUT_OK ? 1 : 0)
    {
        AbutBodyDef def = abut_body_def();
        AbutBodyId id;
        uint32_t column = *count % 10000, layer = *count / 10000;
        def.shape = ball;
        def.pose = abut_pose_at(0.25 * (column % 100), 0.15 + 0.25 * layer, 0.25 * (column / 100));
        result = abut_body_create(world, &def, &id);
        assert_int_equal(abut_body_is_valid(world, id), result == ABUT_OK);
    }
    return result;
}

static AbutWorld* make_world(const AbutHost* host, uint32_t body_limit)
{
    AbutWorldDef def = abut_world_def();
    def.host = host;
    def.body_limit = body_limit;
    return test_make_world_of(&def);
}

/// Everything that worlds allocate goes through the host, so what the host refuses is all that it takes to
/// keep them small.
static void test_a_million_bodies_end_at_the_cap_of_the_host(void** state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    AbutWorld* world = make_world(&host.host, abut_world_def().body_limit);
    AbutShape* ball = test_make_sphere(0.1f);
    host.byte_limit = CAP;
    uint32_t count = 0;
    test_assert_result(add_balls(world, ball, &count), ABUT_OUT_OF_MEMORY);
    assert_non_null(strstr(abut_last_error(), "bytes"));
    assert_true(count > 1000 && count < MILLION);
    assert_int_equal(abut_world_bodies(world, NULL, 0), count);
    assert_true(host.peak_bytes <= CAP);
    abut_shape_destroy(ball);
    abut_world_destroy(world);
    assert_int_equal(host.live_count, 0);
}

static void test_a_world_at_its_cap_refuses_steps_and_stays_as_it_was(void** state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    AbutWorld* world = make_world(&host.host, 2000);
    AbutShape* ball = test_make_sphere(0.1f);
    uint32_t count = 0;
    test_assert_result(add_balls(world, ball, &count), ABUT_LIMIT_EXCEEDED);
    uint64_t before = abut_world_hash(world);
    host.byte_limit = host.live_bytes;
    test_assert_result(abut_world_step(world, TEST_STEP, NULL), ABUT_OUT_OF_MEMORY);
    assert_int_equal(abut_world_hash(world), before);
    host.byte_limit = 0;
    AbutStepReport report = test_steps(world, 3);
    assert_int_equal(report.awake_count, count);
    abut_shape_destroy(ball);
    abut_world_destroy(world);
}

/// A body fewer makes room for another, and all of them fall as they would in a world that never was full.
static void test_a_full_world_goes_on(void** state)
{
    (void)state;
    enum
    {
        LIMIT = 500
    };
    AbutWorld *full = make_world(NULL, LIMIT), *roomy = make_world(NULL, LIMIT + 1);
    AbutShape* ball = test_make_sphere(0.1f);
    uint32_t count = 0;
    test_assert_result(add_balls(full, ball, &count), ABUT_LIMIT_EXCEEDED);
    assert_int_equal(count, LIMIT);
    assert_non_null(strstr(abut_last_error(), "500 bodies"));
    AbutBodyDef def = abut_body_def();
    AbutBodyId ids[LIMIT], id;
    def.shape = ball;
    abut_world_bodies(full, ids, LIMIT);
    for (uint32_t i = 0; i < LIMIT; ++i)
    {
        def.pose = abut_body_state(full, ids[i]).pose;
        test_assert_result(abut_body_create(roomy, &def, &id), ABUT_OK);
    }
    AbutStepReport a = test_steps(full, 5), b = test_steps(roomy, 5);
    assert_int_equal(a.awake_count, LIMIT);
    test_assert_near(a.kinetic_energy, b.kinetic_energy, 0.0);
    assert_int_equal(abut_world_hash(full), abut_world_hash(roomy));
    abut_body_destroy(full, ids[7]);
    test_assert_result(abut_body_create(full, &def, &id), ABUT_OK);
    test_assert_result(abut_body_create(full, &def, &id), ABUT_LIMIT_EXCEEDED);
    assert_true(isfinite(test_steps(full, 5).kinetic_energy));
    abut_shape_destroy(ball);
    abut_world_destroy(full);
    abut_world_destroy(roomy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_million_bodies_end_at_the_cap_of_the_host),
        cmocka_unit_test(test_a_world_at_its_cap_refuses_steps_and_stays_as_it_was),
        cmocka_unit_test(test_a_full_world_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
