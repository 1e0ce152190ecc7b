// Reduced sets of contacts against brute force over all subsets, and against the words of contact.h.
#include "support/support.h"

#include <math.h>
#include <string.h>

enum
{
    MOST_CONTACTS = 2048,
    SMALL_SET = 12
};

static AbutContact make_contact(float x, float y, float z, AbutVec3 normal, float separation, uint64_t id)
{
    return (
        AbutContact){ .position = abut_vec3(x, y, z), .normal = normal, .separation = separation, .id = id };
}

/// A patch in the xy plane, `width` wide and 2 long, in a frame that is turned if asked for.
static void make_patch(TestRandom* random, double width, bool rotated, AbutContact* out, int count)
{
    AbutQuat rotation = rotated ? test_random_rotation(random) : abut_quat_identity();
    AbutVec3 normal = abut_quat_rotate(rotation, abut_vec3(0.0f, 0.0f, 1.0f));
    for (int i = 0; i < count; ++i)
    {
        float x = (float)test_random_range(random, -1.0, 1.0);
        AbutVec3 at = abut_vec3(x, (float)test_random_range(random, -0.5 * width, 0.5 * width), 0.0f);
        at = abut_quat_rotate(rotation, at);
        out[i] =
            make_contact(at.x, at.y, at.z, normal, (float)-test_random_range(random, 0.01, 1.0), (uint64_t)i);
    }
}

static void shuffle(TestRandom* random, AbutContact* contacts, int count)
{
    for (int i = count - 1; i > 0; --i)
    {
        int j = (int)(test_random_bits(random) % (uint64_t)(i + 1));
        AbutContact old = contacts[i];
        contacts[i] = contacts[j];
        contacts[j] = old;
    }
}

static int deepest_of(const AbutContact* contacts, int count)
{
    int deepest = 0;
    for (int i = 1; i < count; ++i)
    {
        deepest = contacts[i].separation < contacts[deepest].separation ? i : deepest;
    }
    return deepest;
}

static bool has_id(const AbutContact* contacts, int count, uint64_t id)
{
    for (int i = 0; i < count; ++i)
    {
        if (contacts[i].id == id)
        {
            return true;
        }
    }
    return false;
}

// -----------------------------------------------------------------------------------------------------------
// Support
// -----------------------------------------------------------------------------------------------------------

/// Area of the hull of points in a plane, by its definition: an edge is a pair with all others on one side.
static double hull_area(const AbutContact* contacts, int count)
{
    double area = 0.0;
    for (int i = 0; i < count; ++i)
    {
        for (int j = 0; j < count; ++j)
        {
            const AbutVec3 *a = &contacts[i].position, *b = &contacts[j].position;
            bool edge = i != j;
            for (int k = 0; k < count && edge; ++k)
            {
                const AbutVec3* c = &contacts[k].position;
                edge = k == i || k == j ||
                       ((double)b->x - (double)a->x) * ((double)c->y - (double)a->y) -
                               ((double)b->y - (double)a->y) * ((double)c->x - (double)a->x) >
                           0.0;
            }
            area += edge ? 0.5 * ((double)a->x * (double)b->y - (double)a->y * (double)b->x) : 0.0;
        }
    }
    return area;
}

/// The largest area of `keep` contacts with the deepest among them.
static double best_area(const AbutContact* contacts, int count, int keep)
{
    uint32_t deepest = 1u << deepest_of(contacts, count);
    double best = 0.0;
    for (uint32_t subset = 0; subset < 1u << count; ++subset)
    {
        AbutContact chosen[SMALL_SET];
        int size = 0;
        for (int i = 0; i < count; ++i)
        {
            if ((subset >> i & 1u) != 0)
            {
                chosen[size++] = contacts[i];
            }
        }
        if (size == keep && (subset & deepest) != 0)
        {
            best = fmax(best, hull_area(chosen, size));
        }
    }
    return best;
}

static void test_support_is_near_the_best_of_all_subsets(void** state)
{
    (void)state;
    static const double widths[] = { 2.0, 0.3, 0.03 };
    TestRandom random = { 41 };
    for (int keep = 3; keep <= 6; ++keep)
    {
        double sum = 0.0, worst = 1.0;
        const int runs = 60;
        for (int run = 0; run < runs; ++run)
        {
            AbutContact contacts[SMALL_SET];
            make_patch(&random, widths[run % 3], false, contacts, SMALL_SET);
            for (int i = 0; i < SMALL_SET; ++i)
            {
                contacts[i].separation -= 0.2f; // none is so shallow that it counts less
            }
            double best = best_area(contacts, SMALL_SET, keep);
            abut_contacts_reduce(contacts, SMALL_SET, (uint32_t)keep);
            double fraction = hull_area(contacts, keep) / best;
            worst = fmin(worst, fraction);
            sum += fraction / runs;
        }
        if (!(worst >= 0.6 && sum >= 0.95))
        {
            fail_msg("keeping %d: %.3f of the best area at worst, %.3f on average", keep, worst, sum);
        }
    }
}

static void make_lying_box(AbutContact contacts[200], float tilt)
{
    for (int i = 0; i < 200; ++i)
    {
        float x = 3.0f * ((float)(i % 20) / 19.0f - 0.5f), y = (float)(i / 20) / 9.0f - 0.5f;
        contacts[i] = make_contact(x, 0.0f, y, abut_vec3(0.0f, 1.0f, 0.0f), -0.01f - tilt * x, (uint64_t)i);
    }
}

static void test_box_lying_on_a_plane_keeps_its_corners(void** state)
{
    (void)state;
    static const float tilts[] = { 0.0f, 0.002f, -0.005f };
    for (int i = 0; i < 3; ++i)
    {
        AbutContact contacts[200];
        make_lying_box(contacts, tilts[i]);
        AbutReduction reduction = abut_contacts_reduce(contacts, 200, 4);
        assert_int_equal(reduction.kept_count, 4);
        assert_int_equal(reduction.dropped_count, 196);
        static const uint64_t corners[4] = { 0, 19, 180, 199 };
        for (int corner = 0; corner < 4; ++corner)
        {
            assert_int_equal(contacts[corner].id, corners[corner]);
        }
    }
}

static void test_patch_keeps_its_support_in_any_direction(void** state)
{
    (void)state;
    // The same patch turned in space: the same contacts, up to ties, hold as much.
    TestRandom random = { 97 };
    for (int run = 0; run < 50; ++run)
    {
        AbutContact flat[100], rotated[100];
        make_patch(&random, 0.2, false, flat, 100);
        AbutQuat rotation = test_random_rotation(&random);
        for (int i = 0; i < 100; ++i)
        {
            rotated[i] = flat[i];
            rotated[i].position = abut_quat_rotate(rotation, flat[i].position);
            rotated[i].normal = abut_quat_rotate(rotation, flat[i].normal);
        }
        abut_contacts_reduce(rotated, 100, 4);
        AbutContact back[4];
        for (int i = 0; i < 4; ++i)
        {
            back[i] = rotated[i];
            back[i].position = abut_quat_rotate(abut_quat_conjugate(rotation), rotated[i].position);
        }
        abut_contacts_reduce(flat, 100, 4);
        assert_true(hull_area(back, 4) > 0.8 * hull_area(flat, 4));
    }
}

static void test_contacts_that_just_graze_are_dropped_first(void** state)
{
    (void)state;
    // A patch, and a rim that reaches a little further and hardly touches.
    AbutContact contacts[220];
    make_lying_box(contacts, 0.0f);
    for (int i = 0; i < 20; ++i)
    {
        contacts[200 + i] = contacts[i % 2 == 0 ? 0 : 199];
        contacts[200 + i].position.x *= 1.02f;
        contacts[200 + i].position.z *= i % 4 < 2 ? 1.02f : -1.02f;
        contacts[200 + i].separation = -0.0002f;
    }
    abut_contacts_reduce(contacts, 220, 4);
    for (int i = 0; i < 4; ++i)
    {
        assert_true(contacts[i].separation == -0.01f);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Several normals
// -----------------------------------------------------------------------------------------------------------

static void test_both_sides_of_a_slot_stay(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    for (int run = 0; run < 100; ++run)
    {
        AbutContact contacts[80];
        make_patch(&random, 1.0, false, contacts, 80);
        for (int i = 0; i < 40; ++i)
        {
            contacts[i].normal.z = -1.0f;
            contacts[i].position.z = 0.1f;
        }
        abut_contacts_reduce(contacts, 80, 4);
        int above = 0;
        for (int i = 0; i < 4; ++i)
        {
            above += contacts[i].normal.z < 0.0f ? 1 : 0;
        }
        assert_true(above > 0 && above < 4);
    }
}

static void test_every_face_in_a_corner_stays(void** state)
{
    (void)state;
    TestRandom random = { 6 };
    for (int run = 0; run < 100; ++run)
    {
        AbutContact contacts[90];
        for (int i = 0; i < 90; ++i)
        {
            float at[3];
            at[0] = (float)test_random_unit(&random);
            at[1] = (float)test_random_unit(&random);
            at[2] = (float)test_random_unit(&random);
            float normal[3] = { 0.0f, 0.0f, 0.0f };
            at[i % 3] = 0.0f;
            normal[i % 3] = 1.0f;
            contacts[i] = make_contact(at[0], at[1], at[2], abut_vec3(normal[0], normal[1], normal[2]),
                                       (float)-test_random_unit(&random), (uint64_t)i);
        }
        abut_contacts_reduce(contacts, 90, 6);
        bool faces[3] = { false };
        for (int i = 0; i < 6; ++i)
        {
            faces[contacts[i].id % 3] = true;
        }
        assert_true(faces[0] && faces[1] && faces[2]);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Promises for any set
// -----------------------------------------------------------------------------------------------------------

static void make_cloud(TestRandom* random, AbutContact* out, int count)
{
    for (int i = 0; i < count; ++i)
    {
        AbutVec3 at = test_random_point(random, 3.0);
        // Equal depths and equal ids happen.
        float separation = (float)test_random_range(random, -0.2, 0.05);
        separation = i % 3 == 0 ? -0.1f : separation;
        uint64_t id = test_random_bits(random) % (uint64_t)(count > 1 ? count : 1);
        out[i] = make_contact(at.x, at.y, at.z, test_random_direction(random), separation, id);
    }
}

static void test_deepest_is_always_kept(void** state)
{
    (void)state;
    TestRandom random = { 7 };
    for (int run = 0; run < 500; ++run)
    {
        AbutContact contacts[64];
        int count = 1 + (int)(test_random_bits(&random) % 64);
        make_cloud(&random, contacts, count);
        float deepest = contacts[deepest_of(contacts, count)].separation;
        int keep = 1 + (int)(test_random_bits(&random) % 9);
        AbutReduction reduction = abut_contacts_reduce(contacts, (uint32_t)count, (uint32_t)keep);
        assert_int_equal(reduction.kept_count, keep < count ? keep : count);
        assert_int_equal(reduction.kept_count + reduction.dropped_count, count);
        assert_true(contacts[deepest_of(contacts, (int)reduction.kept_count)].separation == deepest);
        for (uint32_t i = 1; i < reduction.kept_count; ++i)
        {
            assert_true(contacts[i - 1].id <= contacts[i].id);
        }
    }
}

static void test_result_does_not_depend_on_the_order(void** state)
{
    (void)state;
    TestRandom random = { 8 };
    for (int run = 0; run < 200; ++run)
    {
        AbutContact contacts[100], shuffled[100];
        make_cloud(&random, contacts, 100);
        contacts[3] = contacts[60]; // the very same one twice
        contacts[40].separation = NAN;
        contacts[41].position.x = INFINITY;
        memcpy(shuffled, contacts, sizeof(contacts));
        shuffle(&random, shuffled, 100);
        int keep = (int)(test_random_bits(&random) % 12);
        AbutReduction a = abut_contacts_reduce(contacts, 100, (uint32_t)keep);
        AbutReduction b = abut_contacts_reduce(shuffled, 100, (uint32_t)keep);
        assert_memory_equal(contacts, shuffled, sizeof(contacts));
        assert_memory_equal(&a, &b, sizeof(a));
    }
}

static void test_no_contact_is_lost_or_changed(void** state)
{
    (void)state;
    TestRandom random = { 9 };
    static AbutContact contacts[MOST_CONTACTS], before[MOST_CONTACTS];
    make_cloud(&random, contacts, MOST_CONTACTS);
    for (int i = 0; i < MOST_CONTACTS; ++i)
    {
        contacts[i].id = (uint64_t)i;
    }
    memcpy(before, contacts, sizeof(contacts));
    shuffle(&random, contacts, MOST_CONTACTS);
    abut_contacts_reduce(contacts, MOST_CONTACTS, 16);
    static bool seen[MOST_CONTACTS];
    for (int i = 0; i < MOST_CONTACTS; ++i)
    {
        uint64_t id = contacts[i].id;
        assert_false(seen[id]);
        seen[id] = true;
        assert_memory_equal(&contacts[i], &before[id], sizeof(before[id]));
    }
}

static void test_counts_at_the_ends_are_defined(void** state)
{
    (void)state;
    TestRandom random = { 10 };
    AbutContact contacts[8];
    AbutReduction nothing = abut_contacts_reduce(NULL, 0, 4);
    assert_int_equal(nothing.kept_count, 0);
    assert_int_equal(nothing.dropped_count, 0);
    make_cloud(&random, contacts, 8);
    AbutReduction none = abut_contacts_reduce(contacts, 8, 0);
    assert_int_equal(none.kept_count, 0);
    assert_int_equal(none.dropped_count, 8);
    assert_true(none.force_change >= 0.0f && none.force_change <= 1.0f);
    AbutReduction all = abut_contacts_reduce(contacts, 8, 8);
    assert_int_equal(all.kept_count, 8);
    assert_true(all.force_change == 0.0f && all.torque_change == 0.0f);
    assert_int_equal(abut_contacts_reduce(contacts, 8, UINT32_MAX).kept_count, 8);
}

static void test_numbers_that_are_not_finite_are_left_out_first(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    AbutContact contacts[20];
    make_patch(&random, 1.0, true, contacts, 20);
    contacts[0].separation = NAN;
    contacts[1].position.y = NAN;
    contacts[2].normal.z = INFINITY;
    contacts[3].separation = INFINITY;
    contacts[4].separation = -INFINITY; // deeper than all others
    AbutReduction reduction = abut_contacts_reduce(contacts, 20, 4);
    assert_true(has_id(contacts, 4, 4));
    assert_false(has_id(contacts, 4, 0) || has_id(contacts, 4, 1) || has_id(contacts, 4, 2));
    assert_true(isfinite(reduction.force_change) && isfinite(reduction.torque_change));
    // Where there is nothing else, they are kept rather than less than was asked for.
    reduction = abut_contacts_reduce(contacts, 20, 19);
    assert_int_equal(reduction.kept_count, 19);
    for (int i = 0; i < 20; ++i)
    {
        contacts[i].position.x = NAN;
    }
    reduction = abut_contacts_reduce(contacts, 20, 3);
    assert_int_equal(reduction.kept_count, 3);
    assert_true(reduction.force_change == 0.0f && reduction.torque_change == 0.0f);
}

static void test_sets_without_any_extent_are_defined(void** state)
{
    (void)state;
    AbutContact contacts[10];
    for (int i = 0; i < 10; ++i)
    {
        contacts[i] = make_contact(1.0f, 2.0f, 3.0f, abut_vec3(0.0f, 0.0f, 1.0f), 0.0f, (uint64_t)(10 - i));
    }
    AbutReduction reduction = abut_contacts_reduce(contacts, 10, 4);
    assert_int_equal(reduction.kept_count, 4);
    test_assert_near(reduction.force_change, 0.0, 1e-6);
    test_assert_near(reduction.torque_change, 0.0, 1e-6);
    for (int i = 0; i < 10; ++i)
    {
        contacts[i].position = abut_vec3(i < 5 ? -3e38f : 3e38f, i % 2 == 0 ? 3e38f : -3e38f, 0.0f);
        contacts[i].separation = -3e38f;
    }
    reduction = abut_contacts_reduce(contacts, 10, 4);
    assert_true(isfinite(reduction.force_change) && isfinite(reduction.torque_change));
}

/// Total force and torque about `middle` when sizes are depths and add up to 1.
static void wrench_of(const AbutContact* contacts, int count, const double middle[3], double out[6])
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
    {
        sum += fmax(-(double)contacts[i].separation, 0.0);
    }
    memset(out, 0, 6 * sizeof(out[0]));
    for (int i = 0; i < count; ++i)
    {
        double size = fmax(-(double)contacts[i].separation, 0.0) / sum;
        double n[3] = { (double)contacts[i].normal.x * size, (double)contacts[i].normal.y * size,
                        (double)contacts[i].normal.z * size };
        double r[3] = { (double)contacts[i].position.x - middle[0],
                        (double)contacts[i].position.y - middle[1],
                        (double)contacts[i].position.z - middle[2] };
        for (int axis = 0; axis < 3; ++axis)
        {
            int j = (axis + 1) % 3, k = (axis + 2) % 3;
            out[axis] += n[axis];
            out[3 + axis] += r[j] * n[k] - r[k] * n[j];
        }
    }
}

static void test_change_of_wrench_is_what_the_header_says(void** state)
{
    (void)state;
    TestRandom random = { 12 };
    for (int run = 0; run < 100; ++run)
    {
        AbutContact contacts[50], all[50];
        make_cloud(&random, contacts, 50);
        memcpy(all, contacts, sizeof(all));
        double middle[3] = { 0.0, 0.0, 0.0 }, radius = 0.0, before[6], after[6];
        for (int i = 0; i < 50; ++i)
        {
            middle[0] += (double)all[i].position.x / 50.0;
            middle[1] += (double)all[i].position.y / 50.0;
            middle[2] += (double)all[i].position.z / 50.0;
        }
        for (int i = 0; i < 50; ++i)
        {
            double x = (double)all[i].position.x - middle[0], y = (double)all[i].position.y - middle[1],
                   z = (double)all[i].position.z - middle[2];
            radius = fmax(radius, sqrt(x * x + y * y + z * z));
        }
        int keep = 1 + run % 10;
        AbutReduction reduction = abut_contacts_reduce(contacts, 50, (uint32_t)keep);
        wrench_of(all, 50, middle, before);
        wrench_of(contacts, keep, middle, after);
        double force = 0.0, torque = 0.0;
        for (int i = 0; i < 3; ++i)
        {
            force += pow(before[i] - after[i], 2.0);
            torque += pow((before[3 + i] - after[3 + i]) / radius, 2.0);
        }
        test_assert_near(reduction.force_change, sqrt(force), 1e-5);
        test_assert_near(reduction.torque_change, sqrt(torque), 1e-5);
    }
}

static void test_more_contacts_change_the_wrench_less(void** state)
{
    (void)state;
    TestRandom random = { 13 };
    double change[2] = { 0.0, 0.0 };
    for (int run = 0; run < 40; ++run)
    {
        AbutContact contacts[120];
        make_cloud(&random, contacts, 120);
        for (int i = 0; i < 2; ++i)
        {
            AbutReduction reduction = abut_contacts_reduce(contacts, 120, i == 0 ? 4 : 24);
            change[i] += (double)reduction.force_change + (double)reduction.torque_change;
        }
    }
    assert_true(change[1] < 0.5 * change[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_support_is_near_the_best_of_all_subsets),
        cmocka_unit_test(test_box_lying_on_a_plane_keeps_its_corners),
        cmocka_unit_test(test_patch_keeps_its_support_in_any_direction),
        cmocka_unit_test(test_contacts_that_just_graze_are_dropped_first),
        cmocka_unit_test(test_both_sides_of_a_slot_stay),
        cmocka_unit_test(test_every_face_in_a_corner_stays),
        cmocka_unit_test(test_deepest_is_always_kept),
        cmocka_unit_test(test_result_does_not_depend_on_the_order),
        cmocka_unit_test(test_no_contact_is_lost_or_changed),
        cmocka_unit_test(test_counts_at_the_ends_are_defined),
        cmocka_unit_test(test_numbers_that_are_not_finite_are_left_out_first),
        cmocka_unit_test(test_sets_without_any_extent_are_defined),
        cmocka_unit_test(test_change_of_wrench_is_what_the_header_says),
        cmocka_unit_test(test_more_contacts_change_the_wrench_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
