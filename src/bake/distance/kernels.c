// Compiled once per instruction set (simd/instantiate.h).
#include "bake/distance/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "bake/distance/triangle_kernels.inl"

ABUT_KERNEL_TABLE(AbutTriangleKernels, abut_triangle_kernels, .candidate_boxes = candidate_boxes_kernel,
                  .candidate_triangles = candidate_triangles_kernel, .nearest_corner = nearest_corner_kernel,
                  .nearest_first_corners = nearest_first_corners_kernel,
                  .candidate_tiles = candidate_tiles_kernel, .lower_distances = lower_distances_kernel,
                  .directions = directions_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutTriangleKernels, abut_triangle_kernels)

#endif
