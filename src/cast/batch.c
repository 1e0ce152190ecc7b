// Many segments at once: rays in two queues, one of those that proved distances bring on, one of those that go from cell to cell.
// All rays of a queue take one step per turn, so that memory is asked for many of them before the first needs it. Where a
// cell may have a crossing, the test that all methods share looks at it.
#include "cast/field_cast.h"
#include "cast/kernels.h"
#include "math/rounding.h"

#include <math.h>
#include <string.h>

enum
{
    FRESH = ABUT_RAYS / 2, // segments that begin at once
    CELLS_AT_ONCE = 3,     // that are looked at one by one before the kernels go on
    FEW = 16 // rays in the queue of cells that are worth a turn while others are still on their way
};

/// Over σ by so many cells, proved distances bring a ray further than its cell.
static const float FAR_FROM_CELLS = 4.0f;

/// Floors reach no further from the surface than a few cells.
static const double MOST_FLOOR_ISO = 2.0;

typedef struct Batch
{
    const AbutSegmentField* field;
    AbutSegments segments;
    AbutSegmentHits out;
    size_t next, count;
    AbutRayField ray_field;
    bool crosses; // the kernels know how to go through cells
    bool looks;   // and how to test them
    AbutLookField look_field;
    AbutCellLooks cell_looks;
    uint16_t look_of[ABUT_RAYS_PADDED]; // of a ray that is stuck
    AbutRays stepping, crossing;
    AbutRayVerdicts verdicts;
    float far[ABUT_RAYS_PADDED];
} Batch;

static AbutRayField make_ray_field(const AbutSegmentField* field)
{
    const AbutField* source = field->field;
    const AbutFieldHeader* h = source->block;
    const AbutCenters* centers = &source->centers;
    // Places are within two grids of the first node, where float has twice the rounding.
    double pad = 3.0 * field->rounding;
    double margin = abut_segment_margin(field, pad, 16.0);
    bool jumps = field->sparse;
    AbutRayField out = {
        .view = source->view,
        .format = (int)h->format,
        .leaves = centers->leaves,
        .bricks = centers->levels[0],
        // Distances of any size are taken a little shorter, as the margin of far values wants it.
        .step = (float)((double)centers->step * (1.0 - 0x1p-18)),
        .group_row = centers->group_count[0][0],
        .group_slab = centers->group_count[0][0] * centers->group_count[0][1],
        .pad = abut_round_up(pad),
        .taken = abut_round_up(field->coarse_slack + field->center_iso + margin),
        .iso = (float)field->iso,
        .margin = abut_round_up(margin + 0x1p-22 * fabs(field->iso)),
        .jump = jumps ? abut_round_up(2.0 * field->slack) : 0.0f,
        .per_steep = abut_round_down(0.999 / (jumps ? fmax(1.0, (double)h->source_slope) : field->steep)),
        .clear_outside = field->outside > field->iso + abut_segment_margin(field, pad, field->outside),
    };
    for (int axis = 0; axis < 3; ++axis)
    {
        out.cells[axis] = (float)field->cells[axis];
    }
    return out;
}

static AbutLookField make_look_field(const AbutSegmentField* field)
{
    const AbutFieldView* view = &field->field->view;
    AbutLookField out = {
        .nodes = view->nodes,
        .slots = view->slots,
        .brick_row = view->brick_row,
        .brick_slab = view->brick_slab,
        .row = view->row,
        .slab = view->slab,
        .fine_start = view->fine_start,
        .per_length = field->per_length,
        .iso = field->iso,
        .rounding = field->rounding,
    };
    for (int axis = 0; axis < 3; ++axis)
    {
        out.origin[axis] = field->origin[axis];
        out.cells[axis] = field->cells[axis];
    }
    return out;
}

// ---------------------------------------------------------------------------------------------------------------------
// Queues
// ---------------------------------------------------------------------------------------------------------------------

static void copy_ray(const AbutRays* from, size_t i, AbutRays* to, size_t j)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        to->from[axis][j] = from->from[axis][i];
        to->way[axis][j] = from->way[axis][i];
    }
    to->time[j] = from->time[i];
    to->end[j] = from->end[i];
    to->per_length[j] = from->per_length[i];
    to->id[j] = from->id[i];
}

static void move_ray(const AbutRays* from, size_t i, AbutRays* to)
{
    copy_ray(from, i, to, to->count++);
}

/// The last ray before `end` that something is to be said of, or −1: most go on, eight of them are passed at a time.
static ptrdiff_t last_with_verdict(const AbutRayVerdicts verdicts, ptrdiff_t end)
{
    ptrdiff_t i = end - 1;
    for (; i >= 0 && verdicts[i] == 0; --i)
    {
        uint64_t eight = 1;
        while (i >= 8 && (memcpy(&eight, verdicts + i - 7, 8), eight == 0))
        {
            i -= 8;
        }
    }
    return i;
}

/// The last ray of the queue takes the place of ray i.
static void remove_ray(AbutRays* rays, size_t i)
{
    size_t last = --rays->count;
    if (i != last)
    {
        copy_ray(rays, last, rays, i);
    }
}

static void miss(Batch* self, const AbutRays* rays, size_t i)
{
    self->out.state[rays->id[i]] = ABUT_SEGMENT_MISS;
    self->out.time[rays->id[i]] = 1.0f;
}

// ---------------------------------------------------------------------------------------------------------------------
// Cells one by one
// ---------------------------------------------------------------------------------------------------------------------

/// Follows a ray to its end.
static void finish_ray(Batch* self, const AbutRays* rays, size_t i)
{
    AbutSegmentWalk walk;
    double time = 1.0;
    uint64_t steps = 0;
    const AbutSegmentTaker taker = abut_segment_first_taker(&time);
    abut_segment_start(self->field, self->segments, rays->id[i], &walk);
    bool hit = !abut_segment_follow(&walk, abut_segment_skip_steps, (double)rays->time[i], &taker, &steps);
    abut_segment_answer(self->out, rays->id[i], hit, time);
}

/// Looks at the next cells of a ray; false when it is answered.
static bool look_closely(Batch* self, AbutRays* rays, size_t i)
{
    AbutSegmentWalk walk;
    double time = 1.0;
    const AbutSegmentTaker taker = abut_segment_first_taker(&time);
    abut_segment_start(self->field, self->segments, rays->id[i], &walk);
    abut_segment_walk_to(&walk, (double)rays->time[i]);
    // Cells that the ray but touches, and what is lost when times become floats, must not keep it where it is.
    for (int cells = 0; cells < CELLS_AT_ONCE || abut_round_down(walk.enter) <= rays->time[i]; ++cells)
    {
        if (walk.outside)
        {
            finish_ray(self, rays, i);
            return false;
        }
        bool hit = walk.enter < walk.exit && !abut_segment_test_cell(&walk, &taker);
        if (hit || !abut_segment_walk_next(&walk))
        {
            abut_segment_answer(self->out, rays->id[i], hit, time);
            return false;
        }
    }
    rays->time[i] = abut_round_down(walk.enter);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Turns
// ---------------------------------------------------------------------------------------------------------------------

static AbutPoints points_from(AbutPoints points, size_t first)
{
    return (AbutPoints){ points.x + first, points.y + first, points.z + first };
}

static void begin_turn(Batch* self)
{
    AbutRays* rays = &self->stepping;
    size_t left = self->count - self->next, count = left < FRESH ? left : FRESH, first = rays->count;
    abut_cast_kernels()->begin(&self->ray_field, points_from(self->segments.from, self->next),
                               points_from(self->segments.to, self->next), count, rays, self->verdicts);
    for (size_t i = 0; i < count; ++i)
    {
        rays->id[first + i] = (uint32_t)(self->next + i);
    }
    for (size_t i = rays->count; i-- > first;)
    {
        if (self->verdicts[i] == 0)
        {
            continue;
        }
        if ((self->verdicts[i] & ABUT_RAY_FREE) != 0)
        {
            miss(self, rays, i);
        }
        else
        {
            abut_segment_first(self->field, abut_segment_skip_steps, self->segments, rays->id[i], self->out);
        }
        remove_ray(rays, i);
    }
    self->next += count;
}

static void step_turn(Batch* self)
{
    AbutRays* rays = &self->stepping;
    size_t crossing = self->crossing.count;
    abut_cast_kernels()->step(&self->ray_field, rays, self->verdicts);
    // From the last to the first: those behind are all still on their way.
    for (ptrdiff_t at = (ptrdiff_t)rays->count; (at = last_with_verdict(self->verdicts, at)) >= 0;)
    {
        const size_t i = (size_t)at;
        if ((self->verdicts[i] & ABUT_RAY_FREE) != 0)
        {
            miss(self, rays, i);
        }
        else if (self->crosses)
        {
            move_ray(rays, i, &self->crossing);
        }
        else
        {
            finish_ray(self, rays, i);
        }
        remove_ray(rays, i);
    }
    if (self->ray_field.floors == NULL)
    {
        abut_cast_kernels()->prepare(&self->ray_field, &self->crossing, crossing);
    }
}

/// Tests the cells that rays are stuck in, where that is simple.
static void look_together(Batch* self, const AbutRays* rays)
{
    AbutCellLooks* looks = &self->cell_looks;
    const AbutSegments* s = &self->segments;
    size_t count = 0;
    for (size_t i = 0; i < rays->count; ++i)
    {
        if (self->verdicts[i] == ABUT_RAY_STUCK)
        {
            const uint32_t id = rays->id[i];
            looks->from[0][count] = s->from.x[id];
            looks->from[1][count] = s->from.y[id];
            looks->from[2][count] = s->from.z[id];
            looks->to[0][count] = s->to.x[id];
            looks->to[1][count] = s->to.y[id];
            looks->to[2][count] = s->to.z[id];
            looks->time[count] = rays->time[i];
            self->look_of[i] = (uint16_t)count++;
        }
    }
    abut_cast_kernels()->look(&self->look_field, looks, count);
}

/// Answers a ray that is stuck in a cell; false when it goes on behind it.
static bool answer_stuck(Batch* self, AbutRays* rays, size_t i)
{
    size_t look = self->look_of[i];
    if (self->looks && self->cell_looks.found[look] != 0)
    {
        abut_segment_answer(self->out, rays->id[i], true, self->cell_looks.touch[look]);
        return true;
    }
    return !look_closely(self, rays, i);
}

static void cross_turn(Batch* self)
{
    AbutRays* rays = &self->crossing;
    abut_cast_kernels()->cross(&self->ray_field, rays, self->verdicts, self->far);
    if (self->looks)
    {
        look_together(self, rays);
    }
    for (size_t i = rays->count; i-- > 0;)
    {
        bool gone = true;
        if ((self->verdicts[i] & ABUT_RAY_FREE) != 0)
        {
            miss(self, rays, i);
        }
        else if ((self->verdicts[i] & ABUT_RAY_STUCK) != 0)
        {
            gone = answer_stuck(self, rays, i);
        }
        else if (self->far[i] > FAR_FROM_CELLS)
        {
            move_ray(rays, i, &self->stepping);
        }
        else
        {
            gone = false;
        }
        if (gone)
        {
            remove_ray(rays, i);
        }
    }
    abut_cast_kernels()->prepare(&self->ray_field, rays, 0);
}

void abut_segments_run(const AbutSegmentField* field, AbutSegments segments, size_t count,
                       AbutSegmentHits out)
{
    static const AbutRays none = { .count = 0 };
    Batch self = { .field = field, .segments = segments, .out = out, .count = count };
    self.ray_field = make_ray_field(field);
    bool signs_hold = !field->sparse || field->coarse_slack <= field->slack;
    self.crosses = field->format != ABUT_FIELD_FIRST_ORDER && signs_hold;
    if (self.crosses && fabs(field->iso) < MOST_FLOOR_ISO)
    {
        self.ray_field.floors = (const uint32_t*)(const void*)field->field->floors;
    }
    self.looks = self.crosses && field->format == ABUT_FIELD_F32;
    self.look_field = make_look_field(field);
    self.stepping = self.crossing = none;
    while (self.next < count || self.stepping.count + self.crossing.count > 0)
    {
        if (self.next < count && self.stepping.count + self.crossing.count <= ABUT_RAYS - FRESH)
        {
            begin_turn(&self);
        }
        if (self.stepping.count > 0)
        {
            step_turn(&self);
        }
        if (self.crossing.count >= FEW || self.stepping.count == 0)
        {
            cross_turn(&self);
        }
    }
}
