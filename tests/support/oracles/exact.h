/// @file exact.h
/// Distances of primitives in quad precision, written from their definitions: what proofs are judged by.
/// Inputs are the floats and doubles that the library gets, taken as exact numbers; results are good to 1e-30
/// of the largest coordinate.
#ifndef ABUT_TEST_EXACT_H
#define ABUT_TEST_EXACT_H

#include "support/support.h"

#include <float.h>

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Exact;
#else
typedef long double Exact;
#endif

/// 1 where the type has 113 bits of mantissa; tests skip elsewhere.
#if defined(__SIZEOF_FLOAT128__) || LDBL_MANT_DIG == 113
#define EXACT_IS_QUAD 1
#else
#define EXACT_IS_QUAD 0
#endif

Exact exact_sqrt(Exact x);

/// Sine and cosine of any angle up to 1e6.
void exact_sine_cosine(Exact angle, Exact* sine, Exact* cosine);

typedef struct ExactVec
{
    Exact x[3];
} ExactVec;

ExactVec exact_vec(Exact x, Exact y, Exact z);
ExactVec exact_add(ExactVec a, ExactVec b);
ExactVec exact_subtract(ExactVec a, ExactVec b);
ExactVec exact_scale(ExactVec v, Exact s);
ExactVec exact_cross(ExactVec a, ExactVec b);
Exact exact_dot(ExactVec a, ExactVec b);
Exact exact_length(ExactVec v);

/// x_outer = scale · rotation · x_inner + position.
typedef struct ExactFrame
{
    Exact rotation[3][3];
    ExactVec position;
    Exact scale;
} ExactFrame;

/// As AbutPose defines it: the rotation is that of the quaternion over its length.
ExactFrame exact_frame(const AbutPose* pose);
ExactFrame exact_frame_multiply(const ExactFrame* outer, const ExactFrame* inner);
ExactVec exact_frame_rotate(const ExactFrame* frame, ExactVec v);
ExactVec exact_frame_apply(const ExactFrame* frame, ExactVec v);

/// The frame after the part `time` of the motion, as AbutMotion defines it.
ExactFrame exact_frame_move(const ExactFrame* start, const AbutMotion* motion, Exact time);

/// A primitive by the arguments of its abut_shape_create_...(): sphere: radius; box: extents; rounded box:
/// extents, radius; capsule, cylinder: radius, length; cone: radius, top radius, length; torus: major, minor
/// radius; plane: normal, offset.
typedef struct ExactShape
{
    AbutShapeKind kind;
    float parameters[4];
} ExactShape;

AbutShape* exact_shape_create(const ExactShape* shape);

/// Largest extent; 0 for a plane.
double exact_shape_size(const ExactShape* shape);

/// True where exact_gap() knows the pair: cores that are points, segments or boxes with each other and with a
/// plane; a ball or a plane with a cylinder, cone or torus.
bool exact_pair_is_known(AbutShapeKind a, AbutShapeKind b);

/// Over 0: the distance of the solids. Else they share a point, and the number is minus the length of a
/// translation that parts them (the shortest one unless a ball's centre is in a cylinder, cone or torus).
/// `direction`, of unit length, is that of the motion of b that makes the gap larger; may be NULL.
Exact exact_gap(const ExactShape* a, const ExactFrame* frame_a, const ExactShape* b,
                const ExactFrame* frame_b, ExactVec* direction);

/// Signed distance of a point of the outer frame: negative inside.
Exact exact_distance(const ExactShape* shape, const ExactFrame* frame, ExactVec point);

#endif
