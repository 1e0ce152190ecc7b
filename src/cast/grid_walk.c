// A three-dimensional DDA whose next cell follows from the times of grid planes alone, so that a walk from
// any time on the line visits the same cells as one from its beginning.
#include "cast/grid_walk.h"

#include "base/assert.h"
#include "field/bounds/pyramid.h"

#include "cast/crossing_kernels.h"
#include "field/nodes/brick_nodes.h"

#include <math.h>

/// Displacements below this, in cells, count as none.
static const double STILL = ABUT_CAST_MIN_DISPLACEMENT;

/// Time per cell along an axis without movement.
static const double NEVER = 1e300;

/// Rounding of positions in float, relative to the size of the grid.
static const double POSITION_ROUNDING = 0x1p-22;

/// Rounding of positions on a line that begins or ends far away, relative to the distance.
static const double FAR_ROUNDING = ABUT_CAST_POSITION_ROUNDING;

/// Mean distance from a point in a cell to its corners, in sides, with the weights of the interpolation: at
/// most √3 / 2.
static const double HALF_DIAGONAL = 0.8660254037844387;

/// Lower bound of the field on the faces of its grid, in cells: the distance of the faces from the box of the
/// solid.
static double outside_bound(const AbutCastField* self)
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
    // NaN proves nothing.
    return value > 0.0 ? value - unit * abut_field_value_error(h, value / unit, h->cell_size * unit) - 1e-3
                       : -INFINITY;
}

AbutCastField abut_cast_field(const AbutShape* shape, float iso)
{
    const AbutField* field = abut_field_of(shape);
    const AbutFieldHeader* h = field->block;
    AbutCastField self = {
        .field = field,
        .format = (AbutFieldFormat)h->format,
        .sparse = h->sparse != 0,
        .per_length = (double)field->view.inverse_cell_size,
        .iso = h->format == ABUT_FIELD_F32 ? (double)iso * (double)field->view.inverse_cell_size
                                           : (double)iso / (double)field->view.cell_size,
        .slope_bound = fmax(1.0, (double)h->slope),
        .certain = isfinite(abut_field_root_bounds(field->block).error),
    };
    int32_t most = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        self.origin[axis] = (double)field->view.origin_high[axis] + (double)field->view.origin_low[axis];
        self.cells[axis] = (int32_t)field->view.cell_count[axis];
        most = self.cells[axis] > most ? self.cells[axis] : most;
    }
    self.rounding = POSITION_ROUNDING * most;
    // Where signs are in doubt the field may jump, and the proof must cover all corners of a cell.
    double per_cell = self.certain ? HALF_DIAGONAL : 2.0 * HALF_DIAGONAL;
    // Order 1 adds up to the whole gradient at thin nodes, with components within [−1, 1].
    per_cell += self.format == ABUT_FIELD_FIRST_ORDER ? HALF_DIAGONAL * sqrt(3.0) : 0.0;
    double error = abut_field_value_error(h, 2.0 * most, h->cell_size);
    self.slack = per_cell * fmax(1.0, (double)h->source_slope) + error;
    // A brick of the coarse level has no surface in it (bake/build/sparse.c), so its corners are on one side,
    // as is the distance everywhere in it.
    bool signs_are_certain =
        self.certain && self.format != ABUT_FIELD_FIRST_ORDER && iso <= 0.0f && h->source_slope <= 1.0f;
    self.coarse_slack = self.sparse && !signs_are_certain ? self.slack * ABUT_BRICK_CELLS : self.slack;
    // Inside the solid nothing is proved where signs are in doubt, the source is steep or the coarse level is
    // used.
    bool is_proved_beyond = self.certain && h->source_slope <= 1.0f && !self.sparse;
    self.center_iso = is_proved_beyond ? self.iso : fmax(self.iso, -self.slack);
    self.center_iso /= self.iso > 0.0 ? fmin(1.0, (double)h->source_slope) : 1.0;
    self.outside = outside_bound(&self);
    return self;
}

double abut_cast_margin(const AbutCastField* field, double rounding, double size)
{
    // More than the test of a cell adds to σ (cell_crossing.c): the slopes of a cell and of gradients.
    double slopes = field->format == ABUT_FIELD_FIRST_ORDER ? 64.0 : 16.0;
    return slopes * rounding * field->slope_bound + 0x1p-19 * (fabs(size) + fabs(field->iso));
}

void abut_cast_line_init(const AbutCastField* field, AbutVec3 from, AbutVec3 to, AbutCastLine* line)
{
    const double ends[2][3] = { { from.x, from.y, from.z }, { to.x, to.y, to.z } };
    double squared = 0.0, far = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double start = (ends[0][axis] - field->origin[axis]) * field->per_length;
        double displacement = (ends[1][axis] - ends[0][axis]) * field->per_length;
        bool still = fabs(displacement) < STILL;
        // The far face belongs to the last cell, as in samples.
        double count = field->cells[axis];
        line->from[axis] = still && start == count ? nextafter(count, 0.0) : start;
        line->displacement[axis] = still ? 0.0 : displacement;
        line->inverse[axis] = still ? NEVER : 1.0 / displacement;
        squared += displacement * displacement;
        far += fabs(start) + fabs(displacement);
    }
    line->length = sqrt(squared);
    line->rounding = field->rounding + FAR_ROUNDING * far;
}

// -----------------------------------------------------------------------------------------------------------
// Cells
// -----------------------------------------------------------------------------------------------------------

/// Times at which the line enters and leaves the cells [first, end) of an axis; cells −1 and cell_count have
/// no plane on one side.
static double enter_time(const AbutCastWalk* walk, int axis, int32_t first, int32_t end)
{
    int32_t plane = walk->line.inverse[axis] > 0.0 ? first : end;
    bool exists = plane >= 0 && plane <= walk->field->cells[axis];
    return exists ? abut_cast_plane_time(&walk->line, axis, plane) : -INFINITY;
}

static double exit_time(const AbutCastWalk* walk, int axis, int32_t first, int32_t end)
{
    int32_t plane = walk->line.inverse[axis] > 0.0 ? end : first;
    bool exists = plane >= 0 && plane <= walk->field->cells[axis];
    return exists ? abut_cast_plane_time(&walk->line, axis, plane) : INFINITY;
}

/// The cell of an axis at a time, by the times of its planes.
static int32_t cell_at(const AbutCastWalk* walk, int axis, double time)
{
    const int32_t count = walk->field->cells[axis];
    double position = abut_cast_position(&walk->line, axis, time);
    int32_t cell = position < 0.0 ? -1 : (int32_t)(position < count ? position : count);
    const int32_t step = walk->line.inverse[axis] > 0.0 ? 1 : -1;
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

static bool is_within(const AbutCastWalk* walk, int axis)
{
    return walk->cell[axis] >= 0 && walk->cell[axis] < walk->field->cells[axis];
}

static void find_slot(AbutCastWalk* walk, const uint32_t brick[3])
{
    const AbutFieldView* view = &walk->field->field->view;
    uint32_t slot = brick[2] * view->brick_slab + brick[1] * view->brick_row + brick[0];
    ABUT_ASSERT(brick[0] < view->brick_row && (uint64_t)brick[1] * view->brick_row < view->brick_slab);
    walk->slot = view->slots != NULL ? view->slots[slot] : slot;
    walk->size = walk->slot == ABUT_FIELD_NO_SLOT ? ABUT_BRICK_CELLS : 1;
}

/// Sets the size of the cell, which is within the grid, and the times of the line in it. False when the line
/// is not in the cell at `time`.
static bool correct_within(AbutCastWalk* walk, double time)
{
    const uint32_t brick[3] = { (uint32_t)walk->cell[0] / 8, (uint32_t)walk->cell[1] / 8,
                                (uint32_t)walk->cell[2] / 8 };
    find_slot(walk, brick);
    const int32_t size = walk->size;
    double enter = 0.0, exit = 1.0;
    int exit_axis = -1;
    bool is_proved = true;
    for (int axis = 0; axis < 3; ++axis)
    {
        int32_t cell = walk->cell[axis] & -size;
        double a = abut_cast_plane_time(&walk->line, axis, cell);
        double b = abut_cast_plane_time(&walk->line, axis, cell + size);
        double first = a < b ? a : b, last = a < b ? b : a;
        walk->cell[axis] = cell;
        is_proved = is_proved && first <= time && time < last;
        enter = first > enter ? first : enter;
        exit_axis = last < exit ? axis : exit_axis;
        exit = last < exit ? last : exit;
    }
    walk->outside = false;
    walk->enter = enter;
    walk->exit = exit;
    walk->exit_axis = exit_axis;
    return is_proved;
}

/// The same for any cell.
static void correct_cell(AbutCastWalk* walk)
{
    uint32_t brick[3];
    walk->outside = false;
    for (int axis = 0; axis < 3; ++axis)
    {
        int32_t last = walk->field->cells[axis] - 1, cell = walk->cell[axis];
        brick[axis] = (uint32_t)(cell < 0 ? 0 : (cell > last ? last : cell)) / ABUT_BRICK_CELLS;
        walk->outside = walk->outside || !is_within(walk, axis);
    }
    if (!walk->outside)
    {
        correct_within(walk, 0.0);
        return;
    }
    find_slot(walk, brick);
    walk->enter = 0.0;
    walk->exit = 1.0;
    walk->exit_axis = -1;
    for (int axis = 0; axis < 3; ++axis)
    {
        int32_t size = is_within(walk, axis) ? walk->size : 1;
        walk->cell[axis] = size > 1 ? walk->cell[axis] & -size : walk->cell[axis];
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

/// The cell at the rounded position, which is the right one in most cases.
static bool guess_cell(AbutCastWalk* walk, double time)
{
    bool within = true;
    for (int axis = 0; axis < 3; ++axis)
    {
        double position = abut_cast_position(&walk->line, axis, time);
        bool here = position >= 0.0 && position < walk->field->cells[axis];
        walk->cell[axis] = (int32_t)(here ? position : 0.0);
        within = within && here;
    }
    return within && correct_within(walk, time);
}

void abut_cast_walk_to(AbutCastWalk* walk, double time)
{
    if (guess_cell(walk, time))
    {
        return;
    }
    walk->cell[0] = cell_at(walk, 0, time);
    walk->cell[1] = cell_at(walk, 1, time);
    walk->cell[2] = cell_at(walk, 2, time);
    correct_cell(walk);
}

bool abut_cast_walk_next(AbutCastWalk* walk)
{
    const int axis = walk->exit_axis;
    ABUT_ASSERT(axis < 3);
    if (axis < 0)
    {
        return false;
    }
    const int32_t size = is_within(walk, axis) ? walk->size : 1, coarse = walk->size > 1;
    walk->cell[axis] += walk->line.inverse[axis] > 0.0 ? size : -1;
    for (int other = 0; other < 3 && coarse; ++other)
    {
        // Where fine cells follow a coarse one, the line is in one of those at its face.
        if (other != axis && is_within(walk, other))
        {
            int32_t first = walk->cell[other], cell = cell_at(walk, other, walk->exit);
            int32_t last = first + ABUT_BRICK_CELLS - 1;
            walk->cell[other] = cell < first ? first : (cell > last ? last : cell);
        }
    }
    correct_cell(walk);
    return true;
}

double abut_cast_box_exit(const AbutCastWalk* walk, const int32_t first[3], int32_t size)
{
    ABUT_ASSERT(size > 0 && !walk->outside);
    double exit = 1.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        int32_t end = first[axis] + size, last = walk->field->cells[axis];
        double time = exit_time(walk, axis, first[axis], end < last ? end : last);
        exit = time < exit ? time : exit;
    }
    return exit;
}

double abut_cast_grid_enter(const AbutCastWalk* walk)
{
    double enter = -INFINITY, exit = INFINITY;
    for (int axis = 0; axis < 3; ++axis)
    {
        const int32_t count = walk->field->cells[axis];
        enter = fmax(enter, enter_time(walk, axis, 0, count));
        exit = fmin(exit, exit_time(walk, axis, 0, count));
    }
    return enter > walk->enter && enter <= exit && enter < 1.0 ? enter : 1.0;
}
