// Segments against fields: no touch is missed and none is late, made up touches there are none, and all ways
// through a field give the same answer to the bit.
#include "support/meshes/segments.h"
#include "support/shapes.h"

#include <abut/bake.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SEGMENTS = 300, // of each kind in each scene
    MOST_COMPLAINTS = 5,
    MAX_INTERVALS = 64
};

/// `make soak` sets ABUT_TEST_SEGMENTS to many more.
static int segment_count(void)
{
    return test_count("ABUT_TEST_SEGMENTS", SEGMENTS);
}

/// Small and thin things about a ring and a hollow ball.
static AbutShape* make_solid(TestRandom* random)
{
    AbutShape *ball = test_make_sphere(0.5f), *hollow = NULL, *both = NULL;
    test_assert_result(abut_shape_create_shell(ball, 0.1f, NULL, &hollow), ABUT_OK);
    AbutShape* solids[3] = { test_make_torus(0.8f, 0.2f), hollow, test_make_random_solid(random) };
    test_assert_result(abut_shape_create_union(solids, 3, NULL, &both), ABUT_OK);
    abut_shape_destroy(ball);
    for (int i = 0; i < 3; ++i)
    {
        abut_shape_destroy(solids[i]);
    }
    return both;
}

typedef struct Scene
{
    const char* name;
    AbutFieldFormat format;
    bool sparse, without_octree;
    float iso; // in sides of the box
    uint32_t resolution;
} Scene;

static AbutShape* bake(const AbutShape* shape, const Scene* scene)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = scene->resolution;
    def.format = scene->format;
    def.sparse = scene->sparse;
    def.without_octree = scene->without_octree;
    AbutShape* field = NULL;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    return field;
}

/// The box of the grid.
static AbutBox grid_box(const AbutFieldInfo* info)
{
    AbutVec3 low = abut_vec3((float)info->origin.x, (float)info->origin.y, (float)info->origin.z);
    float cell = (float)info->cell_size;
    AbutVec3 size = abut_vec3(cell * (float)info->cell_count[0], cell * (float)info->cell_count[1],
                              cell * (float)info->cell_count[2]);
    return abut_box(low, abut_vec3_add(low, size));
}

typedef struct Tally
{
    uint64_t count, touching, missed, late, made_up, differing;
    double early, most_early, furthest; // sum and most of times, and of values over σ, in cells
} Tally;

typedef struct Check
{
    const AbutShape* field;
    TestFunction function;
    float iso;
    double cell, rounding; // of values and places, in cells
    int samples;
    Tally tally;
} Check;

static AbutCastHits first_of(const Check* check, AbutCastMethod method, const TestSegment* segment,
                             float* time, uint8_t* state)
{
    AbutCastSettings settings = abut_cast_settings();
    settings.method = method;
    settings.iso = check->iso;
    AbutSegments segments = { { &segment->from.x, &segment->from.y, &segment->from.z },
                              { &segment->to.x, &segment->to.y, &segment->to.z } };
    AbutCastHits out = { time, state };
    test_assert_result(abut_cast_segments(check->field, &settings, segments, 1, out), ABUT_OK);
    return out;
}

static void complain(Check* check, uint64_t* counter, const char* what, const TestSegment* segment,
                     double truth, double time)
{
    if ((*counter)++ < MOST_COMPLAINTS)
    {
        print_message("%s: (%a, %a, %a) to (%a, %a, %a): %.9g, is %.9g, there %g cells over\n", what,
                      (double)segment->from.x, (double)segment->from.y, (double)segment->from.z,
                      (double)segment->to.x, (double)segment->to.y, (double)segment->to.z, time, truth,
                      (test_segment_value(check->function, segment, time) - (double)check->iso) /
                          check->cell);
    }
}

static void check_segment(Check* check, const TestSegment* segment)
{
    Tally* tally = &check->tally;
    float time, other_time;
    uint8_t state, other_state;
    first_of(check, ABUT_CAST_CELLS, segment, &time, &state);
    ++tally->count;
    for (int method = 0; method < ABUT_CAST_METHOD_COUNT; ++method)
    {
        first_of(check, (AbutCastMethod)method, segment, &other_time, &other_state);
        if (other_state != state || memcmp(&time, &other_time, sizeof(time)) != 0)
        {
            complain(check, &tally->differing, abut_cast_method_name((AbutCastMethod)method), segment,
                     (double)time, (double)other_time);
        }
    }
    double truth = test_segment_first(check->function, segment, (double)check->iso, check->samples);
    bool hit = state == ABUT_CAST_HIT || state == ABUT_CAST_INSIDE;
    tally->touching += hit ? 1 : 0;
    if (truth <= 1.0 && !hit)
    {
        complain(check, &tally->missed, "missed", segment, truth, (double)time);
    }
    else if (truth <= 1.0 && (double)time > truth)
    {
        complain(check, &tally->late, "late", segment, truth, (double)time);
    }
    if (!hit)
    {
        return;
    }
    // The field must be down to σ where the touch is said to be: this also finds what the samples do not see.
    double over =
        (test_segment_value(check->function, segment, (double)time) - (double)check->iso) / check->cell;
    tally->furthest = fmax(tally->furthest, over);
    if (!(over <= check->rounding))
    {
        complain(check, &tally->made_up, "made up", segment, truth, (double)time);
    }
    if (truth <= 1.0)
    {
        tally->early += truth - (double)time;
        tally->most_early = fmax(tally->most_early, truth - (double)time);
    }
}

static void check_kind(Check* check, TestSegmentKind kind, AbutBox box, TestRandom* random, const char* name)
{
    memset(&check->tally, 0, sizeof(check->tally));
    for (int i = 0; i < segment_count(); ++i)
    {
        TestSegment segment = test_make_segment(random, kind, check->function, check->iso, box, check->cell);
        check_segment(check, &segment);
    }
    const Tally* tally = &check->tally;
    print_message("%s, %s: %llu touch; early %.2g on average, %.2g at most, %.2g cells over\n", name,
                  test_segment_kind_names[kind], (unsigned long long)tally->touching,
                  tally->touching > 0 ? tally->early / (double)tally->touching : 0.0, tally->most_early,
                  tally->furthest);
    assert_int_equal(tally->missed, 0);
    assert_int_equal(tally->late, 0);
    assert_int_equal(tally->made_up, 0);
    assert_int_equal(tally->differing, 0);
    // A reference that always says the same would prove nothing.
    assert_true(kind == TEST_SEGMENT_SHORT || tally->touching > tally->count / 20);
}

static void check_scene(const Scene* scene)
{
    TestRandom random = { 7 };
    AbutShape* solid = make_solid(&random);
    AbutShape* field = bake(solid, scene);
    AbutFieldInfo info = abut_field_info(field);
    AbutBox box = grid_box(&info);
    bool plain = info.order == 0 && !info.sparse;
    TestGrid grid = { 0 };
    if (plain)
    {
        grid = test_grid_read(field);
    }
    Check check = { .field = field,
                    .function = plain ? test_grid_function(&grid) : test_sampled_function(field),
                    .iso = scene->iso * (box.max.x - box.min.x),
                    .cell = info.cell_size,
                    .rounding = 2e-3,
                    .samples = 400 };
    for (int kind = 0; kind < TEST_SEGMENT_KINDS; ++kind)
    {
        check_kind(&check, (TestSegmentKind)kind, box, &random, scene->name);
    }
    test_grid_free(&grid);
    abut_shape_destroy(field);
    abut_shape_destroy(solid);
}

// One test per scene, so that one that fails hides no other.
#define SCENE_TEST(name, ...)                                                                                \
    static void test_no_touch_is_missed_or_late_in_##name(void** state)                                      \
    {                                                                                                        \
        (void)state;                                                                                         \
        const Scene scene = { #name, __VA_ARGS__ };                                                          \
        check_scene(&scene);                                                                                 \
    }

SCENE_TEST(floats, ABUT_FIELD_F32, false, false, 0.0f, 48)
SCENE_TEST(halves, ABUT_FIELD_F16, false, false, 0.0f, 48)
SCENE_TEST(first_order, ABUT_FIELD_FIRST_ORDER, false, false, 0.0f, 32)
SCENE_TEST(sparse_floats, ABUT_FIELD_F32, true, false, 0.0f, 64)
SCENE_TEST(sparse_first_order, ABUT_FIELD_FIRST_ORDER, true, false, 0.0f, 48)
SCENE_TEST(floats_without_octree, ABUT_FIELD_F32, false, true, 0.0f, 40)
SCENE_TEST(floats_grown, ABUT_FIELD_F32, false, false, 0.3f, 40)
SCENE_TEST(halves_grown, ABUT_FIELD_F16, true, false, 0.02f, 64)
SCENE_TEST(floats_shrunk, ABUT_FIELD_F32, false, false, -0.01f, 64)
SCENE_TEST(sparse_first_order_shrunk, ABUT_FIELD_FIRST_ORDER, true, false, -0.01f, 48)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_touch_is_missed_or_late_in_floats),
        cmocka_unit_test(test_no_touch_is_missed_or_late_in_halves),
        cmocka_unit_test(test_no_touch_is_missed_or_late_in_first_order),
        cmocka_unit_test(test_no_touch_is_missed_or_late_in_sparse_floats),
        cmocka_unit_test(test_no_touch_is_missed_or_late_in_sparse_first_order),
        cmocka_unit_test(test_no_touch_is_missed_or_late_in_floats_without_octree),
        cmocka_unit_test(test_no_touch_is_missed_or_late_in_floats_grown),
        cmocka_unit_test(test_no_touch_is_missed_or_late_in_halves_grown),
        cmocka_unit_test(test_no_touch_is_missed_or_late_in_floats_shrunk),
        cmocka_unit_test(test_no_touch_is_missed_or_late_in_sparse_first_order_shrunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
