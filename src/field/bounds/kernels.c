// Compiled once per instruction set (simd/instantiate.h).
#include "field/bounds/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "field/bounds/far_node_kernels.inl"

ABUT_KERNEL_TABLE(AbutFarNodeKernels, abut_far_node_kernels, .support = support_kernel,
                  .distance_bound = distance_bound_kernel, .empty_radius = empty_radius_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutFarNodeKernels, abut_far_node_kernels)

#endif
