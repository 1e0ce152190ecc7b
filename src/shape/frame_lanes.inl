// Points and samples from one frame to another.
#ifndef ABUT_SHAPE_FRAME_LANES_INL
#define ABUT_SHAPE_FRAME_LANES_INL

#include "shape/kernels.h"
#include "simd/lanes.inl"

KERNEL_INLINE WideVec multiply_matrix(const float m[3][3], WideVec v)
{
    return (WideVec){
        dot3((WideVec){ wide_splat(m[0][0]), wide_splat(m[0][1]), wide_splat(m[0][2]) }, v),
        dot3((WideVec){ wide_splat(m[1][0]), wide_splat(m[1][1]), wide_splat(m[1][2]) }, v),
        dot3((WideVec){ wide_splat(m[2][0]), wide_splat(m[2][1]), wide_splat(m[2][2]) }, v),
    };
}

KERNEL_INLINE WideVec into_frame(const AbutKernelTransform* t, WideVec v)
{
    WideVec shifted = { shift(v.x, t->high[0], t->low[0]), shift(v.y, t->high[1], t->low[1]),
                        shift(v.z, t->high[2], t->low[2]) };
    return multiply_matrix(t->matrix, shifted);
}

KERNEL_INLINE WideSample out_of_frame(const AbutKernelTransform* t, WideSample sample)
{
    return (WideSample){ wide_mul(sample.distance, wide_splat(t->scale)),
                         multiply_matrix(t->rotation, sample.gradient) };
}

#endif
