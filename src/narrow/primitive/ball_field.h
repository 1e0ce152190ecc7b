/// @file ball_field.h
/// The distance of a point from the surface of a field, from its octree.
#ifndef ABUT_NARROW_PRIMITIVE_BALL_FIELD_H
#define ABUT_NARROW_PRIMITIVE_BALL_FIELD_H

#include "search/octree_side.h"

/// Proved lower bound of the distance from a point outside of the solid to it, where that is over `limit`;
/// else some bound that is not, with *closest a point close to the surface that may be within the limit. All
/// in the frame and unit of the field; the unit of the octree is a cell.
double abut_ball_field_low(const AbutOctreeSide* side, AbutDVec3 point, double limit, AbutDVec3* closest);

#endif
