// Cubes of space: the deepest touch of each, whatever the order, against plain code.
#include "contact/contact_grid.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TOUCHES = 4000
};

/// A touch as plain code keeps it.
typedef struct PlainTouch
{
    uint64_t id;
    float separation, at[3];
} PlainTouch;

static AbutContactGrid contact_grid;
static PlainTouch touches[TOUCHES];

static int compare(const void* left, const void* right)
{
    const PlainTouch *a = left, *b = right;
    if (a->id != b->id)
    {
        return a->id < b->id ? -1 : 1;
    }
    if (a->separation != b->separation)
    {
        return a->separation < b->separation ? -1 : 1;
    }
    for (int axis = 2; axis >= 0; --axis)
    {
        if (a->at[axis] != b->at[axis])
        {
            return a->at[axis] < b->at[axis] ? -1 : 1;
        }
    }
    return 0;
}

/// Offers touches in a box of half side `reach`, with depths that are often equal.
static void offer_touches(TestRandom* random, int count, double reach)
{
    AbutPairBatch batch;
    memset(&batch, 0, sizeof(batch));
    batch.count = 1;
    for (int i = 0; i < count; ++i)
    {
        AbutVec3 p = test_random_point(random, reach);
        const float at[3] = { p.x, p.y, p.z };
        batch.distance[0][0] = -0.01f * (float)(test_random_bits(random) % 6);
        batch.distance[1][0] = -0.01f * (float)(test_random_bits(random) % 6);
        for (int axis = 0; axis < 3; ++axis)
        {
            batch.at[axis][0] = touches[i].at[axis] = at[axis];
        }
        touches[i].id = abut_contact_cell_id(&contact_grid.grid, at);
        touches[i].separation = fminf(batch.distance[0][0], batch.distance[1][0]);
        abut_contact_grid_offer(&contact_grid, &batch, 0);
    }
}

static int keep_deepest_of_cubes(int count)
{
    int kept = 0;
    qsort(touches, (size_t)count, sizeof(touches[0]), compare);
    for (int i = 0; i < count; ++i)
    {
        if (kept == 0 || touches[kept - 1].id != touches[i].id)
        {
            touches[kept++] = touches[i];
        }
    }
    return kept;
}

static void check_order(const uint16_t* order, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        const AbutContactGridCell* grid_cell = &contact_grid.items[order[i]];
        assert_true(grid_cell->id == touches[i].id);
        assert_memory_equal(grid_cell->candidate.at, touches[i].at, sizeof(touches[i].at));
        assert_true(grid_cell->separation == touches[i].separation);
    }
}

static void test_cubes_keep_the_deepest_touch_and_come_by_id(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    // The last spreads them over more cubes than 32 bits can number.
    const double reaches[] = { 0.3, 2.0, 6.0, 1e5 };
    for (int i = 0; i < 40; ++i)
    {
        int count = i % 10 == 0 ? 1 : (int)(test_random_bits(&random) % 1900);
        uint16_t order[ABUT_CONTACT_GRID_CAPACITY];
        abut_contact_grid_reset(&contact_grid, 0.25f, abut_dvec3_zero());
        offer_touches(&random, count, reaches[i % 4]);
        int kept = keep_deepest_of_cubes(count);
        assert_false(contact_grid.full);
        assert_int_equal(contact_grid.count, kept);
        assert_int_equal(abut_contact_grid_order(&contact_grid, ABUT_CONTACT_GRID_CAPACITY, order), kept);
        check_order(order, (size_t)kept);
        for (int k = 0; k < kept; ++k)
        {
            const AbutContactGridCell* grid_cell = abut_contact_grid_find(&contact_grid, touches[k].id);
            assert_true(grid_cell != NULL && grid_cell->id == touches[k].id);
            const AbutContactGridCell* beside = abut_contact_grid_find(&contact_grid, touches[k].id + 1);
            bool expected = k + 1 < kept && touches[k + 1].id == touches[k].id + 1;
            assert_int_equal(beside != NULL, expected);
        }
    }
}

static int compare_depth(const void* left, const void* right)
{
    const PlainTouch *a = left, *b = right;
    return a->separation != b->separation ? (a->separation < b->separation ? -1 : 1) : compare(left, right);
}

static void test_the_deepest_cubes_are_chosen_beyond_the_capacity(void** state)
{
    (void)state;
    TestRandom random = { 6 };
    for (int most = 0; most < 300; most += 37)
    {
        uint16_t order[ABUT_CONTACT_GRID_CAPACITY];
        abut_contact_grid_reset(&contact_grid, 0.25f, abut_dvec3_zero());
        offer_touches(&random, 1500, most % 2 == 0 ? 1.5 : 1e5);
        int kept = keep_deepest_of_cubes(1500);
        qsort(touches, (size_t)kept, sizeof(touches[0]), compare_depth);
        qsort(touches, (size_t)(most < kept ? most : kept), sizeof(touches[0]), compare);
        size_t count = abut_contact_grid_order(&contact_grid, (size_t)most, order);
        assert_int_equal(count, most < kept ? most : kept);
        check_order(order, count);
    }
}

static void test_more_cubes_than_the_capacity_are_noticed(void** state)
{
    (void)state;
    TestRandom random = { 7 };
    abut_contact_grid_reset(&contact_grid, 0.25f, abut_dvec3_zero());
    offer_touches(&random, TOUCHES, 1e4);
    assert_true(contact_grid.full);
    assert_int_equal(contact_grid.count, ABUT_CONTACT_GRID_CAPACITY);
    abut_contact_grid_reset(&contact_grid, 0.25f, abut_dvec3_zero());
    assert_false(contact_grid.full);
    assert_int_equal(contact_grid.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cubes_keep_the_deepest_touch_and_come_by_id),
        cmocka_unit_test(test_the_deepest_cubes_are_chosen_beyond_the_capacity),
        cmocka_unit_test(test_more_cubes_than_the_capacity_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
