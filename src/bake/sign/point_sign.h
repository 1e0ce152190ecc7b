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

/// A point whose sign is wanted.
typedef struct AbutSignPoint
{
    AbutDVec3 position;
    uint32_t nearest; // triangle
    bool is_exact;    // nearest in double; else up to the rounding of floats
    bool use_sides;   // no gap is between the point and that triangle
} AbutSignPoint;

AbutPointSign abut_sign_classifier_point(const AbutSignClassifier* classifier, const AbutSignPoint* point);

#endif
