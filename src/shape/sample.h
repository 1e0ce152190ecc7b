/// @file sample.h
/// Samples of shapes in frames of callers.
#ifndef ABUT_SHAPE_SAMPLE_H
#define ABUT_SHAPE_SAMPLE_H

#include "shape/shape.h"

/// A transform as kernels read it.
AbutKernelTransform abut_shape_kernel_transform(const AbutTransform* frame);

/// Transforms the points into the shape's own frame, samples there, and transforms the samples back.
void abut_shape_sample_local(const AbutShape* shape, AbutLocalSampleFn* sample, const AbutTransform* frame,
                             AbutPoints points, size_t count, AbutSamples out);

#endif
