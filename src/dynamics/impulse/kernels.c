// Compiled once per instruction set (simd/instantiate.h).
#include "dynamics/impulse/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "dynamics/impulse/solve_kernels.inl"

ABUT_KERNEL_TABLE(AbutSolveKernels, abut_solve_kernels, .prepare = solve_prepare_kernel,
                  .warm = solve_warm_kernel, .push = solve_push_kernel, .relax = solve_relax_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutSolveKernels, abut_solve_kernels)

#endif
