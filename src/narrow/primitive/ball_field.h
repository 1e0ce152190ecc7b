/// @file ball_field.h
/// The distance of a point from the surface of a field, from its octree.
#ifndef ABUT_NARROW_PRIMITIVE_BALL_FIELD_H
#define ABUT_NARROW_PRIMITIVE_BALL_FIELD_H

#include "search/pair.h"

/// Proved lower bound of the distance from a point outside of the solid to it, where that is over `limit`;
/// else some bound that is not, with *closest a point close to the surface that may be within the limit. With
/// `expected`, about the distance, boxes beyond it are not looked at. All in the frame and unit of the field.
double abut_ball_field_low(const AbutPairSide* side, AbutDVec3 point, double limit, double expected,
                           AbutDVec3* closest);

#endif
