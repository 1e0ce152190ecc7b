// All lanes take a sample per round, which are answered together.
#include "toi/points/root_isolation.h"

#include "shape/shape.h"

#include <math.h>

enum
{
    MOST_BRACKETINGS = 60,
    LEAST_PATIENCE = 32,
    MOST_PATIENCE = 1024
};

enum
{
    PHASE_LEFT,  // the next sample is at the start
    PHASE_RIGHT, // at the end
    PHASE_SPLIT, // between two others
    PHASE_ROOT,  // in a bracket
    PHASE_FULL,  // there is no room for another event
    PHASE_DONE
};

/// Times are this precise: half a step of a float below 1, in ticks.
static const double TICK_STEP = (double)ABUT_KNOT_TICKS / (1 << 24);

/// Of what is open between two samples, that one between them takes off at least.
static const double LEAST_GAIN = 0.25;

/// Of the rounding of samples: a crossing is where a sample is this much over zero.
static const double HAIR = 0.002;

// ---------------------------------------------------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------------------------------------------------

/// A way out that is this short is less high than the tolerance.
static void put_event(const AbutLaneRun* run, AbutLane* lane, bool is_inside, double s)
{
    abut_events_put(&lane->events, is_inside, s, run->fine / lane->path.way);
}

// ---------------------------------------------------------------------------------------------------------------------
// Brackets
// ---------------------------------------------------------------------------------------------------------------------

/// Where the line through the samples at both ends is a hair over zero (with the Illinois rule), or the middle now and then.
static void plan_bracket(AbutLane* lane, double hair)
{
    double low = lane->f_low - hair, high = lane->f_high - hair, part = low / (low - high);
    bool is_usable = lane->rounds % 4 != 3 && part > 0.0 && part < 1.0;
    part = part < 0.001 ? 0.001 : part > 0.999 ? 0.999 : part;
    lane->next = lane->low + (lane->high - lane->low) * (is_usable ? part : 0.5);
}

static void narrow_bracket(AbutLane* lane, double f)
{
    bool is_low = (f <= 0.0) == (lane->left.f <= 0.0);
    int side = is_low ? -1 : 1;
    lane->outer = f > 0.0 ? f : lane->outer;
    if (is_low)
    {
        lane->low = lane->next;
        lane->f_low = f;
        lane->f_high *= lane->last_side == side ? 0.5 : 1.0;
    }
    else
    {
        lane->high = lane->next;
        lane->f_high = f;
        lane->f_low *= lane->last_side == side ? 0.5 : 1.0;
    }
    lane->last_side = side;
    lane->rounds += 1;
}

/// True when the crossing is known as well as it can be: *at is outside, or nearly.
static bool is_crossing(const AbutLane* lane, double hair, double* at)
{
    *at = lane->left.f <= 0.0 ? lane->high : lane->low;
    return lane->outer <= 2.0 * hair || (lane->high - lane->low) * lane->events.length <= TICK_STEP ||
           lane->rounds >= MOST_BRACKETINGS;
}

static void start_bracket(AbutLane* lane, const AbutLaneSample* right)
{
    lane->phase = PHASE_ROOT;
    lane->low = lane->left.s;
    lane->f_low = lane->left.f;
    lane->high = right->s;
    lane->f_high = right->f;
    lane->outer = INFINITY;
    lane->rounds = 0;
    lane->last_side = 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Dividing
// ---------------------------------------------------------------------------------------------------------------------

static double clamp(double x, double low, double high)
{
    return x > low ? (x < high ? x : high) : low;
}

/// Where to divide between the left sample and another, in the part that neither of them reaches. Where the sign changes, as far
/// from the one that reaches further as the two of them will just meet if samples go on falling as they do on the whole, but
/// not beyond the crossing that is to be expected; there, when that is too short a step.
static double split_at(const AbutLane* lane, const AbutLaneSample* right)
{
    const AbutLaneSample* left = &lane->left;
    double per_way = 1.0 / lane->path.way, width = right->s - left->s;
    double low = left->s + left->reach * per_way, high = right->s - right->reach * per_way, gap = high - low;
    if ((left->f <= 0.0) == (right->f <= 0.0))
    {
        return 0.5 * (low + high);
    }
    double root = clamp(left->s + width * left->f / (left->f - right->f), low, high);
    double rate = (left->reach + right->reach) * per_way / width;
    double reach = left->reach > right->reach ? left->reach : right->reach;
    double step = 0.97 * (2.0 * reach + lane->fine) * per_way / (1.0 + rate);
    bool is_from_left = left->reach > right->reach;
    double at = is_from_left ? left->s + step : right->s - step;
    double gain = is_from_left ? (at < root ? at : root) - low : high - (at > root ? at : root);
    if (gain < LEAST_GAIN * gap)
    {
        return clamp(root, low + LEAST_GAIN * gap, high - LEAST_GAIN * gap);
    }
    return is_from_left ? low + gain : high - gain;
}

/// Goes on to the right as far as all is known, and plans the next sample.
static void advance(AbutLaneRun* run, AbutLane* lane)
{
    while (lane->depth > 0)
    {
        const AbutLaneSample right = lane->ahead[lane->depth - 1];
        double way = lane->path.way * (right.s - lane->left.s);
        bool is_crossed = (lane->left.f <= 0.0) != (right.f <= 0.0);
        bool is_proved = way - lane->left.reach - right.reach <= run->fine;
        if (!is_proved && (lane->fine == run->fine || way > lane->fine) && lane->depth < ABUT_LANE_DEPTH)
        {
            lane->phase = PHASE_SPLIT;
            lane->next = split_at(lane, &right);
            return;
        }
        if (!abut_events_have_room(&lane->events))
        {
            lane->phase = PHASE_FULL;
            return;
        }
        if (!is_proved)
        {
            put_event(run, lane, true, lane->left.s);
            put_event(run, lane, right.f <= 0.0, right.s);
            run->coarsest = way > run->coarsest ? way : run->coarsest;
        }
        else if (is_crossed)
        {
            start_bracket(lane, &right);
            return;
        }
        lane->left = right;
        lane->depth -= 1;
    }
    lane->phase = PHASE_DONE;
}

/// Takes the next sample in a bracket, or ends it.
static void go_on_bracket(AbutLaneRun* run, AbutLane* lane, double hair)
{
    double at;
    while (lane->phase == PHASE_ROOT)
    {
        if (!is_crossing(lane, hair, &at))
        {
            plan_bracket(lane, hair);
            return;
        }
        put_event(run, lane, !(lane->left.f <= 0.0), at);
        lane->left = lane->ahead[--lane->depth];
        advance(run, lane);
    }
}

/// An end at which it is known whether the point is inside, but not how far.
static AbutLaneSample known_sample(const AbutLane* lane, int inside, double s)
{
    return (AbutLaneSample){ s, (inside != 0 ? -0.5 : 0.5) * lane->fine, 0.0 };
}

/// Begins with the sample at the start.
static void set_left(AbutLaneRun* run, AbutLane* lane, AbutLaneSample sample)
{
    lane->left = sample;
    put_event(run, lane, sample.f <= 0.0, 0.0);
    if (lane->after == ABUT_NOT_KNOWN)
    {
        lane->phase = PHASE_RIGHT;
        lane->next = 1.0;
        return;
    }
    lane->ahead[lane->depth++] = known_sample(lane, lane->after, 1.0);
    advance(run, lane);
}

static void step_lane(AbutLaneRun* run, AbutLane* lane, const float at[3], float f)
{
    const AbutReach* reach = &run->side->reach;
    double place = fabs((double)at[0]) + fabs((double)at[1]) + fabs((double)at[2]);
    double hair = HAIR * abut_reach_rounding(reach, place, f);
    AbutLaneSample sample = { lane->next, (double)f, 0.0 };
    lane->samples += 1;
    if (lane->samples >= run->patience)
    {
        lane->samples -= run->patience / 4;
        lane->fine *= 2.0;
    }
    if (lane->phase == PHASE_ROOT)
    {
        narrow_bracket(lane, f);
        go_on_bracket(run, lane, hair);
        return;
    }
    sample.reach = abut_reach_same(reach, at, f);
    if (lane->phase == PHASE_LEFT)
    {
        set_left(run, lane, sample);
    }
    else
    {
        lane->ahead[lane->depth++] = sample;
        advance(run, lane);
    }
    go_on_bracket(run, lane, hair);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rounds
// ---------------------------------------------------------------------------------------------------------------------

static bool is_active(const AbutLane* lane)
{
    return lane->phase < PHASE_FULL;
}

/// Takes the next sample of the lanes that are listed. Returns how many of them go on, which stay in the list.
static uint32_t run_round(AbutLaneRun* run, AbutPointBatch* batch, uint8_t* list, uint32_t count)
{
    uint32_t left = 0;
    for (uint32_t k = 0; k < count; ++k)
    {
        float at[3];
        abut_piece_at(&run->lanes[list[k]].path, run->lanes[list[k]].next, at);
        batch->at[0][k] = at[0];
        batch->at[1][k] = at[1];
        batch->at[2][k] = at[2];
    }
    batch->count = count;
    abut_point_batch_sample(run->side, batch);
    *run->evaluations += count;
    for (uint32_t k = 0; k < count; ++k)
    {
        AbutLane* lane = &run->lanes[list[k]];
        const float at[3] = { batch->at[0][k], batch->at[1][k], batch->at[2][k] };
        step_lane(run, lane, at, batch->distance[k]);
        list[left] = list[k];
        left += is_active(lane) ? 1 : 0;
    }
    return left;
}

_Static_assert(ABUT_SWEEP_BATCH <= 256, "lanes are listed in bytes");

/// Runs lanes from the first on until they are done or full. False when the budget is spent.
static bool run_lanes(AbutLaneRun* run, uint32_t first, uint32_t end)
{
    AbutPointBatch batch;
    uint8_t list[ABUT_SWEEP_BATCH];
    uint32_t count = 0;
    for (uint32_t i = first; i < end; ++i)
    {
        list[count] = (uint8_t)i;
        count += is_active(&run->lanes[i]) ? 1 : 0;
    }
    while (count > 0)
    {
        if (*run->evaluations >= run->budget)
        {
            return false;
        }
        count = run_round(run, &batch, list, count);
    }
    return true;
}

bool abut_lanes_flush(AbutLaneRun* run)
{
    uint32_t count = run->count;
    run->count = 0;
    if (!run_lanes(run, 0, count))
    {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutLane* lane = &run->lanes[i];
        abut_events_start(&lane->events, run->sink);
        abut_events_turn(&lane->events, run->sink);
        while (lane->phase != PHASE_DONE)
        {
            advance(run, lane);
            go_on_bracket(run, lane, 0.0);
            if (!run_lanes(run, i, i + 1))
            {
                return false;
            }
            abut_events_turn(&lane->events, run->sink);
        }
        abut_events_end(&lane->events, run->sink);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------------------------

static void start_lane(AbutLaneRun* run, AbutLane* lane, const AbutSpan* span)
{
    lane->depth = 0;
    lane->samples = 0;
    lane->fine = run->fine;
    lane->after = span->after;
    lane->phase = PHASE_LEFT;
    lane->next = 0.0;
    if (span->before != ABUT_NOT_KNOWN)
    {
        set_left(run, lane, known_sample(lane, span->before, 0.0));
        go_on_bracket(run, lane, 0.0);
    }
}

bool abut_lanes_add(AbutLaneRun* run, uint32_t point, const AbutWindows* windows)
{
    AbutSpans spans = abut_spans(windows, run->knots->piece);
    AbutSpan span;
    double at[3], radius;
    abut_sphere_load(run->side->points, point | ABUT_SPHERE_IS_POINT, at, &radius);
    while (abut_spans_next(&spans, &span))
    {
        if (run->count == ABUT_SWEEP_BATCH && !abut_lanes_flush(run))
        {
            return false;
        }
        AbutLane* lane = &run->lanes[run->count++];
        abut_events_init(&lane->events, point, &span);
        lane->phase = PHASE_DONE;
        if (span.is_open)
        {
            abut_knots_piece(run->knots, at, span.begin, span.end, &lane->path);
            start_lane(run, lane, &span);
        }
    }
    return true;
}

void abut_lanes_init(AbutLaneRun* run, const AbutPointSide* side, AbutKnots* knots, AbutIntervalSink* sink,
                     uint64_t budget)
{
    uint64_t share = budget / (4 * (uint64_t)(side->points->count + 1u));
    run->patience = share > MOST_PATIENCE ? MOST_PATIENCE : (uint32_t)share;
    run->patience = run->patience < LEAST_PATIENCE ? LEAST_PATIENCE : run->patience;
    run->budget = budget;
    run->side = side;
    run->knots = knots;
    run->sink = sink;
    run->count = 0;
    run->coarsest = 0.0;
    run->fine = 2.0 * (side->tolerance + side->error) / fmax(1.0, side->shape->info.lipschitz);
}
