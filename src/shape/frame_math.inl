// Points and samples from one frame to another: C and GLSL (simd/vec_math.inl). The layer of the language
// provides FrameRef and FRAME(), the members of an AbutKernelTransform.
#ifndef ABUT_SHAPE_FRAME_MATH_INL
#define ABUT_SHAPE_FRAME_MATH_INL

#define MATRIX_ROW(m, row) WideVec(wide_splat(m[row][0]), wide_splat(m[row][1]), wide_splat(m[row][2]))

KERNEL_INLINE WideVec into_frame(FrameRef frame, WideVec v)
{
    WideVec shifted = WideVec(shift(v.x, FRAME(frame).high[0], FRAME(frame).low[0]),
                              shift(v.y, FRAME(frame).high[1], FRAME(frame).low[1]),
                              shift(v.z, FRAME(frame).high[2], FRAME(frame).low[2]));
    return WideVec(dot3(MATRIX_ROW(FRAME(frame).matrix, 0), shifted),
                   dot3(MATRIX_ROW(FRAME(frame).matrix, 1), shifted),
                   dot3(MATRIX_ROW(FRAME(frame).matrix, 2), shifted));
}

KERNEL_INLINE WideSample out_of_frame(FrameRef frame, WideSample local)
{
    return WideSample(wide_mul(local.distance, wide_splat(FRAME(frame).scale)),
                      WideVec(dot3(MATRIX_ROW(FRAME(frame).rotation, 0), local.gradient),
                              dot3(MATRIX_ROW(FRAME(frame).rotation, 1), local.gradient),
                              dot3(MATRIX_ROW(FRAME(frame).rotation, 2), local.gradient)));
}

#endif
