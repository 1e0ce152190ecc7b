/// @file kernels.h
/// Batched kernels of shapes: primitives, frames, combinations.
#ifndef ABUT_SHAPE_KERNELS_H
#define ABUT_SHAPE_KERNELS_H

#include <abut/math.h>

#include "simd/dispatch.h"

/// Most parameters that a primitive has.
#define ABUT_KERNEL_PARAMETERS 8

/// From the frame of the points to that of a primitive: matrix · ((x − high) − low). The translation is split
/// in two floats, so that differences of large numbers are exact.
typedef struct AbutKernelTransform
{
    float matrix[3][3]; ///< Rᵀ/a
    float high[3];
    float low[3];
    float rotation[3][3]; ///< R, for gradients back
    float scale;          ///< a, for distances back
} AbutKernelTransform;

/// Distance and, unless out.gradient_x is NULL, gradient of a primitive in its own frame.
typedef void AbutPrimitiveKernel(const float* parameters, AbutPoints points, size_t count, AbutSamples out);

/// Merges two sets of samples into the first.
typedef void AbutCombineKernel(AbutSamples into, AbutSamples other, size_t count);

/// Changes samples in place by a number.
typedef void AbutModifyKernel(float amount, AbutSamples samples, size_t count);

typedef struct AbutShapeKernels
{
    // Parameters of each in brackets.
    AbutPrimitiveKernel* sphere;      // radius
    AbutPrimitiveKernel* rounded_box; // half extents of the inner box, radius (0 for a sharp box)
    AbutPrimitiveKernel* capsule;     // radius, half length
    AbutPrimitiveKernel* cylinder;    // radius, half length
    AbutPrimitiveKernel* cone;  // bottom radius, top radius, half length, side normal (radial, y), direction
                                // from bottom to top of the side over its squared length (radial, y)
    AbutPrimitiveKernel* torus; // major radius, minor radius
    AbutPrimitiveKernel* plane; // normal, offset

    void (*transform)(const AbutKernelTransform* transform, AbutPoints points, size_t count, float* x,
                      float* y, float* z);
    /// Distances and gradients of the inner frame, in place, to the frame of the points.
    void (*transform_back)(const AbutKernelTransform* transform, AbutSamples samples, size_t count);

    AbutCombineKernel* minimum;    // the first wins a tie
    AbutCombineKernel* maximum;    // the first wins a tie
    AbutCombineKernel* difference; // max(into, −other)
    void (*smooth_minimum)(float radius, AbutSamples into, AbutSamples other, size_t count);

    AbutModifyKernel* offset; // f − amount
    AbutModifyKernel* shell;  // |f| − amount
    AbutModifyKernel* scale;  // f · amount
} AbutShapeKernels;

ABUT_KERNELS(AbutShapeKernels, abut_shape_kernels)

#endif
