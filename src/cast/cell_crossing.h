/// @file cell_crossing.h
/// The nodes of the cell that a walk is in, and the field along the line in it.
#ifndef ABUT_CAST_CELL_CROSSING_H
#define ABUT_CAST_CELL_CROSSING_H

#include "cast/cell_cubic.h"
#include "cast/field_cast.h"

typedef struct AbutCastCell
{
    double value[8]; // at the corners, x fastest; in cells of the grid
    // Order 1, in cells of the grid.
    double gradient[3][8];
    double thin[8];
    bool any_thin;
    double error; // a touch is looked for this far over σ: what rounding may have done to places and values
} AbutCastCell;

/// @return false when it is clear from the nodes alone that the field is over σ all through the cell.
bool abut_cast_load_cell(const AbutCastWalk* walk, AbutCastCell* cell);

/// The field from one time to another, in cells; beyond the grid, where the grid is nearest.
AbutCastCurve abut_cast_cell_curve(const AbutCastWalk* walk, const AbutCastCell* cell, double begin,
                                   double end);

#endif
