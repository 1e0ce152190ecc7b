// Pairs of boxes by every method, against brute force.
#include "support/scenes/box_scene.h"

enum
{
#if defined(NDEBUG)
    MANY_BOXES = 1000000,
    LARGE_SCENE = 2500
#else
    MANY_BOXES = 50000, // builds with sanitizers are slow, and look for other faults
    LARGE_SCENE = 800
#endif
};

static void create_sets(AbutBroad* sets[ABUT_BROAD_METHOD_COUNT], const AbutHost* host)
{
    for (int method = 0; method < ABUT_BROAD_METHOD_COUNT; ++method)
    {
        AbutBroadDef def = abut_broad_def();
        def.method = (AbutBroadMethod)method;
        def.host = host;
        test_assert_result(abut_broad_create(&def, &sets[method]), ABUT_OK);
    }
}

static void destroy_sets(AbutBroad* sets[ABUT_BROAD_METHOD_COUNT])
{
    for (int method = 0; method < ABUT_BROAD_METHOD_COUNT; ++method)
    {
        abut_broad_destroy(sets[method]);
    }
}

/// Boxes that a run of a scene has compared, over its steps.
static uint64_t run_scene(BoxSceneKind kind, uint32_t capacity, int steps, bool coherent, uint64_t seed)
{
    AbutBroad* sets[ABUT_BROAD_METHOD_COUNT];
    TestHost host;
    test_host_init(&host);
    create_sets(sets, &host.host);
    BoxScene scene = box_scene_make(kind, capacity, seed % 3 == 0, seed);
    TestRandom random = { seed + 1 };
    for (uint32_t i = 0; i < capacity - capacity / 8; ++i)
    {
        box_scene_add(&scene, sets, ABUT_BROAD_METHOD_COUNT);
    }
    uint64_t boxes = 0;
    for (int step = 0; step < steps; ++step)
    {
        box_scene_check(&scene, sets, ABUT_BROAD_METHOD_COUNT);
        boxes += abut_broad_count(sets[0]);
        double fraction = test_random_unit(&random);
        box_scene_step(&scene, sets, ABUT_BROAD_METHOD_COUNT, fraction * fraction, coherent);
    }
    box_scene_check(&scene, sets, ABUT_BROAD_METHOD_COUNT);
    box_scene_free(&scene);
    destroy_sets(sets);
    assert_true(host.live_count == 0);
    return boxes;
}

static void test_every_method_finds_all_pairs_of_a_million_boxes(void** state)
{
    (void)state;
    uint64_t boxes = 0;
    for (uint64_t seed = 0; boxes < MANY_BOXES; ++seed)
    {
        BoxSceneKind kind = (BoxSceneKind)(seed % BOX_SCENE_KIND_COUNT);
        uint32_t capacity = (uint32_t)(1 + seed * 7 % 150);
        boxes += run_scene(kind, capacity, 12, seed % 2 == 0, seed);
    }
}

static void test_trees_of_several_levels_find_all_pairs(void** state)
{
    (void)state;
    for (int kind = 0; kind < BOX_SCENE_KIND_COUNT; ++kind)
    {
        run_scene((BoxSceneKind)kind, kind == BOX_SCENE_SAME ? LARGE_SCENE / 4 : LARGE_SCENE, 5, true,
                  100u + (unsigned)kind);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_finds_all_pairs_of_a_million_boxes),
        cmocka_unit_test(test_trees_of_several_levels_find_all_pairs),
    };
    return cmocka_run_group_tests_name("broad", tests, NULL, NULL);
}
