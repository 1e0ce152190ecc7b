#include "simd/kernels.h"

#if defined(__aarch64__)

#define ABUT_WIDE_NEON
#include "simd/kernels.inl"

const AbutKernels* abut_kernels_neon(void)
{
    static const AbutKernels table = KERNEL_TABLE("neon");
    return &table;
}

#else

const AbutKernels* abut_kernels_neon(void)
{
    return NULL;
}

#endif
