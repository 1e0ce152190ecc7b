// Compiled once per instruction set (simd/instantiate.h).
#include "bvh/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "bvh/node_kernels.inl"
#include "bvh/pack_kernels.inl"

ABUT_KERNEL_TABLE(AbutTreeKernels, abut_tree_kernels, .node_hits = node_hits_kernel,
                  .box_hits = box_hits_kernel, .pack_hits = pack_hits_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutTreeKernels, abut_tree_kernels)

#endif
