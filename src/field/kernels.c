// Compiled once per instruction set (simd/instantiate.h).
#include "field/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "field/sample_kernels.inl"

ABUT_KERNEL_TABLE(AbutFieldKernels, abut_field_kernels,
                  .dense = { dense_f32_kernel, dense_f16_kernel, dense_first_order_kernel },
                  .sparse = { sparse_f32_kernel, sparse_f16_kernel, sparse_first_order_kernel })

#else

ABUT_NO_KERNEL_TABLE(AbutFieldKernels, abut_field_kernels)

#endif
