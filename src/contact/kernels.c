// Compiled once per instruction set (simd/instantiate.h).
#include "contact/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "contact/reduce_kernels.inl"

ABUT_KERNEL_TABLE(AbutReduceKernels, abut_reduce_kernels, .score = reduce_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutReduceKernels, abut_reduce_kernels)

#endif
