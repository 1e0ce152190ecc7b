/// @file sample.h
/// Samples of shapes in frames of callers.
#ifndef ABUT_SHAPE_SAMPLE_H
#define ABUT_SHAPE_SAMPLE_H

#include "shape/shape.h"

/// A frame as kernels take it.
AbutKernelTransform abut_shape_kernel_transform(const AbutTransform* frame);

/// Brings the points into the shape's own frame, samples there, and brings the answers back.
void abut_shape_sample_local(const AbutShape* shape, AbutLocalSampleFn* sample, const AbutTransform* frame,
                             AbutPoints points, size_t count, AbutSamples out);

#endif
