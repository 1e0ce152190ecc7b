// Compiled once per instruction set (simd/instantiate.h).
#include "broad/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "broad/pack_kernels.inl"

ABUT_KERNEL_TABLE(AbutBoxKernels, abut_box_kernels, .overlaps = overlaps_kernel, .box_hits = box_hits_kernel,
                  .pack_hits = pack_hits_kernel, .own_hits = own_hits_kernel, .walk_hits = walk_hits_kernel,
                  .ray_enters = ray_enters_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutBoxKernels, abut_box_kernels)

#endif
