// Segments and rays are answered truly: lines that graze primitives, of any scale and far from their origins,
// judged in quad precision.
#include "support/oracles/proofs.h"

#include <abut/dynamics.h>
#include <abut/toi.h>

#include <math.h>
#include <stdio.h>

enum
{
    CASES = 12, // per kind and style
    SCAN = 32,
    REFINE = 100,
    MOST_COMPLAINTS = 3,
    MOST_INTERVALS = 16
};

/// origin + t · direction, near the surface of a shape at some time.
typedef struct NearLine
{
    NearPair pair; // the shape is the first one
    ExactFrame frame;
    ExactVec origin, direction;
    Exact level; // of distances: inside is where the distance is at most this
} NearLine;

static Exact line_distance(const NearLine* line, Exact time)
{
    return exact_distance(&line->pair.shapes[0], &line->frame,
                          exact_add(line->origin, exact_scale(line->direction, time))) -
           line->level;
}

static Exact refine(const NearLine* line, Exact low, Exact high)
{
    const Exact golden = (Exact)0.6180339887498949;
    Exact best = line_distance(line, (low + high) / 2);
    for (int i = 0; i < REFINE && best > 0; ++i)
    {
        Exact t0 = high - golden * (high - low), t1 = low + golden * (high - low);
        Exact d0 = line_distance(line, t0), d1 = line_distance(line, t1);
        best = d0 < best ? d0 : best;
        best = d1 < best ? d1 : best;
        low = d0 < d1 ? low : t0;
        high = d0 < d1 ? t1 : high;
    }
    return best;
}

/// The least distance that is found in [0, end].
static Exact least_distance(const NearLine* line, Exact end)
{
    Exact distances[SCAN + 1], least = 0;
    for (int i = 0; i <= SCAN; ++i)
    {
        distances[i] = line_distance(line, end * i / SCAN);
        least = i == 0 || distances[i] < least ? distances[i] : least;
    }
    for (int i = 0; i <= SCAN && least > 0; ++i)
    {
        if ((i == 0 || distances[i - 1] >= distances[i]) && (i == SCAN || distances[i + 1] >= distances[i]))
        {
            Exact found =
                refine(line, end * (i > 0 ? i - 1 : 0) / SCAN, end * (i < SCAN ? i + 1 : SCAN) / SCAN);
            least = found < least ? found : least;
        }
    }
    return least;
}

/// A point of the outer frame near the surface of the first shape of the pair, and the direction out of the
/// solid there.
static ExactVec near_point(const NearPair* pair, ExactVec* normal)
{
    ExactFrame a = exact_frame(&pair->poses[0]), b = exact_frame(&pair->poses[1]);
    exact_gap(&pair->shapes[0], &a, &pair->shapes[1], &b, normal);
    return exact_subtract(b.position, exact_scale(*normal, b.scale * (Exact)pair->shapes[1].parameters[0]));
}

static ExactVec random_line(TestRandom* random, ExactVec normal, double length)
{
    AbutVec3 d = test_random_direction(random);
    ExactVec v = exact_vec((Exact)d.x, (Exact)d.y, (Exact)d.z);
    if (test_random_unit(random) < 0.5) // grazing
    {
        v = exact_subtract(v, exact_scale(normal, exact_dot(v, normal)));
    }
    return exact_scale(v, (Exact)(length * pow(10.0, test_random_range(random, -2.0, 3.0))));
}

static AbutVec3 to_float(ExactVec v)
{
    return abut_vec3((float)v.x[0], (float)v.x[1], (float)v.x[2]);
}

static ExactVec to_exact(AbutVec3 v)
{
    return exact_vec((Exact)v.x, (Exact)v.y, (Exact)v.z);
}

typedef struct CastTally
{
    uint64_t count, states[ABUT_CAST_STATE_COUNT], false_miss, late, early, left_out;
    double worst;
    int complaints;
} CastTally;

static void complain(CastTally* tally, uint64_t* kind, const NearLine* line, const char* what, double off,
                     double time)
{
    ++*kind;
    tally->worst = fmax(tally->worst, off / line->pair.size);
    if (tally->complaints++ < MOST_COMPLAINTS)
    {
        print_message("%s: by %.6g (%.3g of the size), time %a; level %a\n", what, off, off / line->pair.size,
                      time, (double)line->level);
        near_pair_print(&line->pair);
        print_message("  from %a %a %a; direction %a %a %a\n", (double)line->origin.x[0],
                      (double)line->origin.x[1], (double)line->origin.x[2], (double)line->direction.x[0],
                      (double)line->direction.x[1], (double)line->direction.x[2]);
    }
}

/// Coordinates that a query has to deal with, for what float may round.
static double coordinates(const NearLine* line, double end)
{
    ExactVec from = exact_subtract(line->origin, line->frame.position);
    double length = (double)exact_length(line->direction) * end;
    const float* p = line->pair.shapes[0].parameters;
    return (double)exact_length(from) + length +
           (double)line->frame.scale * (exact_shape_size(&line->pair.shapes[0]) + fabs((double)p[3]));
}

static void judge(CastTally* tally, const NearLine* line, AbutCastState state, double time, double end,
                  double rounding)
{
    double far = coordinates(line, end), unsure = 1e-26 * far;
    ++tally->count;
    ++tally->states[state];
    if (state == ABUT_CAST_MISS)
    {
        double least = (double)least_distance(line, (Exact)end);
        if (least < -unsure)
        {
            complain(tally, &tally->false_miss, line, "miss, but touches", -least, end);
        }
    }
    if ((state == ABUT_CAST_HIT || state == ABUT_CAST_BUDGET) && time > 0.0)
    {
        double least = (double)least_distance(line, (Exact)time);
        if (least < -unsure)
        {
            complain(tally, &tally->late, line, "late: touches before", -least, time);
        }
    }
    if (state == ABUT_CAST_HIT || state == ABUT_CAST_INSIDE)
    {
        double there = (double)line_distance(line, state == ABUT_CAST_HIT ? (Exact)time : 0);
        if (there > rounding * far)
        {
            complain(tally, &tally->early, line, "early: still apart there", there, time);
        }
    }
}

static void print_tally(const CastTally* t, const char* what)
{
    print_message(
        "%-30s %6llu: miss %5llu hit %5llu inside %5llu budget %5llu invalid %3llu; false: miss %3llu late "
        "%3llu early %3llu left out %3llu, worst %.2g\n",
        what, (unsigned long long)t->count, (unsigned long long)t->states[ABUT_CAST_MISS],
        (unsigned long long)t->states[ABUT_CAST_HIT], (unsigned long long)t->states[ABUT_CAST_INSIDE],
        (unsigned long long)t->states[ABUT_CAST_BUDGET], (unsigned long long)t->states[ABUT_CAST_INVALID],
        (unsigned long long)t->false_miss, (unsigned long long)t->late, (unsigned long long)t->early,
        (unsigned long long)t->left_out, t->worst);
}

static uint64_t wrong(const CastTally* t)
{
    return t->false_miss + t->late + t->early + t->left_out;
}

typedef void CastFn(TestRandom* random, const NearPair* pair, CastTally* tally);

static void run(CastFn* function, const char* what)
{
    uint64_t bad = 0, count = proof_case_count(CASES);
    for (int style = 0; style < NEAR_STYLE_COUNT; ++style)
    {
        for (int kind = ABUT_SHAPE_SPHERE; kind <= ABUT_SHAPE_PLANE; ++kind)
        {
            CastTally tally = { 0 };
            TestRandom random = proof_random(100u * (uint64_t)kind + (uint64_t)style);
            for (uint64_t i = 0; i < count; ++i)
            {
                NearPair pair =
                    near_pair_make(&random, (AbutShapeKind)kind, ABUT_SHAPE_SPHERE, (NearStyle)style);
                function(&random, &pair, &tally);
            }
            char text[64];
            snprintf(text, sizeof(text), "%s %s %s", what, near_style_name((NearStyle)style),
                     abut_shape_kind_name((AbutShapeKind)kind));
            print_tally(&tally, text);
            bad += wrong(&tally);
        }
    }
    assert_int_equal(bad, 0);
}

// -----------------------------------------------------------------------------------------------------------
// Segments
// -----------------------------------------------------------------------------------------------------------

/// In the shape's own frame, rounded to float.
static NearLine near_segment(TestRandom* random, const NearPair* pair, AbutVec3* from, AbutVec3* to)
{
    NearLine line = { .pair = *pair };
    AbutPose identity = abut_pose_identity();
    ExactFrame frame = exact_frame(&pair->poses[0]);
    ExactVec normal, at = exact_subtract(near_point(pair, &normal), frame.position), own, own_normal;
    for (int i = 0; i < 3; ++i)
    {
        ExactVec axis = exact_vec(frame.rotation[0][i], frame.rotation[1][i], frame.rotation[2][i]);
        own.x[i] = exact_dot(axis, at) / frame.scale;
        own_normal.x[i] = exact_dot(axis, normal);
    }
    ExactVec along = random_line(random, own_normal, pair->size / (double)pair->poses[0].scale);
    Exact time = (Exact)test_random_unit(random);
    *from = to_float(exact_subtract(own, exact_scale(along, time)));
    *to = to_float(exact_add(own, exact_scale(along, 1 - time)));
    line.pair.size = pair->size / (double)pair->poses[0].scale;
    line.frame = exact_frame(&identity);
    line.origin = to_exact(*from);
    line.direction = exact_subtract(to_exact(*to), line.origin);
    return line;
}

static void judge_intervals(CastTally* tally, const NearLine* line, TestRandom* random,
                            const AbutTimeInterval* intervals, int count)
{
    double unsure = 1e-26 * coordinates(line, 1.0);
    for (int i = 0; i < 8; ++i)
    {
        double time = test_random_unit(random);
        double distance = (double)line_distance(line, (Exact)time);
        bool within = false;
        for (int k = 0; k < count; ++k)
        {
            within = within || ((double)intervals[k].begin <= time && time <= (double)intervals[k].end);
        }
        if (distance < -unsure && !within)
        {
            complain(tally, &tally->left_out, line, "inside, but in no interval", -distance, time);
        }
    }
}

static void cast_segment(TestRandom* random, const NearPair* pair, CastTally* tally)
{
    AbutVec3 from, to;
    NearLine line = near_segment(random, pair, &from, &to);
    AbutShape* shape = exact_shape_create(&pair->shapes[0]);
    AbutCastSettings settings = abut_cast_settings();
    if (test_random_unit(random) < 0.2)
    {
        settings.iso = (float)(line.pair.size * test_random_range(random, 0.0, 0.1));
        line.level = (Exact)settings.iso;
    }
    AbutSegments segments = { { &from.x, &from.y, &from.z }, { &to.x, &to.y, &to.z } };
    float time = 0.0f;
    uint8_t state = 0;
    AbutCastHits hits = { &time, &state };
    test_assert_result(abut_cast_segments(shape, &settings, segments, 1, hits), ABUT_OK);
    judge(tally, &line, (AbutCastState)state, (double)time, 1.0, 2e-5);
    AbutTimeInterval intervals[MOST_INTERVALS];
    AbutCastOutput output = abut_cast_intervals(shape, &settings, from, to, intervals, MOST_INTERVALS);
    if (output.state == ABUT_CAST_HIT || output.state == ABUT_CAST_INSIDE || output.state == ABUT_CAST_MISS)
    {
        judge_intervals(tally, &line, random, intervals, (int)output.interval_count);
    }
    abut_shape_destroy(shape);
}

static void test_segments_are_never_late_and_miss_nothing(void** state)
{
    (void)state;
    run(cast_segment, "segment");
}

// -----------------------------------------------------------------------------------------------------------
// Worlds
// -----------------------------------------------------------------------------------------------------------

static void cast_ray(TestRandom* random, const NearPair* given, CastTally* tally)
{
    NearPair pair = *given;
    AbutShape* shape = exact_shape_create(&pair.shapes[0]);
    AbutWorld* world = proof_world(&pair, shape);
    ExactVec normal, at = near_point(&pair, &normal);
    ExactVec along = random_line(random, normal, pair.size);
    if (test_random_unit(random) < 0.25 && pair.size < 1e6) // from very far away
    {
        along = exact_scale(along, (Exact)1e9);
    }
    ExactVec from = exact_subtract(at, exact_scale(along, (Exact)test_random_unit(random)));
    AbutPosition origin = { (double)from.x[0], (double)from.x[1], (double)from.x[2] };
    AbutRayInput input = abut_ray_input(origin, to_float(along));
    input.limit = (float)test_random_range(random, 0.5, 2.0);
    NearLine line = { .pair = pair, .frame = exact_frame(&pair.poses[0]) };
    line.origin = exact_vec((Exact)origin.x, (Exact)origin.y, (Exact)origin.z);
    line.direction = to_exact(input.direction);
    AbutRayOutput output;
    test_assert_result(abut_world_cast_ray(world, &input, &output), ABUT_OK);
    judge(tally, &line, output.state, output.time, (double)input.limit, 2e-5);
    abut_world_destroy(world);
    abut_shape_destroy(shape);
}

static void test_rays_of_worlds_are_never_late_and_miss_nothing(void** state)
{
    (void)state;
    run(cast_ray, "ray");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segments_are_never_late_and_miss_nothing),
        cmocka_unit_test(test_rays_of_worlds_are_never_late_and_miss_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
