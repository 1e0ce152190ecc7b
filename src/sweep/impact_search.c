#include "sweep/impact.h"

#include "sweep/impact_between.h"

enum
{
    STACK = 8 * (ABUT_IMPACT_LEVELS + 2) // what one box leaves behind on the way to its smallest parts
};

/// A box that gains at least this part of its radius is looked at again before it is divided.
static const double WORTH_A_LOOK = 0.5;

/// Boxes that have been looked at go to the queue, or to a stack when the queue is full.
typedef struct Waiting
{
    AbutImpactQueue* queue;
    AbutImpactBox stack[STACK];
    uint32_t stack_count;
} Waiting;

/// A point of both solids ends the search for anything later.
static void note_touch(AbutImpact* impact, const AbutImpactLook* look, size_t i)
{
    double time = look->boxes[i].time;
    if (time < impact->limit)
    {
        impact->touched = true;
        impact->limit = impact->touch_time = time;
        for (int axis = 0; axis < 3; ++axis)
        {
            impact->touch[axis] = look->own.at[axis][i];
        }
    }
}

static void note_hit(AbutImpact* impact, const AbutImpactBox* box)
{
    if (box->time < impact->limit)
    {
        impact->stuck = true;
        impact->hit = *box;
        impact->limit = box->time;
    }
}

/// True when it does not help to divide a box: it is small, or not larger than what the distances are off by, or the solids are near
/// to each other but for that.
static bool is_end(const AbutImpact* impact, const AbutImpactLook* look, size_t i)
{
    uint32_t level = look->boxes[i].level;
    return level >= impact->last_level || look->gains[i].apart < INFINITY ||
           abut_impact_radius(impact, level) <= 0.5 * abut_impact_error(impact, look, i);
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
        box.time = to_end ? end : box.time + by;
    }
    if (box.time >= impact->limit || (box.inside && by > 0.0))
    {
        return;
    }
    if (!(way >= impact->stop) && !to_end && is_end(impact, look, i))
    {
        note_hit(impact, &box);
        return;
    }
    box.again = to_end || way >= WORTH_A_LOOK * abut_impact_radius(impact, box.level);
    if (waiting->queue->count < ABUT_IMPACT_QUEUE - ABUT_IMPACT_BATCH && waiting->stack_count == 0)
    {
        abut_impact_queue_push(waiting->queue, &box);
    }
    else
    {
        waiting->stack[waiting->stack_count++] = box;
    }
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
    }
    while (look->moment_count < ABUT_IMPACT_GROUP && abut_impact_queue_pop(waiting->queue, &box))
    {
        if (!(box.time < impact->limit))
        {
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

bool abut_impact_search(AbutImpact* impact, double* until)
{
    AbutImpactLook look;
    Waiting waiting = { .queue = &impact->queue };
    while (take_next(impact, &look, &waiting))
    {
        if (impact->evaluations > impact->budget)
        {
            *until = fmin(impact->limit, earliest(&waiting, &look));
            return false;
        }
        look_at_boxes(impact, &look, &waiting);
    }
    return true;
}
