#include "toi/solids/solids.h"

#include "toi/solids/first_contact.h"
#include "toi/solids/gap_bound.h"

enum
{
    FIRST_PROBE = 1 << 11,               // evaluations; each one comes after twice as many as the last
    STACK = 8 * (ABUT_IMPACT_LEVELS + 2) // what one box leaves behind on the way to its smallest parts
};

/// A box that gains at least this part of its radius is looked at again before it is divided.
static const double WORTH_A_LOOK = 0.5;

/// Boxes that are smaller than this part of what the distances are off by are not divided: where they seem to hold both surfaces, and
/// where they do not.
static const double NEAR_ERROR = 0.5, FAR_ERROR = 0.1;

/// Boxes that have been looked at go to the queue, or to a stack when the queue is full.
typedef struct Waiting
{
    AbutImpactQueue* queue;
    AbutImpactBox stack[STACK];
    uint32_t stack_count;
} Waiting;

/// Way that any point of the moving shape goes in a unit of time, at most, until a time.
static double fastest(const AbutImpact* impact, double until)
{
    AbutMotionBounds bounds = abut_relative_motion_bounds(&impact->motion, 0.0, until);
    return bounds.carried + bounds.turning * impact->reach;
}

void abut_impact_meet(AbutImpact* impact, double time, const float point[3])
{
    if (impact->met && time >= impact->meet_time)
    {
        return;
    }
    double speed = fastest(impact, time);
    impact->met = true;
    impact->meet_time = time;
    impact->meet_limit = speed > 0.0 ? fmax(0.0, time - impact->slack / speed) : time;
    impact->limit = fmin(impact->limit, impact->meet_limit);
    for (int axis = 0; axis < 3; ++axis)
    {
        impact->meet_point[axis] = point[axis];
    }
}

/// A box is done with.
static void drop(AbutImpact* impact, double time)
{
    impact->least = fmin(impact->least, time);
}

static void note_touch(AbutImpact* impact, const AbutImpactLook* look, size_t i)
{
    double time = look->boxes[i].time;
    if (!impact->touched || time < impact->touch_time)
    {
        impact->touched = true;
        impact->touch_time = time;
    }
    abut_impact_meet(impact, time, look->boxes[i].center);
}

/// True when it does not help to divide a box: it is small, the solids are near to each other, or what the distances are off by is
/// all that keeps it from being free.
static bool is_end(const AbutImpact* impact, const AbutImpactLook* look, size_t i)
{
    uint32_t level = look->boxes[i].level;
    if (level >= impact->last_level || look->gains[i].apart < INFINITY)
    {
        return true;
    }
    double radius = abut_impact_radius(impact, level), error = abut_impact_error(impact, look, i);
    bool holds_both = !(impact->unit * (double)look->own.distance[0][i] > radius) &&
                      !((double)look->seen.distance[1][i] > radius);
    double rounding = impact->unit * (double)impact->pair.sides[0].rounding +
                      (double)(impact->pair.sides[1].rounding + abut_impact_rounding(look, i));
    // Rounding is the same all over a box, and errors of fields are not.
    return radius <= NEAR_ERROR * (holds_both ? error : rounding) || radius <= FAR_ERROR * error;
}

/// Looks at less of the step, so that about half of the boxes that wait are done with; at an eighth where that is not possible.
static void shorten(AbutImpact* impact)
{
    AbutImpactQueue* queue = &impact->queue;
    double sum = 0.0, first = queue->boxes[0].time;
    for (uint32_t i = 0; i < queue->count; ++i)
    {
        sum += queue->boxes[i].time;
    }
    double middle = sum / queue->count;
    impact->limit =
        middle > first && middle < impact->limit ? middle : first + 0.125 * (impact->limit - first);
    drop(impact, impact->limit);
    abut_impact_queue_keep(queue, impact->limit);
}

/// Boxes wait in the queue, or on the stack when that is full.
static void push(AbutImpact* impact, Waiting* waiting, const AbutImpactBox* box)
{
    const uint32_t most = ABUT_IMPACT_QUEUE - ABUT_IMPACT_BATCH;
    if (waiting->stack_count == 0 && waiting->queue->count >= most)
    {
        shorten(impact);
    }
    if (waiting->stack_count == 0 && waiting->queue->count < most)
    {
        abut_impact_queue_push(waiting->queue, box);
    }
    else
    {
        waiting->stack[waiting->stack_count++] = *box;
    }
}

/// Moves a box on in time, as far as it is proved to be free.
static void advance(AbutImpact* impact, const AbutImpactLook* look, size_t i, Waiting* waiting)
{
    AbutImpactBox box = look->boxes[i];
    const AbutImpactGain* gain = &look->gains[i];
    double end = look->end[look->moment[i]], by = gain->by, way = by * gain->speed;
    bool to_end = box.time + by >= end;
    if (by > 0.0)
    {
        // The gap falls at an even pace at most.
        double rest = fmin(impact->limit, end) - box.time;
        impact->gap = fmin(impact->gap, by < INFINITY ? fmax(0.0, gain->low * (1.0 - rest / by)) : gain->low);
        box.time = to_end ? end : box.time + by;
    }
    if (box.time >= impact->limit)
    {
        drop(impact, box.time);
        return;
    }
    if (box.inside && by > 0.0)
    {
        return;
    }
    if (!(way >= impact->stop) && !to_end && is_end(impact, look, i))
    {
        drop(impact, box.time);
        abut_impact_meet(impact, box.time, box.center);
        return;
    }
    box.again = to_end || way >= WORTH_A_LOOK * abut_impact_radius(impact, box.level);
    push(impact, waiting, &box);
}

/// Looks at what was taken and lets it wait again.
static void look_at_boxes(AbutImpact* impact, AbutImpactLook* look, Waiting* waiting)
{
    abut_impact_look(impact, look);
    for (size_t i = 0; i < look->count; ++i)
    {
        if (look->gains[i].apart <= 0.0)
        {
            note_touch(impact, look, i);
        }
    }
    abut_impact_look_between(impact, look);
    for (size_t i = 0; i < look->count; ++i)
    {
        advance(impact, look, i, waiting);
    }
}

/// The next boxes, of those that are free for the shortest time; from the stack one at a time. False when none are left.
static bool take_next(AbutImpact* impact, AbutImpactLook* look, Waiting* waiting)
{
    AbutImpactBox box;
    look->count = look->moment_count = 0;
    while (waiting->stack_count > 0)
    {
        box = waiting->stack[--waiting->stack_count];
        if (box.time < impact->limit)
        {
            abut_impact_take(impact, look, &box);
            return true;
        }
        drop(impact, box.time);
    }
    while (look->moment_count < ABUT_IMPACT_GROUP && abut_impact_queue_pop(waiting->queue, &box))
    {
        if (!(box.time < impact->limit))
        {
            drop(impact, box.time);
            waiting->queue->count = 0; // all others are later still
            break;
        }
        abut_impact_take(impact, look, &box);
    }
    return look->moment_count > 0;
}

static double earliest(const Waiting* waiting, const AbutImpactLook* look)
{
    double time = waiting->queue->count > 0 ? waiting->queue->boxes[0].time : 1.0;
    for (size_t i = 0; i < look->count; ++i)
    {
        time = fmin(time, look->boxes[i].time);
    }
    for (uint32_t i = 0; i < waiting->stack_count; ++i)
    {
        time = fmin(time, waiting->stack[i].time);
    }
    return time;
}

/// The whole of the moving shape, free until a time.
static void push_first_parts(AbutImpact* impact, double time)
{
    const uint32_t* count = impact->parts;
    impact->queue.count = 0;
    for (uint32_t i = 0; i < count[0] * count[1] * count[2]; ++i)
    {
        const uint32_t place[3] = { i % count[0], i / count[0] % count[1], i / count[0] / count[1] };
        AbutImpactBox part = { .time = time, .again = true };
        for (int axis = 0; axis < 3; ++axis)
        {
            part.center[axis] = impact->low[axis] + impact->half[axis] * (float)(2 * place[axis] + 1);
        }
        abut_impact_queue_push(&impact->queue, &part);
    }
}

/// Looks at the step from a time on, as far as the queue allows: until impact->limit. False when the budget was spent.
static bool search_from(AbutImpact* impact, double time, double* until)
{
    AbutImpactLook look;
    Waiting waiting = { .queue = &impact->queue };
    impact->limit = impact->met ? impact->meet_limit : 1.0;
    impact->least = INFINITY;
    push_first_parts(impact, time);
    while (take_next(impact, &look, &waiting))
    {
        if (impact->evaluations > impact->budget)
        {
            *until = fmin(impact->limit, earliest(&waiting, &look));
            return false;
        }
        if (impact->evaluations > impact->next_probe)
        {
            impact->next_probe = 2 * impact->evaluations;
            abut_impact_probe(impact, &look.boxes[0]);
        }
        look_at_boxes(impact, &look, &waiting);
    }
    return true;
}

bool abut_impact_search(AbutImpact* impact, double* until)
{
    impact->met = impact->touched = false;
    impact->gap = INFINITY;
    impact->next_probe = FIRST_PROBE;
    for (double time = 0.0; time < 1.0; time = impact->limit)
    {
        if (!search_from(impact, time, until))
        {
            return false;
        }
        if (impact->met && impact->limit >= impact->meet_limit)
        {
            *until = fmin(impact->meet_time, fmax(impact->least, impact->limit));
            return true;
        }
    }
    return true;
}
