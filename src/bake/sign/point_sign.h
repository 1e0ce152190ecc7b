/// @file point_sign.h
/// The sign of a single point.
#ifndef ABUT_BAKE_SIGN_POINT_SIGN_H
#define ABUT_BAKE_SIGN_POINT_SIGN_H

#include "bake/sign/classifier.h"

/// The sign of a point and its origin.
typedef struct AbutPointSign
{
    bool inside;
    bool by_winding;
} AbutPointSign;

/// The sign of a point, given the number of its nearest triangle up to the rounding of floats. `use_sides` is
/// false where a gap may be between the point and that triangle.
AbutPointSign abut_sign_classifier_point(const AbutSignClassifier* classifier, AbutDVec3 point,
                                         uint32_t nearest, bool use_sides);

#endif
