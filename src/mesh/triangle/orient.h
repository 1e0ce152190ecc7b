/// @file orient.h
/// On which side of a line or plane a point lies: exact for all finite coordinates.
///
/// Decisions about meshes are made of these signs alone, so that they never contradict each other: a point
/// that is on a plane is on it whatever the order of the corners. A double evaluation with an error bound
/// settles almost every call; the rest is summed without rounding.
#ifndef ABUT_MESH_TRIANGLE_ORIENT_H
#define ABUT_MESH_TRIANGLE_ORIENT_H

#include <abut/math.h>

#include "math/dvec3.h"

/// The sign (−1, 0, 1) of the component `axis` of (b − a) × (c − a): 1 when a, b, c turn counter-clockwise
/// seen against that axis, 0 when they are in line in that view.
int abut_orient_2d(AbutVec3 a, AbutVec3 b, AbutVec3 c, int axis);

/// The sign of ((b − a) × (c − a)) · (d − a): 1 when d is on the side from which a, b, c turn
/// counter-clockwise, 0 when the four points are in one plane.
int abut_orient_3d(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 d);

/// (b − a) × (c − a) with every component within 2⁻⁵² of itself: the direction is right for slivers, too.
AbutDVec3 abut_orient_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c);

/// The sign of direction · (b − a), exact. Components of the direction under 2⁻⁵⁰⁰ count as zero; none is
/// over 2⁵⁰⁰.
int abut_orient_along(AbutDVec3 direction, AbutVec3 a, AbutVec3 b);

#endif
