// Public sampling: batches, batches on all workers, single points.
#include "shape/sample.h"

#include "base/fp_env.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "shape/kernels.h"

/// Points per block of a parallel loop: long enough to hide the cost of a task.
enum
{
    PARALLEL_BLOCK = 32 * ABUT_SHAPE_BATCH
};

AbutKernelTransform abut_shape_kernel_transform(const AbutTransform* frame)
{
    AbutKernelTransform transform;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            transform.matrix[i][j] = (float)(frame->rotation.m[j][i] / frame->scale);
            transform.rotation[i][j] = (float)frame->rotation.m[i][j];
        }
        double translation = abut_dvec3_get(frame->translation, i);
        transform.high[i] = (float)translation;
        transform.low[i] = (float)(translation - (double)transform.high[i]);
    }
    transform.scale = (float)frame->scale;
    return transform;
}

void abut_shape_sample_local(const AbutShape* shape, AbutLocalSampleFn* sample, const AbutTransform* frame,
                             AbutPoints points, size_t count, AbutSamples out)
{
    if (frame == NULL)
    {
        sample(shape, points, count, out);
        return;
    }
    float x[ABUT_SHAPE_BATCH], y[ABUT_SHAPE_BATCH], z[ABUT_SHAPE_BATCH];
    const AbutShapeKernels* kernels = abut_shape_kernels();
    AbutKernelTransform transform = abut_shape_kernel_transform(frame);
    kernels->transform(&transform, points, count, x, y, z);
    sample(shape, (AbutPoints){ x, y, z }, count, out);
    kernels->transform_back(&transform, out, count);
}

static AbutPoints points_at(AbutPoints points, size_t i)
{
    return (AbutPoints){ points.x + i, points.y + i, points.z + i };
}

static AbutSamples samples_at(AbutSamples samples, size_t i)
{
    if (samples.gradient_x == NULL)
    {
        return (AbutSamples){ .distance = samples.distance + i };
    }
    return (AbutSamples){ samples.distance + i, samples.gradient_x + i, samples.gradient_y + i,
                          samples.gradient_z + i };
}

static void sample_range(const AbutShape* shape, const AbutTransform* frame, AbutPoints points, size_t count,
                         AbutSamples out)
{
    for (size_t i = 0; i < count; i += ABUT_SHAPE_BATCH)
    {
        size_t n = count - i < ABUT_SHAPE_BATCH ? count - i : ABUT_SHAPE_BATCH;
        abut_shape_sample_batch(shape, frame, points_at(points, i), n, samples_at(out, i));
    }
}

void abut_shape_sample(const AbutShape* shape, const AbutPose* pose, AbutPoints points, size_t count,
                       AbutSamples out)
{
    ABUT_FP_CALL_VOID(abut_shape_sample, shape, pose, points, count, out);
    AbutTransform frame;
    if (pose != NULL)
    {
        frame = abut_transform_from_pose(pose);
    }
    sample_range(shape, pose != NULL ? &frame : NULL, points, count, out);
}

typedef struct ParallelSample
{
    const AbutShape* shape;
    const AbutTransform* frame;
    AbutPoints points;
    AbutSamples out;
    size_t count;
} ParallelSample;

static void sample_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const ParallelSample* self = context;
    size_t begin = (size_t)block * PARALLEL_BLOCK;
    size_t n = self->count - begin < PARALLEL_BLOCK ? self->count - begin : PARALLEL_BLOCK;
    sample_range(self->shape, self->frame, points_at(self->points, begin), n, samples_at(self->out, begin));
}

void abut_shape_sample_parallel(const AbutShape* shape, const AbutPose* pose, AbutPoints points, size_t count,
                                AbutSamples out, const AbutHost* host)
{
    ABUT_FP_CALL_VOID(abut_shape_sample_parallel, shape, pose, points, count, out, host);
    AbutHost resolved = abut_host_resolve(host);
    AbutTransform frame;
    if (pose != NULL)
    {
        frame = abut_transform_from_pose(pose);
    }
    ParallelSample context = { shape, pose != NULL ? &frame : NULL, points, out, count };
    abut_parallel_for(&resolved, abut_block_count(count, PARALLEL_BLOCK), sample_block, &context);
}

static float sample_one(const AbutShape* shape, const AbutTransform* frame, AbutVec3 point,
                        AbutVec3* gradient)
{
    float distance;
    AbutVec3 g;
    AbutSamples out = { .distance = &distance };
    if (gradient != NULL)
    {
        out = (AbutSamples){ &distance, &g.x, &g.y, &g.z };
    }
    abut_shape_sample_batch(shape, frame, (AbutPoints){ &point.x, &point.y, &point.z }, 1, out);
    if (gradient != NULL)
    {
        *gradient = g;
    }
    return distance;
}

float abut_shape_distance(const AbutShape* shape, AbutVec3 point, AbutVec3* gradient)
{
    ABUT_FP_CALL(abut_shape_distance, shape, point, gradient);
    return sample_one(shape, NULL, point, gradient);
}

float abut_shape_distance_at(const AbutShape* shape, const AbutPose* pose, AbutPosition point,
                             AbutVec3* gradient)
{
    ABUT_FP_CALL(abut_shape_distance_at, shape, pose, point, gradient);
    // The frame of the points is the world moved to the point.
    AbutTransform frame = abut_transform_from_pose(pose);
    frame.translation = abut_dvec3_sub(frame.translation, abut_dvec3_from_position(point));
    return sample_one(shape, &frame, abut_vec3(0.0f, 0.0f, 0.0f), gradient);
}
