// Frames in lanes: the memory that shape/frame_math.inl reads.
#ifndef ABUT_SHAPE_FRAME_LANES_INL
#define ABUT_SHAPE_FRAME_LANES_INL

#include "shape/kernels.h"
#include "simd/lanes.inl"

#define FrameRef const AbutKernelTransform*
#define FRAME(frame) (*(frame))

#include "shape/frame_math.inl"

#endif
