// Compiled once per instruction set (simd/instantiate.h).
#include "shape/terrain/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "shape/terrain/sample_kernels.inl"

ABUT_KERNEL_TABLE(AbutTerrainKernels, abut_terrain_kernels, .locate = locate_kernel, .start = start_kernel,
                  .bound = bound_kernel, .closest = closest_kernel, .directions = directions_kernel,
                  .finish = finish_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutTerrainKernels, abut_terrain_kernels)

#endif
