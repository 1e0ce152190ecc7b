// Segments against exact shapes: closed forms in double say when they touch.
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SEGMENTS = 20000,
    BATCH = 1000
};

/// `make soak` sets ABUT_TEST_SEGMENTS to more.
static int segment_count(void)
{
    return test_count("ABUT_TEST_SEGMENTS", SEGMENTS);
}

typedef struct Line
{
    double from[3], displacement[3];
} Line;

/// The first time in [0, 1], or 2.
typedef double FirstFn(const Line* line, double iso);

static const double RADIUS = 0.7, PLANE[3] = { 0.6, 0.0, 0.8 }, OFFSET = 0.2, HALF[3] = { 0.5, 0.3, 0.8 };

/// |from + t way| ≤ r, without loss where the root is small.
static double first_in_ball(const double from[3], const double displacement[3], double r)
{
    double a = 0.0, b = 0.0, c = -r * r;
    for (int i = 0; i < 3; ++i)
    {
        a += displacement[i] * displacement[i];
        b += from[i] * displacement[i];
        c += from[i] * from[i];
    }
    if (c <= 0.0)
    {
        return 0.0;
    }
    double d = b * b - a * c;
    double t = d >= 0.0 && b < 0.0 ? c / (-b + sqrt(d)) : 2.0;
    return t <= 1.0 ? t : 2.0;
}

static double first_of_sphere(const Line* line, double iso)
{
    return first_in_ball(line->from, line->displacement, (double)(float)RADIUS + iso);
}

static double first_of_plane(const Line* line, double iso)
{
    double a = -(double)(float)OFFSET - iso, b = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        a += PLANE[i] * line->from[i];
        b += PLANE[i] * line->displacement[i];
    }
    return a <= 0.0 ? 0.0 : (b < 0.0 && -a / b <= 1.0 ? -a / b : 2.0);
}

static double first_of_box(const Line* line, double iso)
{
    (void)iso;
    double enter = 0.0, exit = 1.0;
    for (int i = 0; i < 3; ++i)
    {
        double half = (double)(float)HALF[i];
        double a = (-half - line->from[i]) / line->displacement[i],
               b = (half - line->from[i]) / line->displacement[i];
        enter = fmax(enter, fmin(a, b));
        exit = fmin(exit, fmax(a, b));
    }
    return enter <= exit ? enter : 2.0;
}

typedef struct Segments
{
    float coordinates[6][BATCH];
    float time[BATCH];
    uint8_t state[BATCH];
} Segments;

static AbutSegments as_segments(const Segments* s)
{
    return (AbutSegments){ { s->coordinates[0], s->coordinates[1], s->coordinates[2] },
                           { s->coordinates[3], s->coordinates[4], s->coordinates[5] } };
}

static Line line_of(const Segments* s, int i)
{
    Line line;
    for (int axis = 0; axis < 3; ++axis)
    {
        line.from[axis] = s->coordinates[axis][i];
        line.displacement[axis] = (double)s->coordinates[axis + 3][i] - (double)s->coordinates[axis][i];
    }
    return line;
}

/// Every other one goes by within 1e-5 of a ball around the origin.
static void make_segment(TestRandom* random, double radius, Segments* s, int i)
{
    AbutVec3 from = test_random_point(random, 2.0), to = test_random_point(random, 2.0);
    if (i % 2 == 1)
    {
        AbutVec3 normal = test_random_direction(random);
        AbutVec3 along = abut_vec3_cross(normal, test_random_direction(random));
        AbutVec3 near = abut_vec3_scale(normal, (float)(radius + test_random_range(random, -1e-5, 1e-5)));
        from = abut_vec3_add(near, abut_vec3_scale(along, (float)test_random_range(random, -2.0, -0.2)));
        to = abut_vec3_add(near, abut_vec3_scale(along, (float)test_random_range(random, 0.2, 2.0)));
    }
    const float ends[6] = { from.x, from.y, from.z, to.x, to.y, to.z };
    for (int axis = 0; axis < 6; ++axis)
    {
        s->coordinates[axis][i] = ends[axis];
    }
}

static void check_shape(AbutShape* shape, FirstFn* first, float iso, double radius, const char* name)
{
    AbutCastSettings settings = abut_cast_settings();
    settings.iso = iso;
    TestRandom random = { 3 };
    static Segments s;
    uint64_t touching = 0, unfinished = 0, count = 0;
    double early = 0.0, most = 0.0;
    for (int done = 0; done < segment_count(); done += BATCH)
    {
        for (int i = 0; i < BATCH; ++i)
        {
            make_segment(&random, radius, &s, i);
        }
        AbutCastHits out = { s.time, s.state };
        test_assert_result(abut_cast_segments(shape, &settings, as_segments(&s), BATCH, out), ABUT_OK);
        for (int i = 0; i < BATCH; ++i, ++count)
        {
            Line line = line_of(&s, i);
            double truth = first(&line, (double)iso);
            bool hit = s.state[i] == ABUT_CAST_HIT || s.state[i] == ABUT_CAST_INSIDE;
            // Along a flat face and hardly over it samples bring nobody far; what is said to be free is free
            // all the same.
            bool given_up = s.state[i] == ABUT_CAST_BUDGET;
            unfinished += given_up ? 1 : 0;
            if (truth > 1.0)
            {
                continue; // a touch within the tolerance is none in truth
            }
            assert_true(hit || given_up);
            assert_true((double)s.time[i] <= truth);
            ++touching;
            early += truth - (double)s.time[i];
            most = fmax(most, truth - (double)s.time[i]);
        }
        for (int i = 0; i < BATCH; ++i)
        {
            bool hit = s.state[i] == ABUT_CAST_HIT || s.state[i] == ABUT_CAST_INSIDE;
            Line line = line_of(&s, i);
            AbutVec3 at = abut_vec3((float)(line.from[0] + (double)s.time[i] * line.displacement[0]),
                                    (float)(line.from[1] + (double)s.time[i] * line.displacement[1]),
                                    (float)(line.from[2] + (double)s.time[i] * line.displacement[2]));
            assert_true(!hit || abut_shape_distance(shape, at, NULL) <= iso + 2e-5f);
        }
    }
    print_message("%s: %llu of %llu touch, early %.2g on average, %.2g at most; %llu unfinished\n", name,
                  (unsigned long long)touching, (unsigned long long)count, early / (double)touching, most,
                  (unsigned long long)unfinished);
    assert_true(unfinished < 1 + count / 1000);
    assert_true(touching > count / 10);
    abut_shape_destroy(shape);
}

static void test_touches_of_balls_are_never_late(void** state)
{
    (void)state;
    check_shape(test_make_sphere((float)RADIUS), first_of_sphere, 0.0f, RADIUS, "ball");
    check_shape(test_make_sphere((float)RADIUS), first_of_sphere, 0.25f, RADIUS + 0.25, "grown ball");
    check_shape(test_make_sphere((float)RADIUS), first_of_sphere, -0.25f, RADIUS - 0.25, "shrunk ball");
}

static void test_touches_of_planes_and_boxes_are_never_late(void** state)
{
    (void)state;
    AbutShape* plane = NULL;
    AbutVec3 normal = abut_vec3((float)PLANE[0], (float)PLANE[1], (float)PLANE[2]);
    test_assert_result(abut_shape_create_plane(normal, (float)OFFSET, NULL, &plane), ABUT_OK);
    check_shape(plane, first_of_plane, 0.0f, OFFSET, "half space");
    check_shape(test_make_box(2.0f * (float)HALF[0], 2.0f * (float)HALF[1], 2.0f * (float)HALF[2]),
                first_of_box, 0.0f, HALF[1], "box");
}

static void test_intervals_of_a_ring_are_those_of_the_closed_form(void** state)
{
    (void)state;
    // Through the tube of a ring around y: four crossings of its middle plane's circles.
    AbutShape* ring = test_make_torus(1.0f, 0.25f);
    AbutCastSettings settings = abut_cast_settings();
    AbutTimeInterval intervals[4];
    AbutCastOutput output = abut_cast_intervals(ring, &settings, abut_vec3(-2.0f, 0.0f, 0.0f),
                                                abut_vec3(2.0f, 0.0f, 0.0f), intervals, 4);
    assert_int_equal(output.state, ABUT_CAST_HIT);
    assert_int_equal(output.interval_total, 2);
    const float expected[2][2] = { { 0.1875f, 0.3125f }, { 0.6875f, 0.8125f } };
    for (int i = 0; i < 2; ++i)
    {
        test_assert_near(intervals[i].begin, expected[i][0], 1e-5);
        test_assert_near(intervals[i].end, expected[i][1], 1e-5);
        assert_true(intervals[i].begin <= expected[i][0] && intervals[i].end >= expected[i][1]);
    }
    output = abut_cast_intervals(ring, &settings, abut_vec3(-1.0f, 0.0f, 0.0f), abut_vec3(1.0f, 0.0f, 0.0f),
                                 intervals, 1);
    assert_int_equal(output.state, ABUT_CAST_INSIDE);
    assert_int_equal(output.interval_count, 1);
    assert_int_equal(output.interval_total, 2);
    abut_shape_destroy(ring);
}

static void test_a_spent_budget_says_how_far_is_free(void** state)
{
    (void)state;
    AbutShape* ball = test_make_sphere(1.0f);
    AbutCastSettings settings = abut_cast_settings();
    settings.budget = 2;
    AbutTimeInterval interval;
    AbutCastOutput output = abut_cast_intervals(ball, &settings, abut_vec3(-3.0f, 1.2f, 0.0f),
                                                abut_vec3(3.0f, 0.5f, 0.0f), &interval, 1);
    assert_int_equal(output.state, ABUT_CAST_BUDGET);
    assert_true(output.time > 0.1f && output.time < 0.5f);
    const float ends[6] = { -3.0f, 1.2f, 0.0f, 3.0f, 0.5f, 0.0f };
    float time;
    uint8_t reached;
    AbutSegments segments = { { ends, ends + 1, ends + 2 }, { ends + 3, ends + 4, ends + 5 } };
    test_assert_result(abut_cast_segments(ball, &settings, segments, 1, (AbutCastHits){ &time, &reached }),
                       ABUT_OK);
    assert_int_equal(reached, ABUT_CAST_BUDGET);
    assert_true(time == output.time);
    abut_shape_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_touches_of_balls_are_never_late),
        cmocka_unit_test(test_touches_of_planes_and_boxes_are_never_late),
        cmocka_unit_test(test_intervals_of_a_ring_are_those_of_the_closed_form),
        cmocka_unit_test(test_a_spent_budget_says_how_far_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
