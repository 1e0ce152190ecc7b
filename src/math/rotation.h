/// @file rotation.h
/// Sine and cosine with the same bits on every machine: those of a C library differ between processors that have fused
/// multiply-add and those that do not.
#ifndef ABUT_MATH_ROTATION_H
#define ABUT_MATH_ROTATION_H

/// Within 3e-16 for angles up to 1e5 in size; larger ones are as exact as their reduction by quarter turns in double.
void abut_sin_cos(double angle, double* sine, double* cosine);

/// A rotation, as a quaternion of length 1, turned on by `fraction` of a rotation vector in the outer axes.
void abut_rotation_integrate(const double rotation[4], const double rotation_vector[3], double fraction,
                             double out[4]);

#endif
