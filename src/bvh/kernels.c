// Compiled once per instruction set (simd/instantiate.h).
#include "bvh/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "bvh/distance_kernels.inl"
#include "bvh/orient_kernels.inl"
#include "bvh/point_kernels.inl"
#include "bvh/self_kernels.inl"

ABUT_KERNEL_TABLE(AbutTreeKernels, abut_tree_kernels, .node_hits = node_hits_kernel,
                  .box_hits = box_hits_kernel, .pack_hits = pack_hits_kernel, .self_hits = self_hits_kernel,
                  .node_bounds = node_bounds_kernel, .pack_bounds = pack_bounds_kernel,
                  .pack_slabs = pack_slabs_kernel, .node_slabs = node_slabs_kernel,
                  .point_node = point_node_kernel, .point_pack = point_pack_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutTreeKernels, abut_tree_kernels)

#endif
