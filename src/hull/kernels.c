// Compiled once per instruction set (simd/instantiate.h).
#include "hull/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "hull/support_kernels.inl"

ABUT_KERNEL_TABLE(AbutHullKernels, abut_hull_kernels, .support = support_kernel,
                  .highest_plane = highest_plane_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutHullKernels, abut_hull_kernels)

#endif
