/// @file distance_bounds.h
/// Bounds of the distance over a box, from the pyramid.
#ifndef ABUT_FIELD_DISTANCE_BOUNDS_H
#define ABUT_FIELD_DISTANCE_BOUNDS_H

#include "field/nodes/format.h"

/// Bounds over the intersection of the grid with a finite box, or over the nearest point of the grid.
AbutFieldBounds abut_field_bounds_over(void* block, AbutBox box);

#endif
