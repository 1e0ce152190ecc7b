// Compiled once per instruction set (simd/instantiate.h).
#include "narrow/primitive/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "narrow/primitive/ball_kernels.inl"
#include "narrow/primitive/box_kernels.inl"

ABUT_KERNEL_TABLE(AbutRoundKernels, abut_round_kernels, .spheres = spheres_kernel,
                  .capsules = capsules_kernel, .boxes = boxes_kernel, .point_children = point_children_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutRoundKernels, abut_round_kernels)

#endif
