// Branch and bound over boxes and time.
#include "toi/solids/search.h"

#include "base/assert.h"
#include "toi/solids/bounds.h"
#include "toi/solids/first_contact.h"
#include "toi/solids/gap_bound.h"

enum
{
    FIRST_PROBE = 1 << 11,            // evaluations before it; each next probe comes after twice as many
    STACK = 8 * (ABUT_TOI_LEVELS + 2) // boxes of one depth-first division
};

/// Progress, as a fraction of its radius, from which a box is bounded again before it is divided.
static const double RETRY_PROGRESS = 0.5;

/// Radius, as a fraction of the error of the distances, below which boxes are not divided: with both surfaces
/// in them, and without.
static const double CLOSE_ERROR = 0.5, FAR_ERROR = 0.1;

/// Bounded boxes: in the queue, or on a stack when the queue is full.
typedef struct Waiting
{
    AbutToiQueue* queue;
    AbutToiBox stack[STACK];
    uint32_t stack_count;
} Waiting;

/// Upper bound of the speed of any point of the moving shape until a time.
static double fastest(const AbutToiSearch* toi, double until)
{
    AbutMotionBounds bounds = abut_relative_motion_bounds(&toi->motion, 0.0, until);
    return abut_motion_bounds_speed(&bounds, toi->max_radius);
}

void abut_toi_set_close(AbutToiSearch* toi, double time, AbutVec3 point)
{
    if (toi->is_close && time >= toi->close_time)
    {
        return;
    }
    double speed = fastest(toi, time);
    toi->is_close = true;
    toi->close_time = time;
    toi->close_limit = speed > 0.0 ? fmax(0.0, time - toi->slack / speed) : time;
    toi->limit = fmin(toi->limit, toi->close_limit);
    toi->close_point = point;
}

/// Drops a box that is free until a time.
static void drop(AbutToiSearch* toi, double time)
{
    toi->least = fmin(toi->least, time);
}

static void record_contact(AbutToiSearch* toi, const AbutToiBatch* batch, size_t i)
{
    double time = batch->boxes[i].time;
    if (!toi->touched || time < toi->touch_time)
    {
        toi->touched = true;
        toi->touch_time = time;
    }
    abut_toi_set_close(toi, time, batch->boxes[i].center);
}

/// True when division of a box does not help: it is small, the solids are close, or only the errors of the
/// distances keep it from being free.
static bool is_end(const AbutToiSearch* toi, const AbutToiBatch* batch, size_t i)
{
    uint32_t level = batch->boxes[i].level;
    if (level >= toi->last_level || batch->box_bounds[i].separation < INFINITY)
    {
        return true;
    }
    double radius = abut_toi_radius(toi, level), error = abut_toi_error(toi, batch, i);
    bool may_have_both = !(toi->unit * (double)batch->in_moving.distance[0][i] > radius) &&
                         !((double)batch->in_standing.distance[1][i] > radius);
    double rounding = toi->unit * (double)toi->pair.sides[0].rounding +
                      (double)(toi->pair.sides[1].rounding + abut_toi_rounding(batch, i));
    // Rounding is uniform in a box, errors of fields are not.
    return radius <= CLOSE_ERROR * (may_have_both ? error : rounding) || radius <= FAR_ERROR * error;
}

/// Shortens the fraction of the step so that about half of the boxes in the queue are dropped, or to an
/// eighth.
static void shorten(AbutToiSearch* toi)
{
    AbutToiQueue* queue = &toi->queue;
    double sum = 0.0, first = queue->boxes[0].time;
    for (uint32_t i = 0; i < queue->count; ++i)
    {
        sum += queue->boxes[i].time;
    }
    double middle = sum / queue->count;
    toi->limit = middle > first && middle < toi->limit ? middle : first + 0.125 * (toi->limit - first);
    drop(toi, toi->limit);
    abut_toi_queue_keep(queue, toi->limit);
}

/// Adds a box to the queue, or to the stack when that is full.
static void push(AbutToiSearch* toi, Waiting* waiting, const AbutToiBox* box)
{
    const uint32_t most = ABUT_TOI_QUEUE - ABUT_TOI_BATCH;
    if (waiting->stack_count == 0 && waiting->queue->count >= most)
    {
        shorten(toi);
    }
    if (waiting->stack_count == 0 && waiting->queue->count < most)
    {
        abut_toi_queue_push(waiting->queue, box);
    }
    else
    {
        ABUT_ASSERT(waiting->stack_count < STACK);
        waiting->stack[waiting->stack_count++] = *box;
    }
}

/// Advances a box in time, as far as it is proved to be free.
static void advance(AbutToiSearch* toi, const AbutToiBatch* batch, size_t i, Waiting* waiting)
{
    AbutToiBox box = batch->boxes[i];
    const AbutToiBound* box_bound = &batch->box_bounds[i];
    double end = batch->end[batch->sample_of[i]], free_time = box_bound->free_time,
           progress = free_time * box_bound->speed;
    bool to_end = box.time + free_time >= end;
    if (free_time > 0.0)
    {
        // The gap decreases at most linearly.
        double rest = fmin(toi->limit, end) - box.time;
        toi->gap = fmin(toi->gap, free_time < INFINITY ? fmax(0.0, box_bound->low * (1.0 - rest / free_time))
                                                       : box_bound->low);
        box.time = to_end ? end : box.time + free_time;
    }
    if (box.time >= toi->limit)
    {
        drop(toi, box.time);
        return;
    }
    if (box.inside && free_time > 0.0)
    {
        return;
    }
    if (!(progress >= toi->min_progress) && !to_end && is_end(toi, batch, i))
    {
        drop(toi, box.time);
        abut_toi_set_close(toi, box.time, box.center);
        return;
    }
    box.retry = to_end || progress >= RETRY_PROGRESS * abut_toi_radius(toi, box.level);
    push(toi, waiting, &box);
}

/// Bounds the boxes of a batch and puts them back.
static void bound_boxes(AbutToiSearch* toi, AbutToiBatch* batch, Waiting* waiting)
{
    abut_toi_bound(toi, batch);
    for (size_t i = 0; i < batch->count; ++i)
    {
        if (batch->box_bounds[i].separation <= 0.0)
        {
            record_contact(toi, batch, i);
        }
    }
    abut_toi_gap_bound(toi, batch);
    for (size_t i = 0; i < batch->count; ++i)
    {
        advance(toi, batch, i, waiting);
    }
}

/// The earliest boxes of the queue, or one from the stack. False when none are left.
static bool take_next(AbutToiSearch* toi, AbutToiBatch* batch, Waiting* waiting)
{
    AbutToiBox box;
    batch->count = batch->sample_count = 0;
    while (waiting->stack_count > 0)
    {
        box = waiting->stack[--waiting->stack_count];
        if (box.time < toi->limit)
        {
            abut_toi_batch_add(toi, batch, &box);
            return true;
        }
        drop(toi, box.time);
    }
    while (batch->sample_count < ABUT_TOI_GROUP && abut_toi_queue_pop(waiting->queue, &box))
    {
        if (!(box.time < toi->limit))
        {
            drop(toi, box.time);
            waiting->queue->count = 0; // all others are later still
            break;
        }
        abut_toi_batch_add(toi, batch, &box);
    }
    return batch->sample_count > 0;
}

static double earliest(const Waiting* waiting, const AbutToiBatch* batch)
{
    double time = waiting->queue->count > 0 ? waiting->queue->boxes[0].time : 1.0;
    for (size_t i = 0; i < batch->count; ++i)
    {
        time = fmin(time, batch->boxes[i].time);
    }
    for (uint32_t i = 0; i < waiting->stack_count; ++i)
    {
        time = fmin(time, waiting->stack[i].time);
    }
    return time;
}

/// The root boxes of the moving shape, free until a time.
static void push_root_boxes(AbutToiSearch* toi, double time)
{
    const uint32_t* count = toi->root_boxes;
    toi->queue.count = 0;
    for (uint32_t i = 0; i < count[0] * count[1] * count[2]; ++i)
    {
        const uint32_t at[3] = { i % count[0], i / count[0] % count[1], i / count[0] / count[1] };
        AbutToiBox box = { .time = time, .retry = true };
        box.center = abut_vec3(toi->low.x + toi->half.x * (float)(2 * at[0] + 1),
                               toi->low.y + toi->half.y * (float)(2 * at[1] + 1),
                               toi->low.z + toi->half.z * (float)(2 * at[2] + 1));
        abut_toi_queue_push(&toi->queue, &box);
    }
}

/// Searches the step from a time on, as far as the queue allows: until toi->limit. False when the budget was
/// spent.
static bool search_from(AbutToiSearch* toi, double time, double* until)
{
    AbutToiBatch batch;
    Waiting waiting = { .queue = &toi->queue };
    toi->limit = toi->is_close ? toi->close_limit : 1.0;
    toi->least = INFINITY;
    push_root_boxes(toi, time);
    while (take_next(toi, &batch, &waiting))
    {
        if (toi->evaluations > toi->budget)
        {
            *until = fmin(toi->limit, earliest(&waiting, &batch));
            return false;
        }
        if (toi->evaluations > toi->next_probe)
        {
            toi->next_probe = 2 * toi->evaluations;
            abut_toi_probe(toi, &batch.boxes[0]);
        }
        bound_boxes(toi, &batch, &waiting);
    }
    return true;
}

bool abut_toi_search(AbutToiSearch* toi, double* until)
{
    toi->is_close = toi->touched = false;
    toi->gap = INFINITY;
    toi->next_probe = FIRST_PROBE;
    for (double time = 0.0; time < 1.0; time = toi->limit)
    {
        if (!search_from(toi, time, until))
        {
            return false;
        }
        if (toi->is_close && toi->limit >= toi->close_limit)
        {
            *until = fmin(toi->close_time, fmax(toi->least, toi->limit));
            return true;
        }
    }
    return true;
}
