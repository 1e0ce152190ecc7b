/// @file rotation.h
/// Sine and cosine with the same bits on every machine: those of a C library differ between processors with
/// and without fused multiply-add.
#ifndef ABUT_MATH_ROTATION_H
#define ABUT_MATH_ROTATION_H

#include "math/dquat.h"

/// Within 3e-16 for angles up to 1e5 in size; larger ones are as exact as their reduction by quarter
/// rotations in double.
void abut_sin_cos(double angle, double* sine, double* cosine);

/// The rotation by `fraction` of a rotation vector in the outer axes, after the rotation q of length 1. The
/// result is normalised.
AbutDQuat abut_dquat_integrate(AbutDQuat q, AbutDVec3 rotation_vector, double fraction);

#endif
