// Compiled once per instruction set (simd/instantiate.h).
#include "field/bounds/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "field/bounds/far_node_kernels.inl"

ABUT_KERNEL_TABLE(AbutFarNodeKernels, abut_far_node_kernels, .reach = reach_kernel, .away = away_kernel,
                  .empty = empty_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutFarNodeKernels, abut_far_node_kernels)

#endif
