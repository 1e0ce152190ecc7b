// A window is sampled at its middle, which tells of a part around it, and then what is left of it before and after, until the rest is as
// short as the sphere is wide. Every window has its sample, however short it is: in small steps of a simulation that is what keeps most of
// the tree closed. All spheres take a sample per round.
#include "toi/points/open_intervals.h"

#include <math.h>

/// What is left of a window stays open when the sphere moves less than this many radii in it.
static const double WAY_PER_RADIUS = 1.5;

/// Windows are one when the sphere moves less than this many radii between them.
static const double GAP_PER_RADIUS = 4.0;

/// Both are so many times more where paths are straight: points get through long windows in few steps.
static const double STRAIGHT_TIMES = 4.0;

// ---------------------------------------------------------------------------------------------------------------------
// What is found out
// ---------------------------------------------------------------------------------------------------------------------

static void add_open(AbutLook* look, uint32_t begin, uint32_t end)
{
    AbutWindows* out = &look->task.windows;
    uint32_t n = out->count;
    // Windows that are near each other are quicker to go through as one; and there is room for a few only.
    if (n > 0 && (n == ABUT_WINDOWS || look->speed * (begin - out->end[n - 1]) <= look->gap))
    {
        out->end[n - 1] = (uint16_t)end;
        return;
    }
    out->begin[n] = (uint16_t)begin;
    out->end[n] = (uint16_t)end;
    out->inside |= (uint8_t)((look->is_inside ? 1u : 0u) << n);
    out->count += 1;
}

static void push_part(AbutLook* look, uint32_t begin, uint32_t end, uint8_t before)
{
    look->parts[look->depth++] = (AbutLookPart){ (uint16_t)begin, (uint16_t)end, before };
}

static bool is_short(const AbutLook* look, uint32_t begin, uint32_t end)
{
    return end - begin < 2 || look->speed * (end - begin) <= look->way || look->depth == ABUT_LOOK_DEPTH;
}

/// Comes to a part after all before it: true when a sample is to be taken in it, false when it is done with.
static bool take_part(AbutLook* look, uint32_t begin, uint32_t end, uint8_t before)
{
    look->is_inside = before == ABUT_NOT_KNOWN ? look->is_inside : before != 0;
    if (begin == end)
    {
        return false;
    }
    if (is_short(look, begin, end))
    {
        add_open(look, begin, end);
        return false;
    }
    look->part = (AbutLookPart){ (uint16_t)begin, (uint16_t)end, before };
    return true;
}

static void finish_look(AbutLook* look)
{
    AbutWindows* out = &look->task.windows;
    out->inside |= (uint8_t)((look->is_inside ? 1u : 0u) << out->count);
    look->is_done = true;
}

/// Goes on to the next part that a sample is to be taken in.
static void find_next(AbutLook* look)
{
    while (look->depth > 0)
    {
        const AbutLookPart part = look->parts[--look->depth];
        if (take_part(look, part.begin, part.end, part.before))
        {
            return;
        }
    }
    uint32_t k = look->window++;
    bool is_end = k == look->parent.count;
    if (!is_end || look->parent.end[k - 1] < ABUT_KNOT_TICKS)
    {
        look->is_inside = abut_windows_inside(&look->parent, k);
    }
    if (is_end)
    {
        finish_look(look);
        return;
    }
    look->part = (AbutLookPart){ look->parent.begin[k], look->parent.end[k], ABUT_NOT_KNOWN };
}

/// The same path serves all samples.
static void place_straight(const AbutLooks* looks, AbutLook* look)
{
    const AbutPath* path = &looks->side->path;
    AbutPathAt* start = abut_knots_at(looks->knots, 0);
    double rate[3];
    abut_path_apply(start->at, look->center, look->from);
    abut_path_apply(start->rate, look->center, rate);
    for (int axis = 0; axis < 3; ++axis)
    {
        look->rate[axis] = rate[axis] / ABUT_KNOT_TICKS;
    }
    look->speed = abut_path_way(path, rate, look->radius / path->stretch, 1.0 / ABUT_KNOT_TICKS);
}

void abut_looks_add(AbutLooks* looks, uint32_t node, const AbutWindows* parent)
{
    AbutLook* look = &looks->looks[looks->count++];
    look->task = (AbutWindowTask){ .node = node };
    look->parent = *parent;
    look->speed = INFINITY; // not known before the first sample
    look->window = 0;
    look->depth = 0;
    look->is_done = false;
    abut_sphere_load(looks->side->points, node, look->center, &look->radius);
    look->radius *= looks->side->path.stretch;
    double times = looks->knots->is_straight ? STRAIGHT_TIMES : 1.0;
    look->way = times * WAY_PER_RADIUS * look->radius;
    look->gap = times * GAP_PER_RADIUS * look->radius;
    if (looks->knots->is_straight)
    {
        place_straight(looks, look);
    }
    find_next(look);
}

// ---------------------------------------------------------------------------------------------------------------------
// Samples
// ---------------------------------------------------------------------------------------------------------------------

static uint32_t middle_of(const AbutLookPart* part)
{
    return (part->begin + part->end + 1u) / 2u;
}

/// Where a sphere is at the middle of its part; fills its speed within that.
static void place_look(const AbutLooks* self, AbutLook* look, float at[3])
{
    const AbutPath* path = &self->side->path;
    const AbutLookPart* part = &look->part;
    uint32_t middle = middle_of(part);
    if (self->knots->is_straight)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            at[axis] = (float)(look->from[axis] + middle * look->rate[axis]);
        }
        return;
    }
    AbutPathAt* knot = abut_knots_at(self->knots, middle);
    double place[3], rate[3], half = (double)(middle - part->begin) / ABUT_KNOT_TICKS;
    abut_path_apply(knot->at, look->center, place);
    abut_path_apply(knot->rate, look->center, rate);
    double way = abut_path_way(path, rate, look->radius / path->stretch, half);
    look->speed = way / (middle - part->begin);
    for (int axis = 0; axis < 3; ++axis)
    {
        at[axis] = (float)place[axis];
    }
}

/// Divides the part by what a sample proves: its sign for as far as the sphere's centre is `reach` away from the surface.
static void judge_look(AbutLook* look, double reach, bool is_inside)
{
    const AbutLookPart part = look->part;
    uint32_t middle = middle_of(&part), begin = middle, end = middle;
    uint8_t known = ABUT_NOT_KNOWN;
    reach -= look->radius;
    if (reach > 0.0)
    {
        // As many ticks as the sphere needs to get that far, but never quite there.
        double ticks = reach < look->speed * ABUT_KNOT_TICKS ? reach / look->speed * (1.0 - 1e-9)
                                                             : (double)ABUT_KNOT_TICKS;
        uint32_t whole = (uint32_t)ticks;
        begin = middle - part.begin > whole ? middle - whole : part.begin;
        end = part.end - middle > whole ? middle + whole : part.end;
        known = is_inside ? 1 : 0;
    }
    if (take_part(look, part.begin, begin, ABUT_NOT_KNOWN))
    {
        push_part(look, end, part.end, known);
    }
    else if (!take_part(look, end, part.end, known))
    {
        find_next(look);
    }
}

void abut_looks_run(AbutLooks* looks)
{
    AbutPointBatch batch;
    double reach[ABUT_SWEEP_BATCH];
    uint8_t list[ABUT_SWEEP_BATCH];
    uint32_t count = 0;
    for (uint32_t i = 0; i < looks->count; ++i)
    {
        list[count] = (uint8_t)i;
        count += looks->looks[i].is_done ? 0 : 1;
    }
    while (count > 0)
    {
        for (uint32_t k = 0; k < count; ++k)
        {
            float at[3];
            place_look(looks, &looks->looks[list[k]], at);
            for (int axis = 0; axis < 3; ++axis)
            {
                batch.at[axis][k] = at[axis];
            }
        }
        batch.count = count;
        abut_point_batch_sample(looks->side, &batch);
        const AbutPoints places = { batch.at[0], batch.at[1], batch.at[2] };
        abut_reach_same_all(&looks->side->reach, places, batch.distance, count, reach);
        *looks->evaluations += count;
        uint32_t left = 0;
        for (uint32_t k = 0; k < count; ++k)
        {
            AbutLook* look = &looks->looks[list[k]];
            judge_look(look, reach[k], batch.distance[k] <= 0.0f);
            list[left] = list[k];
            left += look->is_done ? 0 : 1;
        }
        count = left;
    }
}
