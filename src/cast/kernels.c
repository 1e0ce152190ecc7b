// Compiled once per instruction set (simd/instantiate.h).
#include "cast/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "cast/crossing_kernels.inl"
#include "cast/ray_kernels.inl"

ABUT_KERNEL_TABLE(AbutCastKernels, abut_cast_kernels, .begin = begin_rays_kernel, .step = step_rays_kernel,
                  .prepare = prepare_rays_kernel, .cross = cross_rays_kernel,
                  .cell_crossing = crossing_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutCastKernels, abut_cast_kernels)

#endif
