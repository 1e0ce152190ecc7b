// Options of particles, lists of what they find, bad settings, and the same bytes for all instruction sets.
#include "contact/contact_list.h"
#include "narrow/particles/particles.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    CAPACITY = 20000
};

static AbutContact contacts[CAPACITY], others[CAPACITY];

static AbutCollideInput particles_input(const AbutShape* a, const AbutShape* b)
{
    AbutCollideInput input = abut_collide_input(a, b);
    input.settings.method = ABUT_COLLIDE_PARTICLES;
    return input;
}

static void test_over_relaxed_steps_arrive_sooner_where_distances_are_short(void** state)
{
    (void)state;
    AbutShape *ball = test_make_sphere(0.5f), *a = NULL;
    test_assert_result(abut_shape_create_corrected(ball, 1.4f, NULL, &a), ABUT_OK); // f / 1.4
    AbutCollideInput input = particles_input(a, a);
    input.pose_b = abut_pose_at(0.0, 0.7, 0.0);
    input.settings.tolerance = 1e-5f;
    input.settings.particles.steps = 4;
    int found[2];
    for (int i = 0; i < 2; ++i)
    {
        input.settings.particles.relaxation = i == 0 ? 1.0f : 1.9f;
        found[i] = (int)abut_collide(&input, contacts, CAPACITY).contact_total;
    }
    if (!(found[1] > found[0] + found[0] / 4))
    {
        fail_msg("%d arrive with plain steps, %d with over-relaxed ones", found[0], found[1]);
    }
    abut_shape_destroy(a);
    abut_shape_destroy(ball);
}

static void test_quasi_random_starts_fill_the_box_evenly(void** state)
{
    (void)state;
    AbutShape *a = test_make_box(1.0f, 2.0f, 1.0f), *b = test_make_box(1.0f, 2.0f, 1.0f);
    AbutCollideInput input = particles_input(a, b);
    input.settings.particles.quasi_random = true;
    input.settings.particles.resolution = 16;
    input.pose_b = abut_pose_at(0.0, 0.0, 0.5); // all starts are in both: they stay where they are
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    test_assert_near(output.contact_count, 4096, 200);
    assert_int_equal(output.evaluations, output.contact_count);
    int counts[64] = { 0 };
    for (uint32_t k = 0; k < output.contact_count; ++k)
    {
        AbutVec3 p = contacts[k].position;
        int x = (int)floorf((p.x + 0.5f) * 4.0f), y = (int)floorf((p.y + 1.0f) * 2.0f);
        int z = (int)floorf(p.z * 8.0f);
        assert_true(x >= 0 && x < 4 && y >= 0 && y < 4 && z >= 0 && z < 4);
        counts[(x * 4 + y) * 4 + z] += 1;
    }
    for (int k = 0; k < 64; ++k) // 64 each on average; at random they would differ by 8 and more
    {
        test_assert_near(counts[k], output.contact_count / 64.0, 8);
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static AbutCollideInput overlapping_spheres(const AbutShape* a, const AbutShape* b)
{
    AbutCollideInput input = particles_input(a, b);
    input.pose_b = abut_pose_at(0.3, 0.4, 0.1);
    input.settings.particles.resolution = 14;
    return input;
}

static void test_one_per_voxel_keeps_the_deepest_of_each(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.3f);
    AbutCollideInput input = overlapping_spheres(a, b);
    input.settings.spacing = 0.06f;
    uint32_t all = abut_collide(&input, contacts, CAPACITY).contact_count;
    input.settings.particles.one_per_voxel = true;
    AbutCollideOutput output = abut_collide(&input, others, CAPACITY);
    assert_true(output.contact_count < all && output.contact_count == output.contact_total);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all; ++i) // sorted by id, the deepest first
    {
        if (i == 0 || contacts[i].id != contacts[i - 1].id)
        {
            assert_true(kept < output.contact_count);
            assert_memory_equal(&contacts[i], &others[kept], sizeof(contacts[i]));
            kept += 1;
        }
    }
    assert_int_equal(kept, output.contact_count);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_voxels_grow_until_there_are_few_enough(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.3f);
    AbutCollideInput input = overlapping_spheres(a, b);
    input.settings.spacing = 0.004f;
    uint32_t all = abut_collide(&input, contacts, CAPACITY).contact_count;
    input.settings.particles.one_per_voxel = true;
    AbutCollideOutput output = abut_collide(&input, others, CAPACITY);
    assert_true(all > ABUT_PARTICLE_VOXELS_MAX);
    assert_true(output.contact_count <= ABUT_PARTICLE_VOXELS_MAX);
    float spacing = 0.004f;
    size_t count = (size_t)all, last = 0;
    for (; count > ABUT_PARTICLE_VOXELS_MAX; spacing *= 2.0f)
    {
        for (uint32_t i = 0; i < all; ++i)
        {
            uint64_t id = contacts[i].id; // 21 bits per axis
            contacts[i].id = (id >> 1 & 0xFFFFF) | (id >> 22 & 0xFFFFF) << 21 | (id >> 43 & 0xFFFFF) << 42;
        }
        abut_contacts_sort(contacts, (size_t)all);
        last = count;
        count = 0;
        for (uint32_t i = 0; i < all; ++i)
        {
            count += i == 0 || contacts[i].id != contacts[i - 1].id ? 1 : 0;
        }
    }
    assert_true(last > ABUT_PARTICLE_VOXELS_MAX);
    assert_int_equal(output.contact_count, count);
    assert_true(output.spacing == spacing);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static int compare_separations(const void* left, const void* right)
{
    float a = ((const AbutContact*)left)->separation, b = ((const AbutContact*)right)->separation;
    return (a > b) - (a < b);
}

/// The `count` contacts are the deepest of the first `all` of `contacts`, and sorted by id.
static void check_deepest(const AbutContact* deepest, int count, uint32_t all)
{
    float shallowest = -INFINITY;
    for (int i = 0; i < count; ++i)
    {
        shallowest = fmaxf(shallowest, deepest[i].separation);
        assert_true(i == 0 || deepest[i - 1].id <= deepest[i].id);
    }
    qsort(contacts, all, sizeof(contacts[0]), compare_separations);
    assert_true(contacts[count - 1].separation == shallowest);
}

static void test_the_deepest_are_kept(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.3f);
    AbutCollideInput input = overlapping_spheres(a, b);
    uint32_t all = abut_collide(&input, contacts, CAPACITY).contact_count;
    assert_true(all > 500);
    input.settings.particles.max_contacts = 10;
    AbutCollideOutput output = abut_collide(&input, others, CAPACITY);
    assert_int_equal(output.contact_count, 10);
    assert_int_equal(output.contact_total, all);
    check_deepest(others, 10, all);
    input.settings.particles.max_contacts = 0;
    output = abut_collide(&input, others, 300); // a small array
    assert_int_equal(output.contact_count, 300);
    assert_int_equal(output.contact_total, all);
    check_deepest(others, 300, all);
    assert_int_equal(abut_collide(&input, NULL, 0).contact_total, all);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_contacts_of_the_last_step_are_found_again(void** state)
{
    (void)state;
    // A needle that a coarse grid of particles misses.
    AbutShape *needle = test_make_box(0.004f, 2.0f, 0.004f), *plate = test_make_box(2.0f, 0.02f, 2.0f);
    AbutCollideInput input = particles_input(plate, needle);
    input.pose_b = abut_pose_at(0.31, 0.5, 0.12);
    input.pose_b.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.0f, 1.0f), 0.7f);
    input.settings.tolerance = 1e-4f;
    input.settings.particles.resolution = 30;
    AbutCollideOutput fine = abut_collide(&input, contacts, CAPACITY);
    assert_true(fine.contact_count > 0);
    input.settings.particles.resolution = 3;
    input.settings.particles.steps = 3;
    input.pose_b.position.x += 0.001;
    AbutCollideOutput coarse = abut_collide(&input, others, CAPACITY);
    assert_int_equal(coarse.state, ABUT_COLLIDE_NONE_FOUND);
    input.settings.particles.starts = contacts;
    input.settings.particles.start_count = (uint32_t)fine.contact_count;
    AbutCollideOutput again = abut_collide(&input, others, CAPACITY);
    assert_int_equal(again.state, ABUT_COLLIDE_CONTACT);
    input.settings.particles.start_count = CAPACITY; // no more than the grid has are used
    again = abut_collide(&input, others, CAPACITY);
    assert_true(again.evaluations <= 2 * 40 * 3);
    abut_shape_destroy(needle);
    abut_shape_destroy(plate);
}

// -----------------------------------------------------------------------------------------------------------
// Lists of contacts
// -----------------------------------------------------------------------------------------------------------

static int compare_ids(const void* left, const void* right)
{
    const AbutContact *a = left, *b = right;
    if (a->id != b->id)
    {
        return a->id < b->id ? -1 : 1;
    }
    return compare_separations(left, right);
}

static void test_sorting_agrees_with_the_c_library(void** state)
{
    (void)state;
    TestRandom random = { 6 };
    for (int i = 0; i < 400; ++i)
    {
        size_t count = test_random_bits(&random) % 700;
        for (size_t k = 0; k < count; ++k)
        {
            memset(&contacts[k], 0, sizeof(contacts[k]));
            uint64_t organ = k < count / 2 ? k : count - k;
            uint64_t any = test_random_bits(&random);
            uint64_t ids[4] = { any, test_random_bits(&random) % 5, organ, count - k };
            contacts[k].id = ids[i % 4];
            contacts[k].separation = (float)(test_random_bits(&random) % 1000);
        }
        memcpy(others, contacts, count * sizeof(contacts[0]));
        qsort(others, count, sizeof(others[0]), compare_ids);
        abut_contacts_sort(contacts, count);
        for (size_t k = 0; k < count; ++k)
        {
            assert_int_equal(compare_ids(&contacts[k], &others[k]), 0);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Bad input, and the same bytes
// -----------------------------------------------------------------------------------------------------------

static void expect_invalid(AbutCollideInput input, const char* words)
{
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_INVALID);
    assert_int_equal(output.contact_count, 0);
    if (strstr(abut_last_error(), words) == NULL)
    {
        fail_msg("\"%s\" does not say \"%s\"", abut_last_error(), words);
    }
}

static void test_settings_out_of_range_are_refused(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.5f);
    AbutCollideInput good = particles_input(a, b), bad = good;
    bad.settings.particles.resolution = 0;
    expect_invalid(bad, "particles along a side");
    bad.settings.particles.resolution = 257;
    expect_invalid(bad, "particles along a side");
    bad = good;
    bad.settings.particles.steps = 0;
    expect_invalid(bad, "steps");
    const float relaxations[] = { 0.0f, -1.0f, 2.0f, NAN, INFINITY };
    for (size_t i = 0; i < sizeof(relaxations) / sizeof(relaxations[0]); ++i)
    {
        bad = good;
        bad.settings.particles.relaxation = relaxations[i];
        expect_invalid(bad, "relaxation");
    }
    bad = good;
    bad.settings.particles.start_count = 1;
    expect_invalid(bad, "start from");
    bad = good;
    bad.settings.method = ABUT_COLLIDE_METHOD_COUNT;
    expect_invalid(bad, "method");
    bad = good;
    bad.pose_b.position.x = NAN;
    expect_invalid(bad, "pose");
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_all_instruction_sets_give_the_same_bytes(void** state)
{
    (void)state;
    static const char* const names[] = { "scalar", "sse2", "avx2", "neon" };
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_box(0.5f, 0.6f, 0.7f);
    AbutCollideInput input = overlapping_spheres(a, b);
    input.pose_b.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 2.0f, 3.0f), 1.0f);
    const char* best = abut_simd_name();
    AbutCollideOutput expected = abut_collide(&input, contacts, CAPACITY);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        if (abut_simd_force(names[i]) == ABUT_OK)
        {
            AbutCollideOutput output = abut_collide(&input, others, CAPACITY);
            assert_int_equal(output.contact_count, expected.contact_count);
            assert_memory_equal(contacts, others, (size_t)output.contact_count * sizeof(contacts[0]));
        }
    }
    test_assert_result(abut_simd_force(best), ABUT_OK);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

/// Boxes of solids within the margin, but not of each other: separated with that gap, and with contacts; a
/// gap is never reported with another state. Single queries and batches agree.
static void test_a_gap_of_the_boxes_within_the_margin_is_separated(void** state)
{
    (void)state;
    AbutShape *a = test_make_box(1.0f, 1.0f, 1.0f), *b = test_make_sphere(0.5f);
    AbutCollideInput input = particles_input(a, b);
    AbutCollider* collider = NULL;
    test_assert_result(abut_collider_create(NULL, &collider), ABUT_OK);
    uint32_t separated = 0, with_contacts = 0;
    for (int i = 0; i < 200; ++i)
    {
        double between = 0.005 * (i - 60); // of the boxes, along x
        input.settings.margin = i % 3 == 0 ? 0.0f : 0.3f;
        input.pose_b = abut_pose_at(1.0 + between, i % 2 == 0 ? 0.0 : 0.9, 0.0); // a face, or beside an edge
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        bool is_separated = output.state == ABUT_COLLIDE_SEPARATED;
        assert_true(is_separated == (output.gap > 0.0f));
        assert_true(is_separated == (between > 1e-6));
        separated += is_separated ? 1 : 0;
        with_contacts += is_separated && output.contact_count > 0 ? 1 : 0;
        const AbutCollideBody bodies[2] = { { a, input.pose_a }, { b, input.pose_b } };
        const AbutBodyPair pair = { 0, 1 };
        AbutCollideResults results;
        test_assert_result(
            abut_collide_pairs(collider, &(AbutPairsInput){ bodies, 2, &pair, 1 }, &input.settings, &results),
            ABUT_OK);
        assert_int_equal(results.pairs[0].output.state, output.state);
        assert_true(results.pairs[0].output.gap == output.gap);
        assert_int_equal(results.pairs[0].output.contact_count, output.contact_count);
    }
    assert_true(separated > 100 && with_contacts > 20);
    abut_collider_destroy(collider);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_over_relaxed_steps_arrive_sooner_where_distances_are_short),
        cmocka_unit_test(test_quasi_random_starts_fill_the_box_evenly),
        cmocka_unit_test(test_one_per_voxel_keeps_the_deepest_of_each),
        cmocka_unit_test(test_voxels_grow_until_there_are_few_enough),
        cmocka_unit_test(test_the_deepest_are_kept),
        cmocka_unit_test(test_contacts_of_the_last_step_are_found_again),
        cmocka_unit_test(test_sorting_agrees_with_the_c_library),
        cmocka_unit_test(test_settings_out_of_range_are_refused),
        cmocka_unit_test(test_a_gap_of_the_boxes_within_the_margin_is_separated),
        cmocka_unit_test(test_all_instruction_sets_give_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
