// Compiled once per instruction set (simd/instantiate.h).
#include "narrow/particles/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "narrow/particles/particle_kernels.inl"

ABUT_KERNEL_TABLE(AbutParticleKernels, abut_particle_kernels, .step = particle_step_kernel,
                  .walk = iterate_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutParticleKernels, abut_particle_kernels)

#endif
