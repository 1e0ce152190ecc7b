/// @file heightfield_closest.h
/// Closest points of a height field.
#ifndef ABUT_SHAPE_HEIGHTFIELD_CLOSEST_H
#define ABUT_SHAPE_HEIGHTFIELD_CLOSEST_H

#include "shape/heightfield.h"

/// Height of the surface in the column nearest to (x, z).
double abut_heightfield_column(const AbutHeightfield* self, double x, double z);

/// Searches a point of the surface nearer to p than `limit`; false when there is none.
bool abut_heightfield_closest(const AbutHeightfield* self, const double p[3], double limit,
                              AbutHeightClosest* nearest);

#endif
