/// @file field_cast.h
/// A straight way through a field: what is asked, the walk from cell to cell, the test of one cell, and the ways to leave cells out.
///
/// The answer is put together from cells. The test of a cell depends on the cell and the segment alone, and on nothing that
/// happened before: not on the method, not on how the walk got there. Methods only leave out cells of which they have proved
/// that the test would find nothing. That is why all of them give the same bytes.
///
/// Numbers are in double and lengths in cells, places are counted from the first node. Beyond the grid the walk goes on
/// through cells without end (number −1 or cell_count along an axis), in which the field is what it answers outside.
#ifndef ABUT_CAST_FIELD_CAST_H
#define ABUT_CAST_FIELD_CAST_H

#include <abut/cast.h>

#include "field/field.h"

/// What is asked of a field, made once for many segments.
typedef struct AbutCastField
{
    const AbutField* field;
    AbutFieldFormat format;
    bool sparse;
    double origin[3];
    double per_length; // cells
    int32_t cells[3];
    double iso;         // in cells
    double rounding;    // in cells: how far off the places are that samples are taken at
    double slope_bound; // at least 1, and at least the slope of the interpolant
    // A proved distance c at a place m says that the field is over c − |x − m| − slack at x.
    double slack;        // in cells that are stored
    double coarse_slack; // wherever the coarse level may stand in; the same as slack for a dense field
    double center_iso;   // what c − |x − m| − slack must be over to prove that the field is over σ
    bool certain;        // no sign is in doubt anywhere
    double outside; // the field is over this everywhere outside of the grid; −∞ when nothing is known
} AbutCastField;

AbutCastField abut_cast_field(const AbutShape* shape, float iso);

/// How far from σ a bound must be to prove something of a cell's test, which errs to the side of a touch.
double abut_cast_margin(const AbutCastField* field, double rounding, double size);

typedef struct AbutCastLine
{
    double from[3], displacement[3];
    double inverse[3]; // 1 / way; very large along an axis that it does not move along
    double length;
    double rounding; // at least that of the field; more for a line that comes from far away
} AbutCastLine;

void abut_cast_line_init(const AbutCastField* field, AbutVec3 from, AbutVec3 to, AbutCastLine* line);

static inline double abut_cast_position(const AbutCastLine* line, int axis, double time)
{
    return line->from[axis] + time * line->displacement[axis];
}

/// When the line goes through the plane at `plane` cells: never, in effect, where it does not move towards it.
static inline double abut_cast_plane_time(const AbutCastLine* line, int axis, int32_t plane)
{
    return ((double)plane - line->from[axis]) * line->inverse[axis];
}

// ---------------------------------------------------------------------------------------------------------------------
// The walk
// ---------------------------------------------------------------------------------------------------------------------

/// The cell that a line is in.
typedef struct AbutCastWalk
{
    const AbutCastField* field;
    AbutCastLine line;
    int32_t cell[3]; // −1 and cell_count: beyond the grid
    int32_t size;    // 1, or 8 where the coarse level stands for a brick; along axes within the grid
    uint32_t slot; // of the brick; ABUT_FIELD_NO_SLOT where the coarse level stands for it. Dense: the brick.
    bool outside;  // beyond the grid along some axis
    double enter, exit; // within [0, 1]; enter ≥ exit where the line does but touch the cell
    int exit_axis;      // −1 when the line ends in the cell
} AbutCastWalk;

/// Goes to the cell in which the line is at `time`.
void abut_cast_walk_to(AbutCastWalk* walk, double time);

/// Goes to the next cell; false where the line ends.
bool abut_cast_walk_next(AbutCastWalk* walk);

/// When the line leaves the box of `size` cells along a side that starts at `first`, which it is in, or the grid; at most 1.
double abut_cast_box_exit(const AbutCastWalk* walk, const int32_t first[3], int32_t size);

/// When a line that is outside of the grid comes to it; 1 when it does not.
double abut_cast_grid_enter(const AbutCastWalk* walk);

/// A part of the line of which a method has found something out without looking at its cells.
typedef struct AbutCastSkip
{
    double until;
    bool inside; // f ≤ σ all along; else f > σ
} AbutCastSkip;

/// Leaves out what begins in the cell of the walk; false when that cell must be looked at. Adds to `steps` what it read.
typedef bool AbutCastSkipFn(const AbutCastWalk* walk, double time, AbutCastSkip* skip, uint64_t* steps);

AbutCastSkipFn abut_cast_skip_none, abut_cast_skip_pyramid, abut_cast_skip_distance;

// ---------------------------------------------------------------------------------------------------------------------
// The test of a cell
// ---------------------------------------------------------------------------------------------------------------------

/// Takes parts of the line with f ≤ σ, in order; returns false to end the search.
typedef struct AbutCastVisitor
{
    bool (*visit)(void* user, double begin, double end);
    void* user;
    bool first_only; // only the begin of the first part is wanted
} AbutCastVisitor;

/// Hands the parts of the walk's cell to the taker; false when that ended the search.
bool abut_cast_test_cell(const AbutCastWalk* walk, const AbutCastVisitor* visitor);

/// The same for cells outside of the grid.
bool abut_cast_test_outside(const AbutCastWalk* walk, const AbutCastVisitor* visitor);

/// Follows the line from `time` to its end; false when the taker ended the search.
bool abut_cast_follow(AbutCastWalk* walk, AbutCastSkipFn* skip, double time, const AbutCastVisitor* visitor,
                      uint64_t* steps);

// ---------------------------------------------------------------------------------------------------------------------
// Many segments
// ---------------------------------------------------------------------------------------------------------------------

/// A walk along segment i; false where an end is not finite.
bool abut_cast_start(const AbutCastField* field, AbutSegments segments, size_t i, AbutCastWalk* walk);

/// Ends the search at the first part, and keeps when that begins.
AbutCastVisitor abut_cast_first_visitor(double* time);

/// Writes a hit, or a miss.
void abut_cast_store_hit(AbutCastHits out, size_t i, bool hit, double time);

/// The first touch of one segment; invalid where an end is not finite.
void abut_cast_first(const AbutCastField* field, AbutCastSkipFn* skip, AbutSegments segments, size_t i,
                     AbutCastHits out);

/// First touches by steps, as many at once as the processor has lanes. Fields with centers only.
void abut_cast_field_batch(const AbutCastField* field, AbutSegments segments, size_t count, AbutCastHits out);

// ---------------------------------------------------------------------------------------------------------------------
// Shapes that are no field
// ---------------------------------------------------------------------------------------------------------------------

/// First touches by steps of the slope bound, many segments at once.
void abut_cast_shape_batch(const AbutShape* shape, const AbutCastSettings* settings, AbutSegments segments,
                           size_t count, AbutCastHits out);

/// All parts with f ≤ σ of one segment. Returns the time that the budget lasted for.
double abut_cast_shape_intervals(const AbutShape* shape, const AbutCastSettings* settings, AbutVec3 from,
                                 AbutVec3 to, const AbutCastVisitor* visitor, uint64_t* samples);

#endif
