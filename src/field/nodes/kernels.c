// Compiled once per instruction set (simd/instantiate.h).
#include "field/nodes/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "field/nodes/blend_kernels.inl"
#include "field/nodes/half_kernels.inl"

ABUT_KERNEL_TABLE(AbutNodeKernels, abut_node_kernels, .half_to_float = half_to_float_kernel,
                  .float_to_half = float_to_half_kernel, .blend_excess = blend_excess_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutNodeKernels, abut_node_kernels)

#endif
