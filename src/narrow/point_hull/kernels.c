// Compiled once per instruction set (simd/instantiate.h).
#include "narrow/point_hull/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "narrow/point_hull/ball_kernels.inl"

ABUT_KERNEL_TABLE(AbutBallKernels, abut_ball_kernels, .bound = ball_bound_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutBallKernels, abut_ball_kernels)

#endif
