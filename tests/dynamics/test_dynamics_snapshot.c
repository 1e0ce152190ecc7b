// Snapshots of other worlds, of worlds that changed since, and bytes that were made on purpose: refused, or
// harmless.
#include "support/worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Variant
{
    AbutResponse response;
    float gravity, size, density, scale;
    int balls;
    bool is_box, is_locked, is_kinematic;
    uint32_t point_count;
} Variant;

static const Variant plain = {
    ABUT_RESPONSE_IMPULSE, -9.81f, 0.2f, 1000.0f, 1.0f, 3, false, false, false, 60
};

static AbutWorld* make_world(const Variant* v)
{
    AbutWorldDef def = abut_world_def();
    def.response = v->response;
    def.penalty.point_count = v->point_count;
    def.gravity.y = v->gravity;
    AbutWorld* world = test_make_world_of(&def);
    test_add_ground(world, 0.0, test_plain);
    for (int i = 0; i < v->balls; ++i)
    {
        AbutBodyDef body = abut_body_def();
        body.shape = v->is_box ? test_make_box(2.0f * v->size, 2.0f * v->size, 2.0f * v->size)
                               : test_make_sphere(v->size);
        body.pose = abut_pose_at(0.01 * i, 0.19 + 0.41 * i, 0.0);
        body.pose.scale = v->scale;
        body.density = v->density;
        body.locked = v->is_locked ? ABUT_LOCK_ANGULAR : 0;
        body.kind = v->is_kinematic && i == 0 ? ABUT_BODY_KINEMATIC : ABUT_BODY_DYNAMIC;
        test_add_body_of(world, &body);
    }
    return world;
}

typedef struct Snapshot
{
    unsigned char* data;
    size_t size;
} Snapshot;

static Snapshot save(const AbutWorld* world)
{
    Snapshot s = { .size = abut_world_snapshot_size(world) };
    s.data = malloc(s.size);
    assert_non_null(s.data);
    test_assert_result(abut_world_save(world, s.data, s.size), ABUT_OK);
    return s;
}

static void test_snapshots_of_other_worlds_are_refused(void** state)
{
    (void)state;
    Variant others[10];
    for (int i = 0; i < 10; ++i)
    {
        others[i] = plain;
    }
    others[0].response = ABUT_RESPONSE_PENALTY;
    others[1].gravity = -9.8f;
    others[2].size = 0.2001f;
    others[3].density = 999.0f;
    others[4].scale = 1.001f;
    others[5].balls = 2;
    others[6].is_box = true;
    others[7].is_locked = true;
    others[8].is_kinematic = true;
    AbutWorld *world = make_world(&plain), *same = make_world(&plain);
    test_steps(world, 10);
    Snapshot s = save(world);
    test_assert_result(abut_world_restore(same, s.data, s.size), ABUT_OK); // made by the same calls
    assert_int_equal(abut_world_hash(same), abut_world_hash(world));
    for (int i = 0; i < 9; ++i)
    {
        AbutWorld* other = make_world(&others[i]);
        test_steps(other, 5);
        uint64_t before = abut_world_hash(other);
        test_assert_result(abut_world_restore(other, s.data, s.size), ABUT_INVALID_DATA);
        assert_non_null(strstr(abut_last_error(), "another world"));
        assert_int_equal(abut_world_hash(other), before);
        abut_world_destroy(other);
    }
    free(s.data);
    abut_world_destroy(world);
    abut_world_destroy(same);
}

/// Settings of a response belong to the worlds that have it.
static void test_settings_of_the_response_are_the_identity_of_its_worlds_alone(void** state)
{
    (void)state;
    for (int response = 0; response < ABUT_RESPONSE_COUNT; ++response)
    {
        Variant v = plain;
        v.response = (AbutResponse)response;
        AbutWorld* world = make_world(&v);
        v.point_count = 61; // with points of the same number, as rounded by the sampling, or not
        AbutWorld* other = make_world(&v);
        test_steps(world, 3);
        Snapshot s = save(world);
        bool has_setting = response == ABUT_RESPONSE_PENALTY;
        test_assert_result(abut_world_restore(other, s.data, s.size),
                           has_setting ? ABUT_INVALID_DATA : ABUT_OK);
        free(s.data);
        abut_world_destroy(world);
        abut_world_destroy(other);
    }
}

/// Shapes with the same bounds and mass differ by their distances.
static void test_another_shape_of_the_same_size_is_another_world(void** state)
{
    (void)state;
    Snapshot s = { 0 };
    for (int i = 0; i < 2; ++i)
    {
        AbutWorld* world = test_make_world(NULL);
        AbutBodyDef body = abut_body_def();
        AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.2f), *shape = NULL;
        AbutPose pose = abut_pose_at(i == 0 ? 0.3 : -0.3, 0.0, 0.0);
        AbutShape* moved = NULL;
        test_assert_result(abut_shape_create_transformed(b, &pose, NULL, &moved), ABUT_OK);
        test_assert_result(abut_shape_create_difference(a, moved, NULL, &shape), ABUT_OK);
        abut_shape_destroy(a);
        abut_shape_destroy(b);
        abut_shape_destroy(moved);
        body.kind = ABUT_BODY_STATIC;
        body.shape = shape;
        test_add_body_of(world, &body);
        if (i == 0)
        {
            s = save(world);
        }
        test_assert_result(abut_world_restore(world, s.data, s.size), i == 0 ? ABUT_OK : ABUT_INVALID_DATA);
        abut_world_destroy(world);
    }
    free(s.data);
}

static void test_bodies_that_came_and_went_are_another_world(void** state)
{
    (void)state;
    AbutWorld* world = make_world(&plain);
    Snapshot s = save(world);
    AbutBodyId ids[8];
    assert_int_equal(abut_world_bodies(world, ids, 8), 4);
    AbutBodyDef again = abut_body_def();
    again.shape = test_make_sphere(0.2f);
    abut_body_destroy(world, ids[3]);
    test_assert_result(abut_world_restore(world, s.data, s.size), ABUT_INVALID_DATA);
    test_add_body_of(world, &again); // the same slot, but another body
    test_assert_result(abut_world_restore(world, s.data, s.size), ABUT_INVALID_DATA);
    free(s.data);
    abut_world_destroy(world);
}

/// Bytes 8 to 15 are the hash of all after them.
static void update_hash(Snapshot* s)
{
    uint64_t hash = abut_hash(s->data + 16, s->size - 16, 0);
    memcpy(s->data + 8, &hash, sizeof(hash));
}

static void assert_finite(const AbutWorld* world)
{
    AbutBodyId ids[8];
    uint32_t count = abut_world_bodies(world, ids, 8);
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutBodyState b = abut_body_state(world, ids[i]);
        assert_true(abut_pose_is_valid(&b.pose));
        assert_true(abut_vec3_is_finite(b.linear_velocity) && abut_vec3_is_finite(b.angular_velocity));
    }
}

static void test_every_change_is_refused_or_harmless_with_a_right_hash_too(void** state)
{
    (void)state;
    for (int response = 0; response < ABUT_RESPONSE_COUNT; ++response)
    {
        Variant v = plain;
        v.response = (AbutResponse)response;
        AbutWorld* world = make_world(&v);
        test_steps(world, 12);
        Snapshot s = save(world);
        uint64_t random = 7, accepted = 0;
        unsigned char* copy = malloc(s.size);
        assert_non_null(copy);
        memcpy(copy, s.data, s.size);
        for (int i = 0; i < 3000; ++i)
        {
            for (int k = 0; k < 1 + i % 3; ++k)
            {
                random = abut_hash(&random, sizeof(random), 1);
                s.data[16 + random % (s.size - 16)] = (unsigned char)(i % 5 == 0 ? 0xff : random >> 32);
            }
            update_hash(&s);
            if (abut_world_restore(world, s.data, s.size) == ABUT_OK)
            {
                ++accepted;
                assert_finite(world);
                if (i % 10 == 0)
                {
                    abut_world_step(world, TEST_STEP, NULL);
                    assert_finite(world);
                }
            }
            memcpy(s.data, copy, s.size);
        }
        assert_true(accepted > 100); // most of the bytes are digits of numbers
        test_assert_result(abut_world_restore(world, copy, s.size), ABUT_OK);
        free(copy);
        free(s.data);
        abut_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snapshots_of_other_worlds_are_refused),
        cmocka_unit_test(test_settings_of_the_response_are_the_identity_of_its_worlds_alone),
        cmocka_unit_test(test_another_shape_of_the_same_size_is_another_world),
        cmocka_unit_test(test_bodies_that_came_and_went_are_another_world),
        cmocka_unit_test(test_every_change_is_refused_or_harmless_with_a_right_hash_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
