/// @file grid.h
/// Distances of a whole grid.
#ifndef ABUT_BAKE_DISTANCE_GRID_H
#define ABUT_BAKE_DISTANCE_GRID_H

#include "bake/distance/distance.h"

/// Distances of a grid of any size, on all workers. `nearest` may be NULL. Same bytes for any worker count.
AbutResult abut_distance_grid(const AbutTriangleGroups* groups, const AbutNodeGrid* grid,
                              const AbutHost* host, float* squared, uint32_t* nearest);

#endif
