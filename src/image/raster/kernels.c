// Compiled once per instruction set (simd/instantiate.h).
#include "image/raster/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "image/raster/chunk_kernels.inl"

ABUT_KERNEL_TABLE(AbutImageKernels, abut_image_kernels, .transform = transform_kernel, .boxes = boxes_kernel,
                  .ranges = ranges_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutImageKernels, abut_image_kernels)

#endif
