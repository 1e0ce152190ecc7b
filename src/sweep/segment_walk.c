// From cell to cell along a line: a three-dimensional DDA whose next cell follows from the times of grid planes alone, so that a
// walk that starts anywhere on the line goes through the same cells as one from its beginning.
#include "sweep/segment.h"

#include "field/brick_nodes.h"

#include <math.h>

/// Less than this in cells is no movement.
static const double STILL = 1e-12;

/// Places in float are off by a few of its steps, counted from the origin of the grid.
static const double PLACE_ROUNDING = 0x1p-22;

/// A line that begins or ends far away has no better places than this part of the way.
static const double FAR_ROUNDING = 0x1p-48;

/// From a place in a cell to its corners, in sides, weighted as the corners are: at most √3 / 2.
static const double HALF_DIAGONAL = 0.8660254037844387;

/// Lower bound of the field on the faces of its grid, in cells: nodes there are as far from the solid as its box.
static double outside_bound(const AbutSegmentField* self)
{
    const AbutFieldHeader* h = self->field->block;
    if (!self->certain || self->format == ABUT_FIELD_FIRST_ORDER || !isfinite(h->source_slope))
    {
        return -INFINITY;
    }
    double gap = INFINITY;
    for (int axis = 0; axis < 3; ++axis)
    {
        double end = h->origin[axis] + h->cell_size * self->cells[axis];
        gap = fmin(gap, fmin((double)h->solid[axis] - h->origin[axis], end - (double)h->solid[axis + 3]));
    }
    double unit = self->sparse ? ABUT_BRICK_CELLS : 1.0;
    double value = gap / h->cell_size;
    // Written so that a gap that is no number proves nothing.
    return value > 0.0 ? value - unit * abut_field_value_error(h, value / unit, h->cell_size * unit) - 1e-3
                       : -INFINITY;
}

AbutSegmentField abut_segment_field(const AbutShape* shape, float iso)
{
    const AbutField* field = abut_field_of(shape);
    const AbutFieldHeader* h = field->block;
    AbutSegmentField self = {
        .field = field,
        .format = (AbutFieldFormat)h->format,
        .sparse = h->sparse != 0,
        .per_length = (double)field->view.inverse_cell_size,
        .iso = h->format == ABUT_FIELD_F32 ? (double)iso * (double)field->view.inverse_cell_size
                                           : (double)iso / (double)field->view.cell_size,
        .steep = fmax(1.0, (double)h->slope),
        .certain = isfinite(abut_field_root_bounds(field->block).error),
    };
    int32_t most = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        self.origin[axis] = (double)field->view.origin_high[axis] + (double)field->view.origin_low[axis];
        self.cells[axis] = (int32_t)field->view.cell_count[axis];
        most = self.cells[axis] > most ? self.cells[axis] : most;
    }
    self.rounding = PLACE_ROUNDING * most;
    // Order 1 adds up to the whole gradient at thin nodes, whose parts are within [−1, 1].
    double per_cell = HALF_DIAGONAL * (self.format == ABUT_FIELD_FIRST_ORDER ? 1.0 + sqrt(3.0) : 1.0);
    double error = abut_field_value_error(h, 2.0 * most, h->cell_size);
    self.slack = per_cell * fmax(1.0, (double)h->source_slope) + error;
    // Where the coarse level stands in, the surface does not pass (bake/build_sparse.c), and the corners of a brick are all
    // on the side that the distance is on anywhere in it.
    bool signs_hold = self.format != ABUT_FIELD_FIRST_ORDER && iso <= 0.0f && h->source_slope <= 1.0f;
    self.coarse_slack = self.sparse && !signs_hold ? self.slack * ABUT_BRICK_CELLS : self.slack;
    // Beyond the surface nothing is proved where signs are in doubt, the source is steep or the coarse level stands in.
    bool holds_beyond = self.certain && h->source_slope <= 1.0f && !self.sparse;
    self.center_iso = holds_beyond ? self.iso : fmax(self.iso, -self.slack);
    self.center_iso /= self.iso > 0.0 ? fmin(1.0, (double)h->source_slope) : 1.0;
    self.outside = outside_bound(&self);
    return self;
}

double abut_segment_margin(const AbutSegmentField* field, double rounding, double size)
{
    return 64.0 * rounding * field->steep + 0x1p-19 * (fabs(size) + fabs(field->iso));
}

AbutSegmentLine abut_segment_line(const AbutSegmentField* field, AbutVec3 from, AbutVec3 to)
{
    const double ends[2][3] = { { from.x, from.y, from.z }, { to.x, to.y, to.z } };
    AbutSegmentLine line;
    double squared = 0.0, far = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        line.from[axis] = (ends[0][axis] - field->origin[axis]) * field->per_length;
        line.way[axis] = (ends[1][axis] - ends[0][axis]) * field->per_length;
        line.still[axis] = fabs(line.way[axis]) < STILL;
        line.inverse[axis] = line.still[axis] ? 0.0 : 1.0 / line.way[axis];
        squared += line.way[axis] * line.way[axis];
        far += fabs(line.from[axis]) + fabs(line.way[axis]);
    }
    line.length = sqrt(squared);
    line.rounding = field->rounding + FAR_ROUNDING * far;
    return line;
}

// ---------------------------------------------------------------------------------------------------------------------
// Cells
// ---------------------------------------------------------------------------------------------------------------------

/// When the line comes into the cells [first, end) of an axis, and when it leaves them; cells −1 and beyond the last have no
/// plane on one side.
static double enter_time(const AbutSegmentWalk* walk, int axis, int32_t first, int32_t end)
{
    const AbutSegmentLine* line = &walk->line;
    bool forward = line->way[axis] > 0.0;
    int32_t plane = forward ? first : end;
    if (line->still[axis] || plane < 0 || plane > walk->field->cells[axis])
    {
        return -INFINITY;
    }
    return abut_segment_plane_time(line, axis, plane);
}

static double exit_time(const AbutSegmentWalk* walk, int axis, int32_t first, int32_t end)
{
    const AbutSegmentLine* line = &walk->line;
    bool forward = line->way[axis] > 0.0;
    int32_t plane = forward ? end : first;
    if (line->still[axis] || plane < 0 || plane > walk->field->cells[axis])
    {
        return INFINITY;
    }
    return abut_segment_plane_time(line, axis, plane);
}

/// The cell of an axis at a time, by the times of its planes.
static int32_t cell_at(const AbutSegmentWalk* walk, int axis, double time)
{
    const int32_t count = walk->field->cells[axis];
    double place = floor(abut_segment_place(&walk->line, axis, time));
    int32_t cell = (int32_t)(place < -1.0 ? -1.0 : (place < count ? place : count));
    if (walk->line.still[axis])
    {
        // The far face belongs to the last cell, as in samples.
        return walk->line.from[axis] == (double)count ? count - 1 : cell;
    }
    const int32_t step = walk->line.way[axis] > 0.0 ? 1 : -1;
    while (exit_time(walk, axis, cell, cell + 1) <= time)
    {
        cell += step;
    }
    while (enter_time(walk, axis, cell, cell + 1) > time)
    {
        cell -= step;
    }
    return cell;
}

static bool is_within(const AbutSegmentWalk* walk, int axis)
{
    return walk->cell[axis] >= 0 && walk->cell[axis] < walk->field->cells[axis];
}

/// Finds the brick, makes the cell as large as the field has it, and the times of the line in it.
static void settle(AbutSegmentWalk* walk)
{
    const AbutFieldView* view = &walk->field->field->view;
    uint32_t brick[3];
    walk->outside = false;
    for (int axis = 0; axis < 3; ++axis)
    {
        int32_t last = walk->field->cells[axis] - 1, cell = walk->cell[axis];
        brick[axis] = (uint32_t)(cell < 0 ? 0 : (cell > last ? last : cell)) / ABUT_BRICK_CELLS;
        walk->outside = walk->outside || !is_within(walk, axis);
    }
    walk->slot = brick[2] * view->brick_slab + brick[1] * view->brick_row + brick[0];
    walk->slot = view->slots != NULL ? view->slots[walk->slot] : walk->slot;
    walk->size = walk->slot == ABUT_FIELD_NO_SLOT ? ABUT_BRICK_CELLS : 1;
    walk->enter = 0.0;
    walk->exit = 1.0;
    walk->exit_axis = -1;
    for (int axis = 0; axis < 3; ++axis)
    {
        int32_t size = is_within(walk, axis) ? walk->size : 1;
        walk->cell[axis] = size > 1 ? walk->cell[axis] & ~7 : walk->cell[axis];
        double enter = enter_time(walk, axis, walk->cell[axis], walk->cell[axis] + size);
        double exit = exit_time(walk, axis, walk->cell[axis], walk->cell[axis] + size);
        walk->enter = enter > walk->enter ? enter : walk->enter;
        if (exit < walk->exit)
        {
            walk->exit = exit;
            walk->exit_axis = axis;
        }
    }
}

void abut_segment_walk_to(AbutSegmentWalk* walk, double time)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        walk->cell[axis] = cell_at(walk, axis, time);
    }
    settle(walk);
}

bool abut_segment_walk_next(AbutSegmentWalk* walk)
{
    const int axis = walk->exit_axis;
    if (axis < 0)
    {
        return false;
    }
    const int32_t size = is_within(walk, axis) ? walk->size : 1, coarse = walk->size > 1;
    walk->cell[axis] += walk->line.way[axis] > 0.0 ? size : -1;
    for (int other = 0; other < 3 && coarse; ++other)
    {
        // Where fine cells follow a coarse one, the line is in one of those beside it.
        if (other != axis && is_within(walk, other))
        {
            int32_t first = walk->cell[other], cell = cell_at(walk, other, walk->exit);
            int32_t last = first + ABUT_BRICK_CELLS - 1;
            walk->cell[other] = cell < first ? first : (cell > last ? last : cell);
        }
    }
    settle(walk);
    return true;
}

double abut_segment_box_exit(const AbutSegmentWalk* walk, const int32_t first[3], int32_t size)
{
    double exit = 1.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        int32_t end = first[axis] + size, last = walk->field->cells[axis];
        double time = exit_time(walk, axis, first[axis], end < last ? end : last);
        exit = time < exit ? time : exit;
    }
    return exit;
}

double abut_segment_grid_enter(const AbutSegmentWalk* walk)
{
    double enter = -INFINITY, exit = INFINITY;
    for (int axis = 0; axis < 3; ++axis)
    {
        const int32_t count = walk->field->cells[axis];
        if (walk->line.still[axis])
        {
            bool beside = walk->line.from[axis] < 0.0 || walk->line.from[axis] > (double)count;
            exit = beside ? -INFINITY : exit;
            continue;
        }
        enter = fmax(enter, enter_time(walk, axis, 0, count));
        exit = fmin(exit, exit_time(walk, axis, 0, count));
    }
    return enter > walk->enter && enter <= exit && enter < 1.0 ? enter : 1.0;
}
