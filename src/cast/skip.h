/// @file skip.h
/// Methods that skip cells of a walk: an interval of the line with a proved side of σ, without a test of its
/// cells.
#ifndef ABUT_CAST_SKIP_H
#define ABUT_CAST_SKIP_H

#include "cast/grid_walk.h"

/// An interval of the line from the present time, with a proved side of σ.
typedef struct AbutCastSkip
{
    double until;
    bool inside; // f ≤ σ in the interval; else f > σ
} AbutCastSkip;

/// Skips an interval that begins in the cell of the walk; false when that cell must be tested. Adds the
/// number of bounds that were read to `steps`.
typedef bool AbutCastSkipFn(const AbutCastWalk* walk, double time, AbutCastSkip* skip, uint64_t* steps);

/// Skips nothing.
AbutCastSkipFn abut_cast_skip_none;

/// Boxes of bricks with pyramid bounds on one side of σ.
AbutCastSkipFn abut_cast_skip_pyramid;

/// Sphere tracing: the proved distance at the middle of a box of two cells, or of a brick, keeps a ball
/// around it free.
AbutCastSkipFn abut_cast_skip_distance;

#endif
