#include "simd/kernels.h"

#if defined(__SSE2__)

#define ABUT_WIDE_SSE2
#include "simd/kernels.inl"

const AbutKernels* abut_kernels_sse2(void)
{
    static const AbutKernels table = KERNEL_TABLE("sse2");
    return &table;
}

#else

const AbutKernels* abut_kernels_sse2(void)
{
    return NULL;
}

#endif
