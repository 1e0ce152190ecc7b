/// @file shape.h (internal)
/// The base of all shapes. A kind is a struct that starts with AbutShape, and a class with its functions.
#ifndef ABUT_SHAPE_SHAPE_H
#define ABUT_SHAPE_SHAPE_H

#include <abut/shape.h>

#include "base/assert.h"
#include "math/transform.h"
#include "shape/kernels.h"
#include "shape/lipschitz.h"

#include <stdatomic.h>

/// Points per call of a class's sample function: scratch for one level of a combination is a few KiB of
/// stack.
#define ABUT_SHAPE_BATCH 128

/// Deepest nesting; with the batch it bounds the stack that sampling needs.
#define ABUT_SHAPE_MAX_DEPTH 64

/// Legal lengths: within them squares of coordinates neither overflow nor lose bits to underflow.
#define ABUT_SHAPE_MIN_LENGTH 1e-12f
#define ABUT_SHAPE_MAX_LENGTH 1e12f

typedef struct AbutShapeClass
{
    /// `frame` is the transform of the shape in the frame of the points, NULL for the identity. count ≤
    /// ABUT_SHAPE_BATCH.
    void (*sample)(const AbutShape* shape, const AbutTransform* frame, AbutPoints points, size_t count,
                   AbutSamples out);

    /// Cheap bounds of distances: the sign of the sample, and at most its size. NULL: samples are as cheap.
    void (*bound)(const AbutShape* shape, const AbutTransform* frame, AbutPoints points, size_t count,
                  float* out);

    /// Bound of the error of the sample at a point, in the unit of the points, where it differs from place to
    /// place: info.error holds everywhere. Without rounding. NULL: info.error is as sharp.
    double (*error)(const AbutShape* shape, const AbutTransform* frame, AbutDVec3 point);

    /// Releases all that the kind owns beside its own struct; NULL when there is nothing.
    void (*release)(AbutShape* shape);
} AbutShapeClass;

/// Data of a later stage that a shape keeps (its point hull), as the first member of its struct. The shape is
/// an owner of it.
typedef struct AbutShapeCompanion
{
    void (*release)(struct AbutShapeCompanion* companion);
} AbutShapeCompanion;

/// Rounding of samples (docs/proofs.md): at a point p of the shape's own frame they are within count · 2⁻²⁴ ·
/// (|p| + length) of exact arithmetic. With a precise frame only the distance and `precise_length` are
/// rounded in float, unless operands take points in float alone.
typedef struct AbutShapeRounding
{
    float length;         // the largest size, offset and distance from the origin of all operands
    float precise_length; // the same of terms that are added in float for any frame
    float count;
    bool float_only; // an operand takes its points in float for any frame
} AbutShapeRounding;

/// Roundings of a transform and a formula in float.
#define ABUT_SHAPE_ROUNDINGS 32.0f

struct AbutShape
{
    const AbutShapeClass* class;
    AbutHost host;
    AbutShapeInfo info;
    size_t size;    // of the kind's struct
    uint32_t depth; // 1 for a leaf
    AbutLowerLipschitz lower_lipschitz;
    AbutShapeRounding rounding;
    _Atomic(AbutShapeCompanion*) companion; // set once, or NULL
    atomic_uint_least32_t owners;
};

/// Zeroed memory for a kind with one owner, a class, unit slope, exact distance and unlimited band; or NULL
/// with a message.
void* abut_shape_allocate(size_t size, AbutShapeKind kind, const AbutShapeClass* class, const AbutHost* host);

/// Evaluates a shape of any kind; count ≤ ABUT_SHAPE_BATCH.
static inline void abut_shape_sample_batch(const AbutShape* shape, const AbutTransform* frame,
                                           AbutPoints points, size_t count, AbutSamples out)
{
    ABUT_ASSERT(count <= ABUT_SHAPE_BATCH);
    shape->class->sample(shape, frame, points, count, out);
}

/// True for a shape whose errors differ from place to place: AbutShapeClass.error.
static inline bool abut_shape_has_local_error(const AbutShape* shape)
{
    return shape->class->error != NULL && shape->info.error > 0.0f;
}

/// Bound of the error of the sample at a point, in the unit of the points; NULL for the shape's own frame.
double abut_shape_error_at(const AbutShape* shape, const AbutTransform* frame, AbutDVec3 point);

/// Samples in the shape's own frame; count ≤ ABUT_SHAPE_BATCH.
typedef void AbutLocalSampleFn(const AbutShape* shape, AbutPoints points, size_t count, AbutSamples out);

/// A transform as kernels read it.
AbutKernelTransform abut_shape_kernel_transform(const AbutTransform* frame);

/// Transforms the points into the shape's own frame, samples there, and transforms the samples back.
void abut_shape_sample_local(const AbutShape* shape, AbutLocalSampleFn* sample, const AbutTransform* frame,
                             AbutPoints points, size_t count, AbutSamples out);

/// Storage for the samples of one batch. `samples` points into it, with gradients when `like` has them.
typedef struct AbutShapeScratch
{
    float values[4][ABUT_SHAPE_BATCH];
    AbutSamples samples;
} AbutShapeScratch;

void abut_shape_scratch_init(AbutShapeScratch* scratch, AbutSamples like);

/// Rounding of a shape made of both.
AbutShapeRounding abut_shape_rounding_combine(AbutShapeRounding a, AbutShapeRounding b);

/// Rounding of a shape whose samples are modified by numbers of this size, in so many operations.
AbutShapeRounding abut_shape_rounding_add(AbutShapeRounding rounding, float length, float count);

/// The largest distance of a point of a finite box from the origin.
float abut_shape_box_radius(AbutBox box);

/// ABUT_OK when lengths are within the legal range, else a message with the kind and the name of the number.
AbutResult abut_shape_check_length(float length, const char* kind, const char* name);

/// ABUT_OK when all children are there and not nested too deeply.
AbutResult abut_shape_check_children(AbutShape* const* children, uint32_t count, const char* kind);

#endif
