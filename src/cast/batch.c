// Many segments at once: rays in two queues, one for sphere tracing, one for steps from cell to cell. All
// rays of a queue take one step per pass, so that memory is prefetched for many of them before its first use.
// A cell with a possible crossing gets the test that all methods share.
#include "cast/batch.h"

#include "base/assert.h"
#include "cast/field_cast.h"
#include "cast/kernels.h"
#include "math/rounding.h"

#include <math.h>
#include <string.h>

enum
{
    FRESH = ABUT_RAYS / 2, // segments that begin at once
    CELLS_AT_ONCE = 3,     // cells tested one by one before the kernels go on
    FEW = 16               // smallest queue of cells that is worth a pass while other rays are stepping
};

/// Value over σ, in cells, from which sphere tracing is faster than steps from cell to cell.
static const float FAR_FROM_CELLS = 4.0f;

/// Lower planes are valid up to a few cells from the surface.
static const double MAX_LOWER_PLANE_ISO = 2.0;

typedef struct Batch
{
    const AbutCastField* field;
    AbutSegments segments;
    AbutCastHits out;
    size_t next, count;
    AbutRayField ray_field;
    bool crosses;   // kernels can step from cell to cell
    bool crossings; // and test cells
    AbutCrossingField crossing_field;
    AbutCellCrossings cell_crossings;
    uint16_t crossing_of[ABUT_RAYS_PADDED]; // per ray that is stuck
    AbutRays stepping, crossing;
    AbutRayStates verdicts;
    float far[ABUT_RAYS_PADDED];
} Batch;

static AbutRayField make_ray_field(const AbutCastField* field)
{
    const AbutField* source = field->field;
    const AbutFieldHeader* h = source->block;
    const AbutDistanceOctree* octree = &source->octree;
    // Positions are within two grids of the first node, where float has twice the rounding.
    double pad = 3.0 * field->rounding;
    double margin = abut_cast_margin(field, pad, 16.0);
    bool jumps = field->sparse;
    AbutRayField out = {
        .view = source->view,
        .format = (int)h->format,
        .leaves = octree->leaves,
        .bricks = octree->levels[0],
        // Distances are reduced by a fraction: the margin grows with the value.
        .step = (float)((double)octree->step * (1.0 - 0x1p-18)),
        .group_row = octree->group_count[0][0],
        .group_slab = octree->group_count[0][0] * octree->group_count[0][1],
        .pad = abut_round_up(pad),
        .deduction = abut_round_up(field->coarse_slack + field->center_iso + margin),
        .iso = (float)field->iso,
        .margin = abut_round_up(margin + 0x1p-22 * fabs(field->iso)),
        .jump = jumps ? abut_round_up(2.0 * field->slack) : 0.0f,
        .inverse_slope =
            abut_round_down(0.999 / (jumps ? fmax(1.0, (double)h->source_slope) : field->slope_bound)),
        .empty_outside = field->outside > field->iso + abut_cast_margin(field, pad, field->outside),
        .cells = { (float)field->cells[0], (float)field->cells[1], (float)field->cells[2] },
    };
    return out;
}

static AbutCrossingField make_crossing_field(const AbutCastField* field)
{
    const AbutFieldView* view = &field->field->view;
    AbutCrossingField out = {
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

// -----------------------------------------------------------------------------------------------------------
// Queues
// -----------------------------------------------------------------------------------------------------------

static void copy_ray(const AbutRays* from, size_t i, AbutRays* to, size_t j)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        to->from[axis][j] = from->from[axis][i];
        to->displacement[axis][j] = from->displacement[axis][i];
    }
    to->time[j] = from->time[i];
    to->end[j] = from->end[i];
    to->per_length[j] = from->per_length[i];
    to->id[j] = from->id[i];
}

static void move_ray(const AbutRays* from, size_t i, AbutRays* to)
{
    ABUT_ASSERT(to->count < ABUT_RAYS);
    copy_ray(from, i, to, to->count++);
}

/// The last ray before `end` with a verdict, or −1. Most have none: eight at a time are skipped.
static ptrdiff_t last_with_verdict(const AbutRayStates verdicts, ptrdiff_t end)
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

/// Moves the last ray of the queue to position i.
static void remove_ray(AbutRays* rays, size_t i)
{
    ABUT_ASSERT(i < rays->count);
    size_t last = --rays->count;
    if (i != last)
    {
        copy_ray(rays, last, rays, i);
    }
}

static void miss(Batch* self, const AbutRays* rays, size_t i)
{
    self->out.state[rays->id[i]] = ABUT_CAST_MISS;
    self->out.time[rays->id[i]] = 1.0f;
}

// -----------------------------------------------------------------------------------------------------------
// Cells one by one
// -----------------------------------------------------------------------------------------------------------

/// Follows a ray to its end.
static void finish_ray(Batch* self, const AbutRays* rays, size_t i)
{
    AbutCastWalk walk;
    double time = 1.0;
    uint64_t steps = 0;
    const AbutCastVisitor visitor = abut_cast_first_visitor(&time);
    abut_cast_start(self->field, self->segments, rays->id[i], &walk);
    bool hit = !abut_cast_follow(&walk, abut_cast_skip_distance, (double)rays->time[i], &visitor, &steps);
    abut_cast_store_hit(self->out, rays->id[i], hit, time);
}

/// Tests the next cells of a ray; false when its result is stored.
static bool test_cell(Batch* self, AbutRays* rays, size_t i)
{
    AbutCastWalk walk;
    double time = 1.0;
    const AbutCastVisitor visitor = abut_cast_first_visitor(&time);
    abut_cast_start(self->field, self->segments, rays->id[i], &walk);
    abut_cast_walk_to(&walk, (double)rays->time[i]);
    // Grazed cells and the rounding of times to float must not stop its progress.
    for (int cells = 0; cells < CELLS_AT_ONCE || abut_round_down(walk.enter) <= rays->time[i]; ++cells)
    {
        if (walk.outside)
        {
            finish_ray(self, rays, i);
            return false;
        }
        bool hit = walk.enter < walk.exit && !abut_cast_test_cell(&walk, &visitor);
        if (hit || !abut_cast_walk_next(&walk))
        {
            abut_cast_store_hit(self->out, rays->id[i], hit, time);
            return false;
        }
    }
    rays->time[i] = abut_round_down(walk.enter);
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Passes
// -----------------------------------------------------------------------------------------------------------

static AbutPoints points_from(AbutPoints points, size_t first)
{
    return (AbutPoints){ points.x + first, points.y + first, points.z + first };
}

static void begin_pass(Batch* self)
{
    AbutRays* rays = &self->stepping;
    size_t left = self->count - self->next, count = left < FRESH ? left : FRESH, first = rays->count;
    ABUT_ASSERT(first + count <= ABUT_RAYS);
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
            abut_cast_first(self->field, abut_cast_skip_distance, self->segments, rays->id[i], self->out);
        }
        remove_ray(rays, i);
    }
    self->next += count;
}

static void step_pass(Batch* self)
{
    AbutRays* rays = &self->stepping;
    size_t crossing = self->crossing.count;
    abut_cast_kernels()->step(&self->ray_field, rays, self->verdicts);
    // From the last to the first: rays after position i are in progress.
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
    if (self->ray_field.lower_planes == NULL)
    {
        abut_cast_kernels()->prepare(&self->ray_field, &self->crossing, crossing);
    }
}

/// Tests the cells of stuck rays by the kernel, which covers the simple cases.
static void test_cells(Batch* self, const AbutRays* rays)
{
    AbutCellCrossings* crossings = &self->cell_crossings;
    const AbutSegments* s = &self->segments;
    size_t count = 0;
    for (size_t i = 0; i < rays->count; ++i)
    {
        if (self->verdicts[i] == ABUT_RAY_STUCK)
        {
            const uint32_t id = rays->id[i];
            crossings->from[0][count] = s->from.x[id];
            crossings->from[1][count] = s->from.y[id];
            crossings->from[2][count] = s->from.z[id];
            crossings->to[0][count] = s->to.x[id];
            crossings->to[1][count] = s->to.y[id];
            crossings->to[2][count] = s->to.z[id];
            crossings->time[count] = rays->time[i];
            self->crossing_of[i] = (uint16_t)count++;
        }
    }
    abut_cast_kernels()->cell_crossing(&self->crossing_field, crossings, count);
}

/// Tests the cell of a stuck ray; false when the ray goes on after it.
static bool resolve_stuck(Batch* self, AbutRays* rays, size_t i)
{
    size_t cell_crossing = self->crossing_of[i];
    if (self->crossings && self->cell_crossings.has_crossing[cell_crossing] != 0)
    {
        abut_cast_store_hit(self->out, rays->id[i], true, self->cell_crossings.touch[cell_crossing]);
        return true;
    }
    return !test_cell(self, rays, i);
}

static void cross_pass(Batch* self)
{
    AbutRays* rays = &self->crossing;
    abut_cast_kernels()->cross(&self->ray_field, rays, self->verdicts, self->far);
    if (self->crossings)
    {
        test_cells(self, rays);
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
            gone = resolve_stuck(self, rays, i);
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

void abut_cast_field_batch(const AbutCastField* field, AbutSegments segments, size_t count, AbutCastHits out)
{
    ABUT_ASSERT(field->field->octree.leaves != NULL);
    static const AbutRays none = { .count = 0 };
    Batch self = { .field = field, .segments = segments, .out = out, .count = count };
    self.ray_field = make_ray_field(field);
    bool signs_are_certain = !field->sparse || field->coarse_slack <= field->slack;
    self.crosses = field->format != ABUT_FIELD_FIRST_ORDER && signs_are_certain;
    if (self.crosses && fabs(field->iso) < MAX_LOWER_PLANE_ISO)
    {
        self.ray_field.lower_planes = (const uint32_t*)(const void*)field->field->lower_planes;
    }
    self.crossings = self.crosses && field->format == ABUT_FIELD_F32;
    self.crossing_field = make_crossing_field(field);
    self.stepping = self.crossing = none;
    while (self.next < count || self.stepping.count + self.crossing.count > 0)
    {
        if (self.next < count && self.stepping.count + self.crossing.count <= ABUT_RAYS - FRESH)
        {
            begin_pass(&self);
        }
        if (self.stepping.count > 0)
        {
            step_pass(&self);
        }
        if (self.crossing.count >= FEW || self.stepping.count == 0)
        {
            cross_pass(&self);
        }
    }
}
