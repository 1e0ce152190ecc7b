/// @file cover.h
/// Balls inside of a solid that cover the cells of its surface.
///
/// A ball of center c and radius R belongs to a point hull of error e when c is in the solid or, for small
/// balls on the surface, near it, and the ball sticks out of the solid by at most e: R ≤ ρ(c) + e, with ρ the
/// proved depth of c. It covers a cell of middle m and half-diagonal h when |m − c| + h ≤ R + e: then every
/// point of the cell, and with it every point of the surface in it, is within e of the ball.
#ifndef ABUT_POINTS_HULL_COVER_H
#define ABUT_POINTS_HULL_COVER_H

#include "points/hull/cells.h"

typedef struct AbutHullBall
{
    AbutVec3 center;
    float radius;
} AbutHullBall;

typedef struct AbutHullCover
{
    AbutHullBall* balls;
    uint32_t count;
    float error;        // proved: of every point of the surface from the balls, and of the balls beyond it
    uint32_t uncovered; // cells without a ball within the error that was asked for
} AbutHullCover;

typedef struct AbutHullCoverDef
{
    double error;
    bool one_radius;
} AbutHullCoverDef;

/// @return ABUT_OUT_OF_MEMORY.
AbutResult abut_hull_cover(const AbutHullCoverDef* def, const AbutHullCells* cells, AbutArena* arena,
                           AbutHullCover* out);

#endif
