// Compiled once per instruction set (simd/instantiate.h).
#include "narrow/convex/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "narrow/convex/epa_kernels.inl"
#include "narrow/convex/gjk_kernels.inl"

ABUT_KERNEL_TABLE(AbutConvexKernels, abut_convex_kernels, .gjk = gjk_kernel, .epa = epa_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutConvexKernels, abut_convex_kernels)

#endif
