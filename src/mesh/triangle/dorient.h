/// @file dorient.h
/// On which side of a line or plane a point lies, for coordinates in double: exact where every coordinate is
/// zero or has a magnitude in [2^-300, 2^300], where no product of three overflows or loses bits.
#ifndef ABUT_MESH_TRIANGLE_DORIENT_H
#define ABUT_MESH_TRIANGLE_DORIENT_H

#include "math/dvec3.h"

/// As abut_orient_2d(), in double.
int abut_dorient_2d(AbutDVec3 a, AbutDVec3 b, AbutDVec3 c, int axis);

/// As abut_orient_3d(), in double.
int abut_dorient_3d(AbutDVec3 a, AbutDVec3 b, AbutDVec3 c, AbutDVec3 d);

/// The sign of abut_dorient_3d() that all points within `radius` (in every coordinate) of these four have;
/// 0 where they may have several. `radius` 0 leaves the rounding of this evaluation, not an exact sign.
int abut_dorient_3d_within(AbutDVec3 a, AbutDVec3 b, AbutDVec3 c, AbutDVec3 d, double radius);

/// abut_dorient_3d() of three points with each of three others: their plane is evaluated once.
void abut_dorient_sides(const AbutDVec3 plane[3], const AbutDVec3 points[3], int sides[3]);

/// The same with abut_dorient_3d_within().
void abut_dorient_sides_within(const AbutDVec3 plane[3], const AbutDVec3 points[3], double radius,
                               int sides[3]);

#endif
