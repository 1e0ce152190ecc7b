// Compiled once per instruction set (simd/instantiate.h).
#include "narrow/contacts/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "narrow/contacts/project_kernels.inl"

ABUT_KERNEL_TABLE(AbutProjectKernels, abut_project_kernels, .project = project_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutProjectKernels, abut_project_kernels)

#endif
