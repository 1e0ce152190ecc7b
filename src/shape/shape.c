// Shapes of any kind: names, memory, rounding, checks; samples at points in batches, on all workers and one
// by one.
#include "shape/shape.h"

#include "base/assert.h"
#include "base/fp_env.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "shape/kernels.h"

/// Points per block of a parallel loop: long enough to hide the cost of a task.
enum
{
    PARALLEL_BLOCK = 32 * ABUT_SHAPE_BATCH
};

const char* abut_shape_kind_name(AbutShapeKind kind)
{
    static const char* const names[ABUT_SHAPE_KIND_COUNT] = {
        [ABUT_SHAPE_SPHERE] = "sphere",
        [ABUT_SHAPE_BOX] = "box",
        [ABUT_SHAPE_ROUNDED_BOX] = "rounded box",
        [ABUT_SHAPE_CAPSULE] = "capsule",
        [ABUT_SHAPE_CYLINDER] = "cylinder",
        [ABUT_SHAPE_CONE] = "cone",
        [ABUT_SHAPE_TORUS] = "torus",
        [ABUT_SHAPE_PLANE] = "plane",
        [ABUT_SHAPE_HEIGHTFIELD] = "heightfield",
        [ABUT_SHAPE_UNION] = "union",
        [ABUT_SHAPE_INTERSECTION] = "intersection",
        [ABUT_SHAPE_DIFFERENCE] = "difference",
        [ABUT_SHAPE_SMOOTH_UNION] = "smooth union",
        [ABUT_SHAPE_OFFSET] = "offset",
        [ABUT_SHAPE_SHELL] = "shell",
        [ABUT_SHAPE_TRANSFORMED] = "placed",
        [ABUT_SHAPE_CORRECTED] = "corrected",
        [ABUT_SHAPE_CALLBACK] = "callback",
        [ABUT_SHAPE_FIELD] = "field",
        [ABUT_SHAPE_CONVEX] = "convex",
        [ABUT_SHAPE_MESH] = "mesh",
    };
    return (unsigned)kind < ABUT_SHAPE_KIND_COUNT ? names[kind] : "unknown shape";
}

const char* abut_distance_kind_name(AbutDistanceKind kind)
{
    switch (kind)
    {
    case ABUT_DISTANCE_EXACT:
        return "exact";
    case ABUT_DISTANCE_EXACT_OUTSIDE:
        return "exact outside";
    case ABUT_DISTANCE_EXACT_INSIDE:
        return "exact inside";
    case ABUT_DISTANCE_BOUND:
        return "bound";
    }
    return "unknown distance";
}

void* abut_shape_allocate(size_t size, AbutShapeKind kind, const AbutShapeClass* class, const AbutHost* host)
{
    AbutHost resolved = abut_host_resolve(host);
    AbutShape* shape = abut_memory_allocate_zero(&resolved, 1, size);
    if (shape == NULL)
    {
        return NULL;
    }
    shape->class = class;
    shape->host = resolved;
    shape->size = size;
    shape->depth = 1;
    shape->lower_lipschitz = abut_lipschitz_exact();
    shape->rounding.count = ABUT_SHAPE_ROUNDINGS;
    shape->info = (AbutShapeInfo){
        .kind = kind,
        .distance_kind = ABUT_DISTANCE_EXACT,
        .bounds = abut_box_infinite(),
        .lipschitz = 1.0f,
        .band = INFINITY,
        .bytes = size,
    };
    atomic_init(&shape->companion, NULL);
    atomic_init(&shape->owners, 1);
    return shape;
}

double abut_shape_error_at(const AbutShape* shape, const AbutTransform* frame, AbutDVec3 point)
{
    return shape->class->error != NULL ? shape->class->error(shape, frame, point)
                                       : (double)shape->info.error * (frame != NULL ? frame->scale : 1.0);
}

AbutShapeRounding abut_shape_rounding_combine(AbutShapeRounding a, AbutShapeRounding b)
{
    return (AbutShapeRounding){ fmaxf(a.length, b.length), fmaxf(a.precise_length, b.precise_length),
                                fmaxf(a.count, b.count), a.float_only || b.float_only };
}

AbutShapeRounding abut_shape_rounding_add(AbutShapeRounding rounding, float length, float count)
{
    rounding.length += length;
    rounding.precise_length += length;
    rounding.count += count;
    return rounding;
}

float abut_shape_box_radius(AbutBox box)
{
    AbutVec3 low = box.min, high = box.max;
    AbutVec3 far = abut_vec3(fmaxf(fabsf(low.x), fabsf(high.x)), fmaxf(fabsf(low.y), fabsf(high.y)),
                             fmaxf(fabsf(low.z), fabsf(high.z)));
    return abut_vec3_length(far);
}

AbutShapeInfo abut_shape_info(const AbutShape* shape)
{
    return shape->info;
}

AbutShape* abut_shape_retain(AbutShape* shape)
{
    atomic_fetch_add_explicit(&shape->owners, 1, memory_order_relaxed);
    return shape;
}

void abut_shape_destroy(AbutShape* shape)
{
    if (shape == NULL)
    {
        return;
    }
    uint32_t owners = atomic_fetch_sub_explicit(&shape->owners, 1, memory_order_acq_rel);
    ABUT_ASSERT(owners > 0);
    if (owners == 1)
    {
        if (shape->class->release != NULL)
        {
            shape->class->release(shape);
        }
        AbutShapeCompanion* companion = atomic_load_explicit(&shape->companion, memory_order_acquire);
        if (companion != NULL)
        {
            companion->release(companion);
        }
        AbutHost host = shape->host;
        abut_memory_free(&host, shape, 1, shape->size);
    }
}

void abut_shape_scratch_init(AbutShapeScratch* scratch, AbutSamples like)
{
    bool gradient = like.gradient_x != NULL;
    scratch->samples = (AbutSamples){
        .distance = scratch->values[0],
        .gradient_x = gradient ? scratch->values[1] : NULL,
        .gradient_y = gradient ? scratch->values[2] : NULL,
        .gradient_z = gradient ? scratch->values[3] : NULL,
    };
}

AbutResult abut_shape_check_length(float length, const char* kind, const char* name)
{
    if (!(length >= ABUT_SHAPE_MIN_LENGTH && length <= ABUT_SHAPE_MAX_LENGTH))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "%s: the %s is %g; it must be from %g to %g", kind, name,
                         (double)length, (double)ABUT_SHAPE_MIN_LENGTH, (double)ABUT_SHAPE_MAX_LENGTH);
    }
    return ABUT_OK;
}

AbutResult abut_shape_check_children(AbutShape* const* children, uint32_t count, const char* kind)
{
    if (count == 0 || children == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "%s: there must be at least one child", kind);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        if (children[i] == NULL)
        {
            return abut_fail(ABUT_INVALID_ARGUMENT, "%s: child %u of %u is NULL", kind, i, count);
        }
        if (children[i]->depth >= ABUT_SHAPE_MAX_DEPTH)
        {
            return abut_fail(ABUT_LIMIT_EXCEEDED, "%s: child %u is nested %u deep already; at most %d", kind,
                             i, children[i]->depth, ABUT_SHAPE_MAX_DEPTH);
        }
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Samples
// -----------------------------------------------------------------------------------------------------------

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
