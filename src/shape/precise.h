/// @file precise.h
/// Primitives in double: for points whose coordinates in the frame of a primitive are too large for float.
/// The formulas are those of the lanes (primitive_lanes.inl).
#ifndef ABUT_SHAPE_PRECISE_H
#define ABUT_SHAPE_PRECISE_H

#include "math/transform.h"
#include "shape/kernels.h"

/// Distance and, unless out.gradient_x is NULL, gradient at points of the outer frame; rounded to float once,
/// at the end.
typedef void AbutPreciseKernel(const double parameters[ABUT_KERNEL_PARAMETERS], const AbutTransform* frame,
                               AbutPoints points, size_t count, AbutSamples out);

AbutPreciseKernel abut_precise_sphere, abut_precise_rounded_box, abut_precise_capsule, abut_precise_cylinder,
    abut_precise_cone, abut_precise_torus, abut_precise_plane;

#endif
