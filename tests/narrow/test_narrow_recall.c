// No collision is missed and none is made up, where that is hardest: poses near touching of thin, curved and
// toothed things, against references in double.
#include "support/support.h"

#include "scenes/recall.h"

#include <stdlib.h>

enum
{
    CASES = 100,
    MOST_COMPLAINTS = 5
};

/// Cases per scene: `make soak` sets ABUT_TEST_POSES to many more.
static uint64_t case_count(void)
{
    return (uint64_t)test_count("ABUT_TEST_POSES", CASES);
}

typedef struct Tally
{
    uint64_t overlapping, contact, separated, close, unsure, wrong, evaluations;
    double furthest; // gap or depth of those that are close
} Tally;

static void run_case(const RecallScene* scene, uint64_t number, Tally* tally)
{
    RecallCase item = recall_scene_case(scene, number);
    AbutCollideInput input = recall_scene_input(scene, &item);
    AbutCollideOutput output = abut_collide(&input, NULL, 0);
    const char* wrong = recall_scene_judge(scene, &item, &output);
    tally->overlapping += item.overlap ? 1 : 0;
    tally->unsure += item.unsure ? 1 : 0;
    tally->contact += output.state == ABUT_COLLIDE_CONTACT ? 1 : 0;
    tally->separated += output.state == ABUT_COLLIDE_SEPARATED ? 1 : 0;
    tally->close += output.state == ABUT_COLLIDE_CLOSE ? 1 : 0;
    tally->evaluations += output.evaluations;
    tally->furthest = fmax(tally->furthest, output.state == ABUT_COLLIDE_CLOSE ? fabs(item.gap) : 0.0);
    if (wrong != NULL && tally->wrong++ < MOST_COMPLAINTS)
    {
        print_message("case %llu: %s; gap %g, proved %g, tolerance %g\n", (unsigned long long)number, wrong,
                      item.gap, (double)output.gap, recall_scene_tolerance(scene));
    }
}

static void check_scene(RecallDef def)
{
    RecallScene* scene = NULL;
    Tally tally = { 0 };
    uint64_t count = case_count();
    test_assert_result(recall_scene_create(&def, &scene), ABUT_OK);
    for (uint64_t i = 0; i < count; ++i)
    {
        run_case(scene, i, &tally);
    }
    print_message(
        "%s, %s: of %llu, %llu overlap; %llu contact, %llu separated, %llu close (up to %.2g), %llu unsure; "
        "%.0f evaluations; tolerance %.2g\n",
        recall_kind_name(def.kind), def.cells == 0 ? "exact" : abut_field_format_name(def.format),
        (unsigned long long)count, (unsigned long long)tally.overlapping, (unsigned long long)tally.contact,
        (unsigned long long)tally.separated, (unsigned long long)tally.close, tally.furthest,
        (unsigned long long)tally.unsure, (double)tally.evaluations / (double)count,
        recall_scene_tolerance(scene));
    assert_int_equal(tally.wrong, 0);
    // A reference that always says the same would prove nothing.
    assert_true(tally.overlapping > count / 10 && tally.overlapping < count - count / 10);
    recall_scene_destroy(scene);
}

// One test per scene, so that one that fails hides no other.
#define SCENE_TESTS(name, scene)                                                                             \
    static void test_exact_##name##_are_never_answered_wrongly(void** state)                                 \
    {                                                                                                        \
        (void)state;                                                                                         \
        check_scene((RecallDef){ .kind = (scene) });                                                         \
    }                                                                                                        \
    static void test_fields_of_##name##_are_never_answered_wrongly(void** state)                             \
    {                                                                                                        \
        (void)state;                                                                                         \
        check_scene((RecallDef){ .kind = (scene), .cells = 128 });                                           \
    }

SCENE_TESTS(torus_links, RECALL_TORUS_LINK)
SCENE_TESTS(grazing_spheres, RECALL_GRAZING_SPHERES)
SCENE_TESTS(parallel_plates, RECALL_PARALLEL_PLATES)
SCENE_TESTS(gears, RECALL_GEARS)
SCENE_TESTS(needles_and_plates, RECALL_NEEDLE_AND_PLATE)
SCENE_TESTS(boxes_and_spheres, RECALL_BOX_AND_SPHERE)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_torus_links_are_never_answered_wrongly),
        cmocka_unit_test(test_exact_grazing_spheres_are_never_answered_wrongly),
        cmocka_unit_test(test_exact_parallel_plates_are_never_answered_wrongly),
        cmocka_unit_test(test_exact_gears_are_never_answered_wrongly),
        cmocka_unit_test(test_exact_needles_and_plates_are_never_answered_wrongly),
        cmocka_unit_test(test_exact_boxes_and_spheres_are_never_answered_wrongly),
        cmocka_unit_test(test_fields_of_torus_links_are_never_answered_wrongly),
        cmocka_unit_test(test_fields_of_grazing_spheres_are_never_answered_wrongly),
        cmocka_unit_test(test_fields_of_parallel_plates_are_never_answered_wrongly),
        cmocka_unit_test(test_fields_of_gears_are_never_answered_wrongly),
        cmocka_unit_test(test_fields_of_needles_and_plates_are_never_answered_wrongly),
        cmocka_unit_test(test_fields_of_boxes_and_spheres_are_never_answered_wrongly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
