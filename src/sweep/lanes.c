// Each lane walks along its path by what the samples prove: as far as the sign cannot change, and a little further, so that it always
// gets on. What it then jumps over is shallower than the tolerance. Where the sign has changed, the crossing is
// bracketed to the precision of a time in float. All lanes take a sample per round, which are answered together.
#include "sweep/lanes.h"

#include <abut/field.h>

#include "shape/shape.h"

#include <math.h>

enum
{
    MOST_BRACKETINGS = 60
};

/// Of a piece, that every step is at least.
static const double LEAST_PART = 1e-7;

/// Times are this precise: half a step of a float below 1.
static const double TIME_STEP = 1.0 / (1 << 24);

typedef struct Lane
{
    AbutLaneTask task;
    double at[3];     // the point, in its own frame
    double top_speed; // in pieces
    uint32_t piece;
    uint32_t run_end; // piece after the slots that are open together
    AbutPiece path;
    bool is_done, is_inside;
    bool is_entering; // a run of open slots: the next sample is its first
    bool is_bracketing;
    double s, f;                     // of the last sample that was passed
    double next;                     // where the next one is taken
    double low, high, f_low, f_high; // a change of sign
    int rounds, last_side;
    double begin; // of the interval that is open
    uint32_t interval_count;
    AbutTimeInterval intervals[ABUT_LANE_INTERVALS];
} Lane;

typedef struct Lanes
{
    const AbutLaneRun* run;
    uint32_t per_slot; // pieces
    double least_step; // way that every step has, at least
    bool is_alone;     // intervals may go to the sink at once
    bool is_full;
    uint32_t count;
    Lane lanes[ABUT_SWEEP_BATCH];
} Lanes;

// ---------------------------------------------------------------------------------------------------------------------
// Intervals
// ---------------------------------------------------------------------------------------------------------------------

void abut_sink_put(AbutIntervalSink* sink, uint32_t point, float begin, float end)
{
    AbutPointInterval* last = &sink->last;
    if (sink->has_last && last->point == point && begin <= last->times.end)
    {
        last->times.end = fmaxf(last->times.end, end);
        if (sink->total <= sink->capacity)
        {
            sink->intervals[sink->count - 1] = *last;
        }
        return;
    }
    *last = (AbutPointInterval){ point, sink->side, { begin, end } };
    sink->has_last = true;
    if (sink->count < sink->capacity)
    {
        sink->intervals[sink->count++] = *last;
    }
    sink->total += sink->total < INT32_MAX ? 1 : 0;
}

static void flush_lane(const Lanes* self, Lane* lane)
{
    for (uint32_t i = 0; i < lane->interval_count; ++i)
    {
        abut_sink_put(self->run->sink, lane->task.point, lane->intervals[i].begin, lane->intervals[i].end);
    }
    lane->interval_count = 0;
}

static double time_at(const Lanes* self, const Lane* lane, double s)
{
    return ((double)lane->piece + s) / self->run->knots->piece_count;
}

static void open_interval(Lane* lane, double time)
{
    lane->is_inside = true;
    lane->begin = time;
}

static void close_interval(Lanes* self, Lane* lane, double time)
{
    lane->is_inside = false;
    if (lane->interval_count == ABUT_LANE_INTERVALS)
    {
        if (!self->is_alone)
        {
            self->is_full = true;
            return;
        }
        flush_lane(self, lane);
    }
    lane->intervals[lane->interval_count++] = (AbutTimeInterval){ (float)lane->begin, (float)time };
}

/// What is known of a point at a time that slots meet at, whatever rounding says.
static void set_inside(Lanes* self, Lane* lane, bool is_inside, double time)
{
    if (is_inside && !lane->is_inside)
    {
        open_interval(lane, time);
    }
    else if (!is_inside && lane->is_inside)
    {
        close_interval(self, lane, time);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Walking
// ---------------------------------------------------------------------------------------------------------------------

static void set_piece(Lanes* self, Lane* lane, uint32_t piece)
{
    lane->piece = piece;
    abut_knots_piece(self->run->knots, lane->at, piece, &lane->path);
}

static bool is_open(const Lane* lane, uint32_t slot)
{
    return slot < ABUT_KNOT_SLOTS && (lane->task.open >> slot & 1u) != 0;
}

/// Goes on to the next slots that are not known, from the start of `slot`.
static void enter_slot(Lanes* self, Lane* lane, uint32_t slot)
{
    for (; slot < ABUT_KNOT_SLOTS && !is_open(lane, slot); ++slot)
    {
        set_inside(self, lane, (lane->task.inside >> slot & 1u) != 0, (double)slot / ABUT_KNOT_SLOTS);
    }
    if (slot == ABUT_KNOT_SLOTS)
    {
        set_inside(self, lane, false, 1.0);
        lane->is_done = true;
        return;
    }
    lane->is_entering = true;
    lane->next = 0.0;
    set_piece(self, lane, slot * self->per_slot);
    while (is_open(lane, slot))
    {
        slot += 1;
    }
    lane->run_end = slot * self->per_slot;
}

/// Goes to where the sign is known to stay beyond the piece: `reach` from its end.
static void leave_piece(Lanes* self, Lane* lane, double reach)
{
    double ahead = lane->top_speed > 0.0 ? reach / lane->top_speed : INFINITY;
    double last = lane->run_end - 1.0 - lane->piece;
    if (ahead >= last)
    {
        enter_slot(self, lane, lane->run_end / self->per_slot);
        return;
    }
    double whole = floor(ahead);
    lane->s = ahead - whole;
    set_piece(self, lane, lane->piece + 1 + (uint32_t)whole);
    lane->next = fmin(1.0, lane->s + fmax(self->least_step / lane->path.way, LEAST_PART));
}

/// Plans the next sample: as far as the sign is known to stay, and a least step.
static void plan_step(Lanes* self, Lane* lane, double reach)
{
    double left = (1.0 - lane->s) * lane->path.way;
    if (lane->s >= 1.0 || reach > left)
    {
        leave_piece(self, lane, fmax(0.0, reach - left));
        return;
    }
    double step = fmax((reach + self->least_step) / lane->path.way, LEAST_PART);
    lane->next = fmin(1.0, lane->s + step);
}

/// Between the ends of a bracket: where the line through their samples is zero (with the Illinois rule), or the middle now and then.
static void plan_bracket(Lane* lane)
{
    double width = lane->high - lane->low, part = lane->f_low / (lane->f_low - lane->f_high);
    bool is_usable = lane->rounds % 4 != 3 && part > 0.0 && part < 1.0;
    lane->next = lane->low + width * (is_usable ? fmin(fmax(part, 0.01), 0.99) : 0.5);
}

static void start_bracket(Lane* lane, double s, double f)
{
    lane->is_bracketing = true;
    lane->low = lane->s;
    lane->f_low = lane->f;
    lane->high = s;
    lane->f_high = f;
    lane->rounds = 0;
    lane->last_side = 0;
}

static void narrow_bracket(Lane* lane, double f)
{
    bool is_low = (f <= 0.0) == lane->is_inside;
    int side = is_low ? -1 : 1;
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

/// The interval reaches to the outer end of the bracket: it has all that is inside. The walk goes on from there, knowing nothing.
static void finish_bracket(Lanes* self, Lane* lane)
{
    if (lane->is_inside)
    {
        close_interval(self, lane, time_at(self, lane, lane->high));
    }
    else
    {
        open_interval(lane, time_at(self, lane, lane->low));
    }
    lane->is_bracketing = false;
    lane->s = lane->high;
    lane->f = lane->f_high;
}

static bool is_narrow(const Lanes* self, const Lane* lane)
{
    double width = (lane->high - lane->low) / self->run->knots->piece_count;
    return width <= TIME_STEP || lane->rounds >= MOST_BRACKETINGS;
}

/// A sample on the way, or the first of open slots.
static void walk(Lanes* self, Lane* lane, const float at[3], float f)
{
    if (lane->is_entering)
    {
        lane->is_entering = false;
        set_inside(self, lane, f <= 0.0f, time_at(self, lane, 0.0));
    }
    else if ((f <= 0.0f) != lane->is_inside)
    {
        start_bracket(lane, lane->next, f);
        return;
    }
    lane->s = lane->next;
    lane->f = f;
    plan_step(self, lane, abut_reach_same(&self->run->side->reach, at, f));
}

static void step_lane(Lanes* self, Lane* lane, const float at[3], float f)
{
    if (lane->is_bracketing)
    {
        narrow_bracket(lane, (double)f);
    }
    else
    {
        walk(self, lane, at, f);
    }
    if (lane->is_bracketing && is_narrow(self, lane))
    {
        finish_bracket(self, lane);
        plan_step(self, lane, 0.0);
    }
    else if (lane->is_bracketing)
    {
        plan_bracket(lane);
    }
}

static void start_lane(Lanes* self, const AbutLaneTask* task, Lane* lane)
{
    double radius;
    lane->task = *task;
    abut_sphere_load(self->run->side->points, task->point | ABUT_SPHERE_IS_POINT, lane->at, &radius);
    lane->top_speed = abut_path_top_speed(&self->run->side->path, lane->at) / self->run->knots->piece_count;
    lane->is_done = false;
    lane->is_inside = false;
    lane->is_entering = false;
    lane->is_bracketing = false;
    lane->interval_count = 0;
    enter_slot(self, lane, 0);
}

/// Takes the next sample of every lane. Returns how many lanes still go on.
static uint32_t run_round(Lanes* self, AbutPointBatch* batch)
{
    uint32_t lanes[ABUT_SWEEP_BATCH], left = 0;
    batch->count = 0;
    for (uint32_t i = 0; i < self->count; ++i)
    {
        if (!self->lanes[i].is_done)
        {
            float at[3];
            abut_piece_at(&self->lanes[i].path, self->lanes[i].next, at);
            for (int axis = 0; axis < 3; ++axis)
            {
                batch->at[axis][batch->count] = at[axis];
            }
            lanes[batch->count++] = i;
        }
    }
    abut_point_batch_sample(self->run->side, batch);
    *self->run->evaluations += batch->count;
    for (uint32_t k = 0; k < batch->count; ++k)
    {
        Lane* lane = &self->lanes[lanes[k]];
        const float at[3] = { batch->at[0][k], batch->at[1][k], batch->at[2][k] };
        step_lane(self, lane, at, batch->distance[k]);
        left += lane->is_done ? 0 : 1;
    }
    return left;
}

/// False when the budget is spent. What is found is put when all lanes have ended and none of them was full.
static bool run_group(Lanes* self, const AbutLaneTask* tasks, uint32_t count)
{
    uint32_t left = 0;
    self->is_alone = count == 1;
    self->is_full = false;
    self->count = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        start_lane(self, &tasks[i], &self->lanes[i]);
        left += self->lanes[i].is_done ? 0 : 1;
    }
    while (left > 0 && !self->is_full)
    {
        AbutPointBatch batch;
        if (*self->run->evaluations >= self->run->budget)
        {
            return false;
        }
        left = run_round(self, &batch);
    }
    for (uint32_t i = 0; i < count && !self->is_full; ++i)
    {
        flush_lane(self, &self->lanes[i]);
    }
    return true;
}

/// How far samples of a field near its surface may be from the truth: dips of that depth mean nothing.
static double field_error(const AbutShape* shape)
{
    double error = abut_shape_is_field(shape) ? (double)abut_field_info(shape).error_bound : 0.0;
    return isfinite(error) ? error : 0.0;
}

bool abut_lanes_run(const AbutLaneRun* run, const AbutLaneTask* tasks, uint32_t count)
{
    Lanes self; // lanes are filled when they start
    self.run = run;
    self.per_slot = run->knots->piece_count / ABUT_KNOT_SLOTS;
    self.least_step = 2.0 * (run->side->tolerance + field_error(run->side->shape)) /
                      fmax(1.0, run->side->shape->info.lipschitz);
    if (!run_group(&self, tasks, count))
    {
        return false;
    }
    for (uint32_t i = 0; i < count && self.is_full; ++i)
    {
        // A point goes in and out more often than lanes have room for.
        if (!run_group(&self, &tasks[i], 1))
        {
            return false;
        }
        self.is_full = i + 1 < count;
    }
    return true;
}
