// Kernels of the primitives.
#ifndef ABUT_SHAPE_PRIMITIVE_KERNELS_INL
#define ABUT_SHAPE_PRIMITIVE_KERNELS_INL

#include "shape/kernels.h"
#include "shape/primitive_lanes.inl"
#include "simd/lanes.inl"

KERNEL_INLINE void apply_primitive(WidePrimitiveFn* formula, const float* parameters, AbutPoints points,
                                   size_t count, AbutSamples out, bool gradient)
{
    Wide p[ABUT_KERNEL_PARAMETERS];
    for (int k = 0; k < ABUT_KERNEL_PARAMETERS; ++k)
    {
        p[k] = wide_splat(parameters[k]);
    }
    FOR_LANES(count, store_samples(out, i, n, formula(p, load_points(points, i, n)), gradient));
}

#define PRIMITIVE_KERNEL(name)                                                                               \
    static void name##_kernel(const float* parameters, AbutPoints points, size_t count, AbutSamples out)     \
    {                                                                                                        \
        WITH_AND_WITHOUT_GRADIENT(                                                                           \
            out, apply_primitive(name##_formula, parameters, points, count, out, gradient));                 \
    }

PRIMITIVE_KERNEL(sphere)
PRIMITIVE_KERNEL(rounded_box)
PRIMITIVE_KERNEL(capsule)
PRIMITIVE_KERNEL(cylinder)
PRIMITIVE_KERNEL(cone)
PRIMITIVE_KERNEL(torus)
PRIMITIVE_KERNEL(plane)

#endif
