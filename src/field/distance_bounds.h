/// @file distance_bounds.h
/// Bounds of the distance over a box, from the pyramid.
#ifndef ABUT_FIELD_DISTANCE_BOUNDS_H
#define ABUT_FIELD_DISTANCE_BOUNDS_H

#include "field/nodes/format.h"

/// Bounds over the intersection of the grid with a finite box, or over the nearest point of the grid.
AbutFieldBounds abut_field_bounds_over(void* block, AbutBox box);

/// A lower bound of the true distance at a point of the field's frame: that of abut_field_point_bounds(), or
/// a looser one in a tenth of its time where the surface is smooth.
double abut_field_distance_low(const AbutShape* field, AbutVec3 point);

#endif
