/// @file grid_walk.h
/// The walk of a segment through a field from cell to cell.
///
/// Numbers are in double and lengths in cells; positions are relative to the first node. Beyond the grid the
/// walk goes through infinite cells (index −1 or cell_count along an axis) with the field's extrapolation
/// outside of its grid.
#ifndef ABUT_CAST_GRID_WALK_H
#define ABUT_CAST_GRID_WALK_H

#include "field/field.h"

/// A field and its isovalue σ, prepared once for many segments.
typedef struct AbutCastField
{
    const AbutField* field;
    AbutFieldFormat format;
    bool sparse;
    double origin[3];
    double per_length; // cells per unit of length
    int32_t cells[3];
    double iso;         // σ, in cells
    double rounding;    // in cells: error of the positions of samples
    double slope_bound; // at least 1, and at least the slope of the interpolant
    // A proved distance c at a point m implies that the field is over c − |x − m| − slack at x.
    double slack;        // in stored cells
    double coarse_slack; // wherever the coarse level may replace a brick; equal to slack for a dense field
    double center_iso;   // lower bound of c − |x − m| − slack that proves a field over σ
    bool certain;        // no sign is in doubt anywhere
    double outside;      // lower bound of the field outside of the grid; −∞ when nothing is known
} AbutCastField;

AbutCastField abut_cast_field(const AbutShape* shape, float iso);

/// Margin from σ of a bound that proves the result of a cell's test, which errs to the side of a crossing.
double abut_cast_margin(const AbutCastField* field, double rounding, double size);

typedef struct AbutCastLine
{
    double from[3], displacement[3];
    double inverse[3]; // 1 / displacement; very large along an axis without movement
    double length;
    double rounding; // at least that of the field; more for a line from far away
} AbutCastLine;

void abut_cast_line_init(const AbutCastField* field, AbutVec3 from, AbutVec3 to, AbutCastLine* line);

static inline double abut_cast_position(const AbutCastLine* line, int axis, double time)
{
    return line->from[axis] + time * line->displacement[axis];
}

/// Time at which the line passes the grid plane of index `plane`; practically infinite along an axis without
/// movement.
static inline double abut_cast_plane_time(const AbutCastLine* line, int axis, int32_t plane)
{
    return ((double)plane - line->from[axis]) * line->inverse[axis];
}

/// The present cell of a line.
typedef struct AbutCastWalk
{
    const AbutCastField* field;
    AbutCastLine line;
    int32_t cell[3];    // −1 and cell_count: beyond the grid
    int32_t size;       // 1, or 8 where the coarse level replaces a brick; along axes within the grid
    uint32_t slot;      // of the brick; ABUT_FIELD_NO_SLOT for a coarse cell. Dense: index of the brick.
    bool outside;       // beyond the grid along some axis
    double enter, exit; // within [0, 1]; enter ≥ exit where the line only grazes the cell
    int exit_axis;      // −1 when the line ends in the cell
} AbutCastWalk;

/// Moves to the cell of the line at `time`.
void abut_cast_walk_to(AbutCastWalk* walk, double time);

/// Moves to the next cell; false at the end of the line.
bool abut_cast_walk_next(AbutCastWalk* walk);

/// Exit time of the line, at most 1, from the part within the grid of a box of `size` cells per side with the
/// first cell `first`. The walk's cell is in the box.
double abut_cast_box_exit(const AbutCastWalk* walk, const int32_t first[3], int32_t size);

/// Time at which a line outside of the grid enters it; 1 when it does not.
double abut_cast_grid_enter(const AbutCastWalk* walk);

#endif
