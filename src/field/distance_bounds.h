/// @file distance_bounds.h
/// Bounds of the distance over a box, from the pyramid.
#ifndef ABUT_FIELD_DISTANCE_BOUNDS_H
#define ABUT_FIELD_DISTANCE_BOUNDS_H

#include "field/nodes/format.h"

/// Bounds over the part of the grid that is nearest to a finite box: that inside of it, or the border next to
/// it.
AbutFieldBounds abut_field_bounds_over(void* block, AbutBox box);

#endif
