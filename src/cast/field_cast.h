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
typedef struct AbutSegmentField
{
    const AbutField* field;
    AbutFieldFormat format;
    bool sparse;
    double origin[3];
    double per_length; // cells
    int32_t cells[3];
    double iso;      // in cells
    double rounding; // in cells: how far off the places are that samples are taken at
    double steep;    // at least 1, and at least the slope of the interpolant
    // A proved distance c at a place m says that the field is over c − |x − m| − slack at x.
    double slack;        // in cells that are stored
    double coarse_slack; // wherever the coarse level may stand in; the same as slack for a dense field
    double center_iso;   // what c − |x − m| − slack must be over to prove that the field is over σ
    bool certain;        // no sign is in doubt anywhere
    double outside; // the field is over this everywhere outside of the grid; −∞ when nothing is known
} AbutSegmentField;

AbutSegmentField abut_segment_field(const AbutShape* shape, float iso);

/// How far from σ a bound must be to prove something of a cell's test, which errs to the side of a touch.
double abut_segment_margin(const AbutSegmentField* field, double rounding, double size);

typedef struct AbutSegmentLine
{
    double from[3], way[3];
    double inverse[3]; // 1 / way; very large along an axis that it does not move along
    double length;
    double rounding; // at least that of the field; more for a line that comes from far away
} AbutSegmentLine;

void abut_segment_line_init(const AbutSegmentField* field, AbutVec3 from, AbutVec3 to, AbutSegmentLine* line);

static inline double abut_segment_place(const AbutSegmentLine* line, int axis, double time)
{
    return line->from[axis] + time * line->way[axis];
}

/// When the line goes through the plane at `plane` cells: never, in effect, where it does not move towards it.
static inline double abut_segment_plane_time(const AbutSegmentLine* line, int axis, int32_t plane)
{
    return ((double)plane - line->from[axis]) * line->inverse[axis];
}

// ---------------------------------------------------------------------------------------------------------------------
// The walk
// ---------------------------------------------------------------------------------------------------------------------

/// The cell that a line is in.
typedef struct AbutSegmentWalk
{
    const AbutSegmentField* field;
    AbutSegmentLine line;
    int32_t cell[3]; // −1 and cell_count: beyond the grid
    int32_t size;    // 1, or 8 where the coarse level stands for a brick; along axes within the grid
    uint32_t slot; // of the brick; ABUT_FIELD_NO_SLOT where the coarse level stands for it. Dense: the brick.
    bool outside;  // beyond the grid along some axis
    double enter, exit; // within [0, 1]; enter ≥ exit where the line does but touch the cell
    int exit_axis;      // −1 when the line ends in the cell
} AbutSegmentWalk;

/// Goes to the cell in which the line is at `time`.
void abut_segment_walk_to(AbutSegmentWalk* walk, double time);

/// Goes to the next cell; false where the line ends.
bool abut_segment_walk_next(AbutSegmentWalk* walk);

/// When the line leaves the box of `size` cells along a side that starts at `first`, which it is in, or the grid; at most 1.
double abut_segment_box_exit(const AbutSegmentWalk* walk, const int32_t first[3], int32_t size);

/// When a line that is outside of the grid comes to it; 1 when it does not.
double abut_segment_grid_enter(const AbutSegmentWalk* walk);

/// A part of the line of which a method has found something out without looking at its cells.
typedef struct AbutSegmentSkip
{
    double until;
    bool inside; // f ≤ σ all along; else f > σ
} AbutSegmentSkip;

/// Leaves out what begins in the cell of the walk; false when that cell must be looked at. Adds to `steps` what it read.
typedef bool AbutSegmentSkipFn(const AbutSegmentWalk* walk, double time, AbutSegmentSkip* skip,
                               uint64_t* steps);

AbutSegmentSkipFn abut_segment_skip_cells, abut_segment_skip_pyramid, abut_segment_skip_steps;

// ---------------------------------------------------------------------------------------------------------------------
// The test of a cell
// ---------------------------------------------------------------------------------------------------------------------

/// Takes parts of the line with f ≤ σ, in order; returns false to end the search.
typedef struct AbutSegmentTaker
{
    bool (*take)(void* user, double begin, double end);
    void* user;
    bool first_only; // only the begin of the first part is wanted
} AbutSegmentTaker;

/// Hands the parts of the walk's cell to the taker; false when that ended the search.
bool abut_segment_test_cell(const AbutSegmentWalk* walk, const AbutSegmentTaker* taker);

/// The same for cells outside of the grid.
bool abut_segment_test_outside(const AbutSegmentWalk* walk, const AbutSegmentTaker* taker);

/// Follows the line from `time` to its end; false when the taker ended the search.
bool abut_segment_follow(AbutSegmentWalk* walk, AbutSegmentSkipFn* skip, double time,
                         const AbutSegmentTaker* taker, uint64_t* steps);

// ---------------------------------------------------------------------------------------------------------------------
// Many segments
// ---------------------------------------------------------------------------------------------------------------------

/// A walk along segment i; false where an end is not finite.
bool abut_segment_start(const AbutSegmentField* field, AbutSegments segments, size_t i,
                        AbutSegmentWalk* walk);

/// Ends the search at the first part, and keeps when that begins.
AbutSegmentTaker abut_segment_first_taker(double* time);

/// Writes a hit, or a miss.
void abut_segment_answer(AbutSegmentHits out, size_t i, bool hit, double time);

/// The first touch of one segment; invalid where an end is not finite.
void abut_segment_first(const AbutSegmentField* field, AbutSegmentSkipFn* skip, AbutSegments segments,
                        size_t i, AbutSegmentHits out);

/// First touches by steps, as many at once as the processor has lanes. Fields with centers only.
void abut_segments_run(const AbutSegmentField* field, AbutSegments segments, size_t count,
                       AbutSegmentHits out);

// ---------------------------------------------------------------------------------------------------------------------
// Shapes that are no field
// ---------------------------------------------------------------------------------------------------------------------

/// First touches by steps of the slope bound, many segments at once.
void abut_segments_step(const AbutShape* shape, const AbutSegmentSettings* settings, AbutSegments segments,
                        size_t count, AbutSegmentHits out);

/// All parts with f ≤ σ of one segment. Returns the time that the budget lasted for.
double abut_segment_step_all(const AbutShape* shape, const AbutSegmentSettings* settings, AbutVec3 from,
                             AbutVec3 to, const AbutSegmentTaker* taker, uint64_t* samples);

#endif
