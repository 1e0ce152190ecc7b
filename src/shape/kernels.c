// Compiled once per instruction set (simd/instantiate.h).
#include "shape/kernels.h"

#include "simd/instantiate.h"

#if ABUT_SIMD_BUILT

#include "shape/combine_kernels.inl"
#include "shape/primitive_kernels.inl"

ABUT_KERNEL_TABLE(AbutShapeKernels, abut_shape_kernels, .sphere = sphere_kernel,
                  .rounded_box = rounded_box_kernel, .capsule = capsule_kernel, .cylinder = cylinder_kernel,
                  .cone = cone_kernel, .torus = torus_kernel, .plane = plane_kernel,
                  .transform = transform_kernel, .transform_back = transform_back_kernel,
                  .minimum = minimum_kernel, .maximum = maximum_kernel, .difference = difference_kernel,
                  .smooth_minimum = smooth_minimum_kernel, .offset = offset_kernel, .shell = shell_kernel,
                  .scale = scale_kernel)

#else

ABUT_NO_KERNEL_TABLE(AbutShapeKernels, abut_shape_kernels)

#endif
