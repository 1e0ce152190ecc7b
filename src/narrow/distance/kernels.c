// Compiled once per instruction set (simd/instantiate.h).
#include "narrow/distance/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "narrow/distance/closest_pair_kernels.inl"

ABUT_KERNEL_TABLE(AbutClosestPairKernels, abut_closest_pair_kernels, .divide = divide_pair_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutClosestPairKernels, abut_closest_pair_kernels)

#endif
