// Compiled once per instruction set (simd/instantiate.h).
#include "search/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "search/box_search_kernels.inl"
#include "search/dual_octree_kernels.inl"
#include "search/gap_bound_kernels.inl"

ABUT_KERNEL_TABLE(AbutSearchKernels, abut_search_kernels, .divide = divide_kernel,
                  .approach = approach_kernel, .gap_bound = gap_bound_kernel, .sample = sample_both_kernel,
                  .bound = bound_kernel, .enter = enter_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutSearchKernels, abut_search_kernels)

#endif
