// Which sets were built. Compiled once per instruction set (simd/instantiate.h).
#include "simd/dispatch.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

ABUT_KERNEL_TABLE(AbutSimdBuild, abut_simd_build, .built = true)

#else

ABUT_NO_KERNEL_TABLE(AbutSimdBuild, abut_simd_build)

#endif
