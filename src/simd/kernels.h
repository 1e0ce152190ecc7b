/// @file kernels.h
/// The table of batched kernels that an instruction set fills. Bodies are written once, in kernels.inl.
#ifndef ABUT_SIMD_KERNELS_H
#define ABUT_SIMD_KERNELS_H

#include "simd/bound_kernels.h"
#include "simd/box_kernels.h"
#include "simd/center_kernels.h"
#include "simd/choice_kernels.h"
#include "simd/field_kernels.h"
#include "simd/gap_kernels.h"
#include "simd/look_kernels.h"
#include "simd/pair_kernels.h"
#include "simd/particle_kernels.h"
#include "simd/search_kernels.h"
#include "simd/segment_kernels.h"
#include "simd/solve_kernels.h"
#include "simd/trace_kernels.h"
#include "simd/triangle_kernels.h"

#include <abut/math.h>

/// Most parameters that a primitive has.
#define ABUT_KERNEL_PARAMETERS 8

/// From the frame of the points to that of a primitive: matrix · ((x − high) − low). The translation is split
/// in two floats, so that a difference of large numbers that are close loses nothing.
typedef struct AbutKernelTransform
{
    float matrix[3][3]; ///< Rᵀ/a
    float high[3];
    float low[3];
    float rotation[3][3]; ///< R, for gradients on the way back
    float scale;          ///< a, for distances on the way back
} AbutKernelTransform;

/// Distance and, unless out.gradient_x is NULL, gradient of a primitive in its own frame.
typedef void AbutPrimitiveKernel(const float* parameters, AbutPoints points, size_t count, AbutSamples out);

/// Merges two sets of samples into the first.
typedef void AbutCombineKernel(AbutSamples into, AbutSamples other, size_t count);

/// Changes samples in place by a number.
typedef void AbutModifyKernel(float amount, AbutSamples samples, size_t count);

typedef struct AbutKernels
{
    const char* name;

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

    void (*half_to_float)(const uint16_t* halves, size_t count, float* floats);
    void (*float_to_half)(const float* floats, size_t count, uint16_t* halves);

    AbutTriangleKernels triangles;
    AbutFieldKernels fields;
    AbutBoundKernels bounds;
    AbutCenterKernels centers;
    AbutPairKernels pairs;
    AbutBoxKernels boxes;
    AbutGapKernels gaps;
    AbutParticleKernels particles;
    AbutSearchKernels searches;
    AbutSegmentKernels segments;
    AbutSolveKernels solve;
    AbutLookKernel* look;
    AbutChoiceKernel* score; // of contacts that may be added to a choice
    AbutTraceKernels traces;
} AbutKernels;

/// The table in use. Chosen on the first call; never NULL.
const AbutKernels* abut_kernels(void);

/// One per instruction set; NULL where this build has none.
const AbutKernels* abut_kernels_scalar(void);
const AbutKernels* abut_kernels_sse2(void);
const AbutKernels* abut_kernels_avx2(void);
const AbutKernels* abut_kernels_neon(void);

#endif
