// Compiled once per instruction set (simd/instantiate.h).
#include "toi/points/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "toi/points/cell_tracer_kernels.inl"

ABUT_KERNEL_TABLE(AbutTracerKernels, abut_tracer_kernels, .start = tracer_start_kernel,
                  .step = tracer_step_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutTracerKernels, abut_tracer_kernels)

#endif
