// Compiled once per instruction set (simd/instantiate.h).
#include "dynamics/impulse/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "dynamics/impulse/solve_kernels.inl"
#include "dynamics/impulse/update_kernels.inl"

ABUT_KERNEL_TABLE(AbutSolveKernels, abut_solve_kernels, .prepare = solve_prepare_kernel,
                  .update_convex = solve_update_convex_kernel, .warm_start = solve_warm_start_kernel,
                  .solve_biased = solve_biased_kernel, .relax = solve_relax_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutSolveKernels, abut_solve_kernels)

#endif
