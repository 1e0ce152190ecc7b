// The box tree and the sampled loop that inspection is built on.
#include "support/support.h"

#include "base/memory.h"
#include "mesh/box_tree.h"
#include "mesh/inspect/sampled_loop.h"

#include <float.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct Boxes
{
    AbutBox* boxes;
    uint32_t count;
} Boxes;

static AbutBox get_box(void* context, uint32_t item)
{
    const Boxes* boxes = context;
    return boxes->boxes[item];
}

static Boxes make_boxes(uint32_t count)
{
    Boxes boxes = { malloc((count + 1) * sizeof(AbutBox)), count };
    assert_non_null(boxes.boxes);
    return boxes;
}

/// Small boxes, large ones, flat ones, points, and some that are empty.
static Boxes random_boxes(TestRandom* random, uint32_t count)
{
    Boxes boxes = make_boxes(count);
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 p = test_random_point(random, 10.0);
        AbutVec3 e = test_random_point(random, i % 50 == 0 ? 5.0 : 0.2);
        boxes.boxes[i] = abut_box(p, abut_vec3_add(p, abut_vec3_max(e, abut_vec3(0, 0, 0))));
        if (i % 97 == 0)
        {
            boxes.boxes[i] = abut_box_empty();
        }
    }
    return boxes;
}

static AbutBoxTree build(const AbutHost* host, Boxes* boxes)
{
    AbutBoxTree tree;
    test_assert_result(abut_box_tree_create(host, boxes->count, get_box, boxes, &tree), ABUT_OK);
    return tree;
}

static bool contains(AbutBox outer, AbutBox inner)
{
    AbutBox both = abut_box_union(outer, inner);
    return memcmp(&both, &outer, sizeof(both)) == 0;
}

/// Every item with a box once, boxes that hold what is below them, leaves of at most four, sizes that add up.
static void check_structure(const AbutBoxTree* tree, const Boxes* boxes)
{
    uint32_t expected = 0;
    for (uint32_t i = 0; i < boxes->count; ++i)
    {
        expected += !abut_box_is_empty(boxes->boxes[i]);
    }
    assert_int_equal(tree->item_count, expected);
    if (expected == 0)
    {
        assert_int_equal(tree->node_count, 0);
        return;
    }
    bool* seen = calloc(boxes->count, sizeof(bool));
    for (uint32_t slot = 0; slot < tree->item_count; ++slot)
    {
        assert_false(seen[tree->items[slot]]);
        seen[tree->items[slot]] = true;
    }
    free(seen);
    assert_int_equal(tree->nodes[0].size, tree->node_count);
    assert_int_equal(tree->nodes[0].first, 0);
    assert_int_equal(tree->nodes[tree->node_count].first, tree->item_count);
    for (uint32_t i = 0; i < tree->node_count; ++i)
    {
        const AbutBoxNode* node = &tree->nodes[i];
        uint32_t end = node[node->size].first;
        assert_true(node->first < end && end <= tree->item_count);
        if (node->size == 1)
        {
            assert_true(end - node->first <= 4);
            for (uint32_t slot = node->first; slot < end; ++slot)
            {
                assert_true(contains(abut_box_node_box(node), boxes->boxes[tree->items[slot]]));
            }
            continue;
        }
        const AbutBoxNode* lower = node + 1;
        const AbutBoxNode* upper = lower + lower->size;
        assert_int_equal(node->size, 1 + lower->size + upper->size);
        assert_int_equal(node->first, lower->first);
        assert_true(contains(abut_box_node_box(node), abut_box_node_box(lower)));
        assert_true(contains(abut_box_node_box(node), abut_box_node_box(upper)));
    }
}

static uint32_t count_overlaps(const AbutBoxTree* tree, const Boxes* boxes, AbutBox box, uint32_t first_slot)
{
    uint32_t count = 0, cursor = 0;
    AbutBoxLeaf leaf;
    while (abut_box_tree_next_overlap(tree, &box, first_slot, &cursor, &leaf))
    {
        for (uint32_t slot = leaf.first; slot < leaf.end; ++slot)
        {
            count += slot >= first_slot && abut_box_overlap(box, boxes->boxes[tree->items[slot]]);
        }
    }
    return count;
}

static void check_queries(const AbutBoxTree* tree, const Boxes* boxes, TestRandom* random)
{
    for (int query = 0; query < 50; ++query)
    {
        AbutVec3 p = test_random_point(random, 10.0);
        AbutBox box = abut_box_expand(abut_box(p, p), (float)test_random_range(random, 0.0, 2.0));
        uint32_t first_slot = query % 2 ? (uint32_t)(test_random_bits(random) % (tree->item_count + 1)) : 0;
        uint32_t expected = 0;
        for (uint32_t slot = first_slot; slot < tree->item_count; ++slot)
        {
            expected += abut_box_overlap(box, boxes->boxes[tree->items[slot]]);
        }
        assert_int_equal(count_overlaps(tree, boxes, box, first_slot), expected);
    }
}

static void test_tree_finds_what_a_search_through_all_finds(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    AbutHost host = abut_host_default();
    const uint32_t counts[] = { 0, 1, 2, 4, 5, 9, 100, 5000, 40000 }; // the last has several tasks
    for (int i = 0; i < 9; ++i)
    {
        Boxes boxes = random_boxes(&random, counts[i]);
        AbutBoxTree tree = build(&host, &boxes);
        check_structure(&tree, &boxes);
        check_queries(&tree, &boxes, &random);
        abut_box_tree_destroy(&host, &tree);
        free(boxes.boxes);
    }
}

static void test_tree_stands_crafted_boxes(void** state)
{
    (void)state;
    AbutHost host = abut_host_default();
    for (int kind = 0; kind < 6; ++kind)
    {
        Boxes boxes = make_boxes(33000);
        for (uint32_t i = 0; i < boxes.count; ++i)
        {
            float t = (float)i / (float)boxes.count;
            AbutVec3 p = abut_vec3(1, 2, 3); // 0: all the same
            p = kind == 1 ? abut_vec3(ldexpf(1.0f, (int)(i % 270) - 149), 0, 0)
                          : p; // each split peels off little
            p = kind == 2 ? abut_vec3(i % 2 ? FLT_MAX : -FLT_MAX, FLT_MAX * t, -FLT_MAX * t) : p;
            p = kind == 3 ? abut_vec3((float)i * 0x1p-149f, 0, 0) : p;
            p = kind == 4
                    ? abut_vec3(ldexpf(1.0f, (int)(i % 250) - 125), ldexpf(1.0f, (int)(i / 250) - 100), 0)
                    : p;
            boxes.boxes[i] = abut_box(p, p);
            if (kind == 5)
            {
                boxes.boxes[i] =
                    abut_box(abut_vec3(-FLT_MAX, -FLT_MAX, -FLT_MAX), abut_vec3(FLT_MAX, FLT_MAX * t, 1));
            }
        }
        AbutBoxTree tree = build(&host, &boxes);
        check_structure(&tree, &boxes);
        abut_box_tree_destroy(&host, &tree);
        free(boxes.boxes);
    }
}

static void test_tree_is_the_same_for_any_worker_count(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    Boxes boxes = random_boxes(&random, 100000);
    const uint32_t counts[] = { 1, 2, 7 };
    uint64_t hashes[3];
    for (int i = 0; i < 3; ++i)
    {
        AbutWorkers* workers = NULL;
        test_assert_result(abut_workers_create(counts[i], NULL, &workers), ABUT_OK);
        AbutHost host = abut_workers_host(workers);
        AbutBoxTree tree = build(&host, &boxes);
        hashes[i] = abut_hash(tree.nodes, tree.node_count * sizeof(AbutBoxNode), 0);
        hashes[i] = abut_hash(tree.items, tree.item_count * sizeof(uint32_t), hashes[i]);
        assert_int_equal(hashes[i], hashes[0]);
        abut_box_tree_destroy(&host, &tree);
        abut_workers_destroy(workers);
    }
    free(boxes.boxes);
}

static AbutResult build_and_destroy(void* context, const AbutHost* host)
{
    Boxes* boxes = context;
    AbutBoxTree tree;
    AbutResult result = abut_box_tree_create(host, boxes->count, get_box, boxes, &tree);
    abut_box_tree_destroy(host, &tree);
    return result;
}

static void test_tree_survives_every_failing_allocation(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    Boxes boxes = random_boxes(&random, 34000);
    test_fail_every_allocation(build_and_destroy, &boxes);
    free(boxes.boxes);
}

// -----------------------------------------------------------------------------------------------------------
// The sampled loop
// -----------------------------------------------------------------------------------------------------------

typedef struct Visits
{
    atomic_uint counts[100000];
    uint32_t progress_calls, cancel_at;
    float last_progress;
} Visits;

static void visit_item(void* context, uint32_t item, AbutLoopTally* tally)
{
    Visits* visits = context;
    atomic_fetch_add(&visits->counts[item], 1);
    tally->found += item % 4 == 0 ? 2 : 0;
    tally->work += 10;
}

static bool note_progress(void* user, float done)
{
    Visits* visits = user;
    assert_true(done >= visits->last_progress && done <= 1.0f);
    visits->last_progress = done;
    return ++visits->progress_calls != visits->cancel_at;
}

static AbutSampledLoop run_sample(Visits* visits, uint32_t count, uint32_t limit, uint64_t work_limit)
{
    memset(visits, 0, sizeof(*visits));
    AbutSampledLoopDef def = { count, limit, work_limit, visit_item, visits, note_progress, visits };
    AbutHost host = abut_host_default();
    AbutSampledLoop sample;
    test_assert_result(abut_sampled_loop_visit(&host, &def, &sample), ABUT_OK);
    uint32_t visited = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        assert_true(atomic_load(&visits->counts[i]) <= 1);
        visited += atomic_load(&visits->counts[i]);
    }
    assert_int_equal(sample.visited, visited);
    return sample;
}

static Visits visits;

static void test_loop_without_limits_visits_every_item_once(void** state)
{
    (void)state;
    const uint32_t counts[] = { 0, 1, 2, 7, 8, 9, 100, 255, 256, 257, 65536, 99999 };
    for (int i = 0; i < 12; ++i)
    {
        AbutSampledLoop sample = run_sample(&visits, counts[i], UINT32_MAX, UINT64_MAX);
        assert_int_equal(sample.visited, counts[i]);
        assert_int_equal(sample.tally.found, 2 * ((counts[i] + 3) / 4));
        assert_int_equal(abut_sampled_loop_estimate(&sample, counts[i]), sample.tally.found);
    }
}

static uint32_t longest_gap(uint32_t count)
{
    uint32_t longest = 0, last = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (atomic_load(&visits.counts[i]) > 0)
        {
            longest = i - last > longest ? i - last : longest;
            last = i;
        }
    }
    return longest > count - last ? longest : count - last;
}

static void test_limited_loops_spread_their_items_evenly(void** state)
{
    (void)state;
    AbutSampledLoop sample = run_sample(&visits, 99999, 1000, UINT64_MAX);
    assert_int_equal(sample.visited, 1000);
    assert_true(longest_gap(99999) <= 200);
    test_assert_near((double)abut_sampled_loop_estimate(&sample, 99999), 50000.0, 8000.0); // three deviations

    sample = run_sample(&visits, 99999, UINT32_MAX, 20000); // 2000 items' worth of work
    assert_true(sample.visited >= 500 && sample.visited <= 2000);
    assert_true(longest_gap(99999) <= 2 * 99999 / sample.visited + 128);
    test_assert_near((double)abut_sampled_loop_estimate(&sample, 99999), 50000.0, 10000.0);
}

static void test_loop_stops_when_progress_says_so(void** state)
{
    (void)state;
    AbutHost host = abut_host_default();
    for (uint32_t at = 1; at < 12; ++at)
    {
        memset(&visits, 0, sizeof(visits));
        visits.cancel_at = at;
        AbutSampledLoopDef def = {
            99999, UINT32_MAX, UINT64_MAX, visit_item, &visits, note_progress, &visits
        };
        AbutSampledLoop sample;
        test_assert_result(abut_sampled_loop_visit(&host, &def, &sample), ABUT_CANCELLED);
        assert_int_equal(visits.progress_calls, at);
    }
}

static void test_estimates_do_not_overflow(void** state)
{
    (void)state;
    AbutSampledLoop sample = { .visited = 3, .tally = { .found = 3ull * 4000000000u } };
    assert_int_equal(abut_sampled_loop_estimate(&sample, 4000000001u), 4000000000u * 4000000001ull);
    sample = (AbutSampledLoop){ .visited = 4000000000u, .tally = { .found = 3999999999u } };
    assert_int_equal(abut_sampled_loop_estimate(&sample, 4294967295u), 4294967294u);
    sample = (AbutSampledLoop){ 0 };
    assert_int_equal(abut_sampled_loop_estimate(&sample, 7), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_finds_what_a_search_through_all_finds),
        cmocka_unit_test(test_tree_stands_crafted_boxes),
        cmocka_unit_test(test_tree_is_the_same_for_any_worker_count),
        cmocka_unit_test(test_tree_survives_every_failing_allocation),
        cmocka_unit_test(test_loop_without_limits_visits_every_item_once),
        cmocka_unit_test(test_limited_loops_spread_their_items_evenly),
        cmocka_unit_test(test_loop_stops_when_progress_says_so),
        cmocka_unit_test(test_estimates_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
