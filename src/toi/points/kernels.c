// Compiled once per instruction set (simd/instantiate.h).
#include "toi/points/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "toi/points/cell_tracer_kernels.inl"

ABUT_KERNEL_TABLE(AbutTraceKernels, abut_tracer_kernels, .start = trace_start_kernel,
                  .step = trace_step_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutTraceKernels, abut_tracer_kernels)

#endif
