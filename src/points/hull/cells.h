/// @file cells.h
/// The surface of a shape as cells of a regular grid: every point of the surface is in one of them.
///
/// An octree over the bounds of the shape is divided level by level. A cell of half-diagonal h is dropped
/// when the distance at its middle proves that the surface is further away than h. No feature of the surface
/// is missed, however small: nothing is assumed between samples but the promises of the shape.
#ifndef ABUT_POINTS_HULL_CELLS_H
#define ABUT_POINTS_HULL_CELLS_H

#include <abut/shape.h>

#include "base/arena.h"

/// Bounds of the true distance d from a sample f of a shape: |d| ≥ (|f| − error) / slope, and where the shape
/// is exact, |d| ≤ |f| + error.
typedef struct AbutHullPromise
{
    double error; // of samples, rounding included
    double slope; // 1 where distances are exact on that side
    bool exact_outside;
} AbutHullPromise;

/// A range of cells that make up one cube of the octree.
typedef struct AbutHullNode
{
    float center[3];
    float radius; // half-diagonal
    uint32_t first, count;
    uint32_t first_child,
        child_count; // neighbours in the array; none for a node of one level above the cells
} AbutHullNode;

/// Middles of cells with samples there, in Morton order.
typedef struct AbutHullCells
{
    const AbutShape* shape;
    const AbutHost* host;
    AbutHullPromise promise;
    AbutVec3 corner; // of the octree
    double edge;     // of a cell
    double radius;   // half-diagonal of a cell
    int levels;
    uint32_t count;
    uint64_t* keys;
    float *x, *y, *z;
    AbutSamples samples;
    AbutHullNode* nodes;
    uint32_t node_count;
} AbutHullCells;

/// The promise of a shape for points within its bounds, `edge` wider.
AbutHullPromise abut_hull_promise(const AbutShape* shape);

/// Cells with a half-diagonal of at most `radius`.
/// @return ABUT_LIMIT_EXCEEDED for more than `limit` cells, ABUT_OUT_OF_MEMORY.
AbutResult abut_hull_cells_build(const AbutShape* shape, double radius, uint32_t limit, AbutArena* arena,
                                 AbutHullCells* out);

#endif
