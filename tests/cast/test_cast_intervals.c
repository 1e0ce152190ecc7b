// All parts of a segment with f ≤ σ, against samples; and input that makes little sense.
#include "support/meshes/segments.h"
#include "support/shapes.h"

#include <abut/bake.h>
#include <math.h>
#include <string.h>

enum
{
    SEGMENTS = 240,
    SAMPLES = 1000,
    MAX_INTERVALS = 64
};

static AbutShape* bake(AbutShape* shape, AbutFieldFormat format, bool sparse, uint32_t resolution)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = resolution;
    def.format = format;
    def.sparse = sparse;
    AbutShape* field = NULL;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    abut_shape_destroy(shape);
    return field;
}

static bool is_in_intervals(const AbutTimeInterval* intervals, int count, double time)
{
    for (int i = 0; i < count; ++i)
    {
        if (time >= (double)intervals[i].begin && time <= (double)intervals[i].end)
        {
            return true;
        }
    }
    return false;
}

/// In order, none touching the next, and right at every sample.
static void check_intervals(TestFunction function, const TestSegment* segment, double iso, double rounding,
                            const AbutTimeInterval* intervals, int count)
{
    for (int i = 0; i < count; ++i)
    {
        assert_true(intervals[i].begin >= 0.0f && intervals[i].begin <= intervals[i].end &&
                    intervals[i].end <= 1.0f);
        assert_true(i == 0 || intervals[i].begin > intervals[i - 1].end);
    }
    for (int i = 0; i <= SAMPLES; ++i)
    {
        double time = (double)i / SAMPLES, f = test_segment_value(function, segment, time);
        bool inside = is_in_intervals(intervals, count, time);
        if (inside ? f > iso + rounding : f <= iso)
        {
            fail_msg("at %.9g f is %.9g over, but that is said to be %s", time, f - iso,
                     inside ? "inside" : "outside");
        }
    }
}

static int check_segment(const AbutShape* field, TestFunction function, float iso, double rounding,
                         const TestSegment* segment)
{
    AbutCastSettings settings = abut_cast_settings();
    AbutTimeInterval intervals[ABUT_CAST_METHOD_COUNT][MAX_INTERVALS];
    AbutCastOutput output[ABUT_CAST_METHOD_COUNT];
    float time;
    uint8_t state;
    settings.iso = iso;
    for (int method = 0; method < ABUT_CAST_METHOD_COUNT; ++method)
    {
        settings.method = (AbutCastMethod)method;
        output[method] = abut_cast_intervals(field, &settings, segment->from, segment->to, intervals[method],
                                             MAX_INTERVALS);
        assert_int_equal(output[method].interval_total, output[0].interval_total);
        assert_int_equal(output[method].interval_count, output[0].interval_total);
        assert_memory_equal(intervals[method], intervals[0],
                            (size_t)output[0].interval_count * sizeof(AbutTimeInterval));
        assert_int_equal(output[method].state, output[0].state);
        AbutSegments segments = { { &segment->from.x, &segment->from.y, &segment->from.z },
                                  { &segment->to.x, &segment->to.y, &segment->to.z } };
        test_assert_result(abut_cast_segments(field, &settings, segments, 1, (AbutCastHits){ &time, &state }),
                           ABUT_OK);
        assert_int_equal(state, output[method].state);
        assert_memory_equal(&time, &output[method].time, sizeof(time));
    }
    assert_true(output[0].interval_total == 0 || intervals[0][0].begin == output[0].time);
    check_intervals(function, segment, (double)iso, rounding, intervals[0], (int)output[0].interval_count);
    return (int)output[0].interval_total;
}

static void check_field(AbutShape* field, float iso)
{
    AbutFieldInfo info = abut_field_info(field);
    AbutBox box = abut_shape_info(field).bounds;
    TestFunction function = test_sampled_function(field);
    TestRandom random = { 21 };
    int several = 0;
    for (int i = 0; i < SEGMENTS; ++i)
    {
        TestSegment segment = test_make_segment(&random, (TestSegmentKind)(i % TEST_SEGMENT_KINDS), function,
                                                iso, box, info.cell_size);
        several += check_segment(field, function, iso, 2e-3 * info.cell_size, &segment) > 1 ? 1 : 0;
    }
    assert_true(several > SEGMENTS / 20);
    abut_shape_destroy(field);
}

static AbutShape* make_hollow_ring(void)
{
    AbutShape *ring = test_make_torus(0.6f, 0.25f), *shell = NULL;
    test_assert_result(abut_shape_create_shell(ring, 0.12f, NULL, &shell), ABUT_OK);
    abut_shape_destroy(ring);
    return shell;
}

static void test_intervals_of_fields_are_right_at_every_sample(void** state)
{
    (void)state;
    check_field(bake(make_hollow_ring(), ABUT_FIELD_F32, false, 48), 0.0f);
    check_field(bake(make_hollow_ring(), ABUT_FIELD_F16, false, 48), -0.02f);
    check_field(bake(make_hollow_ring(), ABUT_FIELD_FIRST_ORDER, false, 32), 0.0f);
    check_field(bake(make_hollow_ring(), ABUT_FIELD_F32, true, 80), 0.0f);
    check_field(bake(make_hollow_ring(), ABUT_FIELD_FIRST_ORDER, true, 48), 0.01f);
}

static void test_a_full_buffer_says_how_many_there_are(void** state)
{
    (void)state;
    AbutShape* field = bake(test_make_torus(1.0f, 0.25f), ABUT_FIELD_F32, false, 40);
    AbutCastSettings settings = abut_cast_settings();
    AbutVec3 from = abut_vec3(-2.0f, 0.0f, 0.0f), to = abut_vec3(2.0f, 0.0f, 0.0f);
    AbutTimeInterval interval = { -1.0f, -1.0f };
    AbutCastOutput output = abut_cast_intervals(field, &settings, from, to, &interval, 1);
    assert_int_equal(output.interval_total, 2);
    assert_int_equal(output.interval_count, 1);
    test_assert_near(interval.begin, 0.1875, 2e-3);
    test_assert_near(interval.end, 0.3125, 2e-3);
    output = abut_cast_intervals(field, &settings, from, to, NULL, 0);
    assert_int_equal(output.interval_total, 2);
    assert_int_equal(output.interval_count, 0);
    assert_int_equal(output.state, ABUT_CAST_HIT);
    assert_true(output.steps > 0);
    abut_shape_destroy(field);
}

/// Corners of 1 and −0.9 in turn: along the diagonal of a cell's face the blend is 1 at both ends and 0.05 in
/// the middle.
static void test_dips_within_a_cell_are_found(void** state)
{
    (void)state;
    enum
    {
        SIDE = 9
    };
    static float values[SIDE * SIDE * SIDE];
    for (int z = 0; z < SIDE; ++z)
    {
        for (int y = 0; y < SIDE; ++y)
        {
            for (int x = 0; x < SIDE; ++x)
            {
                values[(z * SIDE + y) * SIDE + x] = (x + y) % 2 == 0 ? 1.0f : -0.9f;
            }
        }
    }
    AbutBakeValuesDef def = abut_bake_values_def();
    def.values = values;
    def.node_count[0] = def.node_count[1] = def.node_count[2] = SIDE;
    def.cell_size = 1.0;
    AbutShape* field = NULL;
    test_assert_result(abut_bake_values(&def, &field), ABUT_OK);
    AbutCastSettings settings = abut_cast_settings();
    AbutTimeInterval interval;
    settings.iso = 0.0625f;
    for (int method = 0; method < ABUT_CAST_METHOD_COUNT; ++method)
    {
        settings.method = (AbutCastMethod)method;
        AbutCastOutput output = abut_cast_intervals(field, &settings, abut_vec3(2.0f, 2.0f, 2.5f),
                                                    abut_vec3(3.0f, 3.0f, 2.5f), &interval, 1);
        assert_int_equal(output.state, ABUT_CAST_HIT);
        assert_int_equal(output.interval_total, 1);
        // 1 − 3.8 s (1 − s) = 0.0625
        double half = sqrt(0.25 - (1.0 - 0.0625) / 3.8);
        test_assert_near(interval.begin, 0.5 - half, 1e-4);
        test_assert_near(interval.end, 0.5 + half, 1e-4);
        assert_true((double)interval.begin <= 0.5 - half && (double)interval.end >= 0.5 + half);
    }
    abut_shape_destroy(field);
}

static AbutCastOutput ask(const AbutShape* shape, AbutCastMethod method, float iso, AbutVec3 from,
                          AbutVec3 to, AbutTimeInterval* interval)
{
    AbutCastSettings settings = abut_cast_settings();
    settings.method = method;
    settings.iso = iso;
    return abut_cast_intervals(shape, &settings, from, to, interval, 1);
}

static void test_strange_input_has_defined_answers(void** state)
{
    (void)state;
    AbutShape* shapes[2] = { test_make_sphere(0.5f),
                             bake(test_make_sphere(0.5f), ABUT_FIELD_F32, false, 32) };
    AbutVec3 out = abut_vec3(2.0f, 0.1f, 0.0f), in = abut_vec3(0.1f, 0.0f, 0.0f);
    for (int i = 0; i < 2 * ABUT_CAST_METHOD_COUNT; ++i)
    {
        const AbutShape* shape = shapes[i % 2];
        AbutCastMethod method = (AbutCastMethod)(i / 2);
        AbutTimeInterval interval = { -1.0f, -1.0f };
        assert_int_equal(ask(shape, method, 0.0f, out, out, &interval).state, ABUT_CAST_MISS);
        assert_int_equal(ask(shape, method, 0.0f, in, in, &interval).state, ABUT_CAST_INSIDE);
        assert_true(interval.begin == 0.0f && interval.end == 1.0f);
        assert_int_equal(ask(shape, method, 1e30f, out, in, &interval).state, ABUT_CAST_INSIDE);
        assert_true(interval.begin == 0.0f && interval.end == 1.0f);
        assert_int_equal(ask(shape, method, -1e30f, out, in, &interval).state, ABUT_CAST_MISS);
        assert_int_equal(ask(shape, method, 0.0f, abut_vec3(NAN, 0.0f, 0.0f), in, &interval).state,
                         ABUT_CAST_INVALID);
        assert_int_equal(ask(shape, method, 0.0f, out, abut_vec3(0.0f, INFINITY, 0.0f), &interval).state,
                         ABUT_CAST_INVALID);
        assert_int_equal(ask(shape, method, NAN, out, in, &interval).state, ABUT_CAST_INVALID);
        assert_int_equal(ask(shape, (AbutCastMethod)7, 0.0f, out, in, &interval).state, ABUT_CAST_INVALID);
        AbutCastOutput through = ask(shape, method, 0.0f, abut_vec3(-3e38f, 0.0f, 0.0f), in, &interval);
        assert_true(through.state == ABUT_CAST_HIT || through.state == ABUT_CAST_INSIDE);
    }
    static const AbutSegments nothing;
    AbutCastSettings settings = abut_cast_settings();
    assert_int_equal(abut_cast_intervals(shapes[1], &settings, out, in, NULL, 1).state, ABUT_CAST_INVALID);
    test_assert_result(abut_cast_segments(shapes[1], &settings, nothing, 0, (AbutCastHits){ NULL, NULL }),
                       ABUT_OK);
    settings.tolerance = -1.0f;
    test_assert_result(abut_cast_segments(shapes[0], &settings, nothing, 0, (AbutCastHits){ NULL, NULL }),
                       ABUT_INVALID_ARGUMENT);
    abut_shape_destroy(shapes[0]);
    abut_shape_destroy(shapes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals_of_fields_are_right_at_every_sample),
        cmocka_unit_test(test_a_full_buffer_says_how_many_there_are),
        cmocka_unit_test(test_dips_within_a_cell_are_found),
        cmocka_unit_test(test_strange_input_has_defined_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
