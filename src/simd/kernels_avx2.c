#include "simd/kernels.h"

#if defined(__AVX2__) && defined(__F16C__)

#define ABUT_WIDE_AVX2
#include "simd/kernels.inl"

const AbutKernels* abut_kernels_avx2(void)
{
    static const AbutKernels table = KERNEL_TABLE("avx2");
    return &table;
}

#else

const AbutKernels* abut_kernels_avx2(void)
{
    return NULL;
}

#endif
