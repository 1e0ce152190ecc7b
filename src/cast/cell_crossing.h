/// @file cell_crossing.h
/// The test of one cell of a walk: the intervals of the line in it with f ≤ σ.
#ifndef ABUT_CAST_CELL_CROSSING_H
#define ABUT_CAST_CELL_CROSSING_H

#include "cast/grid_walk.h"

/// Receives the intervals of the line with f ≤ σ, in order; returns false to end the search.
typedef struct AbutCastVisitor
{
    bool (*visit)(void* user, double begin, double end);
    void* user;
    bool first_only; // only the begin of the first interval matters
} AbutCastVisitor;

/// Tests the walk's cell, which is in the grid; false when the visitor ended the search.
bool abut_cast_test_cell(const AbutCastWalk* walk, const AbutCastVisitor* visitor);

/// The same for cells outside of the grid.
bool abut_cast_test_outside(const AbutCastWalk* walk, const AbutCastVisitor* visitor);

#endif
