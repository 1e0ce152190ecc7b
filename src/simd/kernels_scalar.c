#include "simd/kernels.h"

#define ABUT_WIDE_SCALAR
#include "simd/kernels.inl"

const AbutKernels* abut_kernels_scalar(void)
{
    static const AbutKernels table = KERNEL_TABLE("scalar");
    return &table;
}
