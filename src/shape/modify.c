// Shapes made of one other shape: offset, shell, corrected and transformed.
#include "shape/kernels.h"
#include "shape/resolve.h"

#include "base/fp_env.h"

static void release_modified(AbutShape* shape)
{
    abut_shape_destroy(((AbutModifiedShape*)shape)->child);
}

/// Lengths of the shape's own frame are scaled with it.
static float scaled_amount(const AbutModifiedShape* self, const AbutTransform* frame)
{
    return frame != NULL ? (float)(self->amount * frame->scale) : self->amount;
}

static void sample_offset(const AbutShape* shape, const AbutTransform* frame, AbutPoints points, size_t count,
                          AbutSamples out)
{
    const AbutModifiedShape* self = (const AbutModifiedShape*)shape;
    abut_shape_sample_batch(self->child, frame, points, count, out);
    abut_shape_kernels()->offset(scaled_amount(self, frame), out, count);
}

static void sample_shell(const AbutShape* shape, const AbutTransform* frame, AbutPoints points, size_t count,
                         AbutSamples out)
{
    const AbutModifiedShape* self = (const AbutModifiedShape*)shape;
    abut_shape_sample_batch(self->child, frame, points, count, out);
    abut_shape_kernels()->shell(scaled_amount(self, frame), out, count);
}

static void sample_corrected(const AbutShape* shape, const AbutTransform* frame, AbutPoints points,
                             size_t count, AbutSamples out)
{
    const AbutModifiedShape* self = (const AbutModifiedShape*)shape;
    abut_shape_sample_batch(self->child, frame, points, count, out);
    abut_shape_kernels()->scale(self->amount, out, count);
}

static void sample_transformed(const AbutShape* shape, const AbutTransform* frame, AbutPoints points,
                               size_t count, AbutSamples out)
{
    const AbutModifiedShape* self = (const AbutModifiedShape*)shape;
    AbutTransform local = frame != NULL ? abut_transform_multiply(frame, &self->frame) : self->frame;
    abut_shape_sample_batch(self->child, &local, points, count, out);
}

static double error_of_child(const AbutShape* shape, const AbutTransform* frame, AbutDVec3 point)
{
    return abut_shape_error_at(((const AbutModifiedShape*)shape)->child, frame, point);
}

static double error_of_transformed(const AbutShape* shape, const AbutTransform* frame, AbutDVec3 point)
{
    const AbutModifiedShape* self = (const AbutModifiedShape*)shape;
    AbutTransform local = frame != NULL ? abut_transform_multiply(frame, &self->frame) : self->frame;
    return abut_shape_error_at(self->child, &local, point);
}

static const AbutShapeClass offset_class = { .sample = sample_offset,
                                             .error = error_of_child,
                                             .release = release_modified };
static const AbutShapeClass shell_class = { .sample = sample_shell, .release = release_modified };
static const AbutShapeClass corrected_class = { .sample = sample_corrected, .release = release_modified };
static const AbutShapeClass transformed_class = { .sample = sample_transformed,
                                                  .error = error_of_transformed,
                                                  .release = release_modified };

/// Starts with all properties of the child.
static AbutResult create_modified(AbutShapeKind kind, const AbutShapeClass* class, AbutShape* child,
                                  const AbutHost* host, AbutModifiedShape** out)
{
    AbutResult result = abut_shape_check_children(&child, 1, abut_shape_kind_name(kind));
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModifiedShape* self = abut_shape_allocate(sizeof(AbutModifiedShape), kind, class, host);
    if (self == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    self->child = abut_shape_retain(child);
    self->base.depth = child->depth + 1;
    self->base.lower_lipschitz = child->lower_lipschitz;
    self->base.rounding = child->rounding;
    self->base.info = child->info;
    self->base.info.kind = kind;
    self->base.info.bytes = child->info.bytes + sizeof(AbutModifiedShape);
    *out = self;
    return ABUT_OK;
}

/// Bounds and growth of f − distance, or of a function that is nowhere smaller.
static void resize(AbutShape* shape, float distance)
{
    shape->info.bounds = abut_lipschitz_offset_bounds(shape->info.bounds, shape->lower_lipschitz, distance);
    shape->lower_lipschitz = abut_lipschitz_of_offset(shape->lower_lipschitz, distance);
}

/// Level sets outside of a solid are exact distances to each other; inside of it only where the solid is
/// convex.
static AbutDistanceKind offset_distance_kind(const AbutShapeInfo* child, float distance)
{
    AbutDistanceKind kept = distance >= 0.0f ? ABUT_DISTANCE_EXACT_OUTSIDE : ABUT_DISTANCE_EXACT_INSIDE;
    if (child->distance_kind == ABUT_DISTANCE_EXACT)
    {
        return child->convex && distance >= 0.0f ? ABUT_DISTANCE_EXACT : kept;
    }
    return child->distance_kind == kept ? kept : ABUT_DISTANCE_BOUND;
}

AbutResult abut_shape_create_offset(AbutShape* child, float distance, const AbutHost* host, AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_offset, child, distance, host, out);
    *out = NULL;
    if (!(fabsf(distance) <= ABUT_SHAPE_MAX_LENGTH))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "offset: the distance is %g; its size must be at most %g",
                         (double)distance, (double)ABUT_SHAPE_MAX_LENGTH);
    }
    AbutModifiedShape* self = NULL;
    AbutResult result = create_modified(ABUT_SHAPE_OFFSET, &offset_class, child, host, &self);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutShapeInfo* info = &self->base.info;
    self->amount = distance;
    self->base.rounding = abut_shape_rounding_add(child->rounding, fabsf(distance), 2.0f);
    info->distance_kind = offset_distance_kind(&child->info, distance);
    info->band = fmaxf(0.0f, info->band - fabsf(distance));
    resize(&self->base, distance);
    *out = &self->base;
    return ABUT_OK;
}

AbutResult abut_shape_create_shell(AbutShape* child, float thickness, const AbutHost* host, AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_shell, child, thickness, host, out);
    *out = NULL;
    AbutResult result = abut_shape_check_length(thickness, "shell", "thickness");
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModifiedShape* self = NULL;
    result = create_modified(ABUT_SHAPE_SHELL, &shell_class, child, host, &self);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutShapeInfo* info = &self->base.info;
    self->amount = 0.5f * thickness;
    self->base.rounding = abut_shape_rounding_add(child->rounding, thickness, 2.0f);
    info->distance_kind =
        child->info.distance_kind == ABUT_DISTANCE_EXACT ? ABUT_DISTANCE_EXACT_OUTSIDE : ABUT_DISTANCE_BOUND;
    info->convex = false;
    info->band = fmaxf(0.0f, info->band - 0.5f * thickness);
    resize(&self->base, self->amount);
    *out = &self->base;
    return ABUT_OK;
}

AbutResult abut_shape_create_corrected(AbutShape* child, float factor, const AbutHost* host, AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_corrected, child, factor, host, out);
    *out = NULL;
    AbutResult result = abut_shape_check_length(factor, "corrected shape", "factor");
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModifiedShape* self = NULL;
    result = create_modified(ABUT_SHAPE_CORRECTED, &corrected_class, child, host, &self);
    if (result != ABUT_OK)
    {
        return result;
    }
    self->amount = 1.0f / factor;
    self->base.rounding = abut_shape_rounding_add(child->rounding, 0.0f, 4.0f * fmaxf(1.0f, 1.0f / factor));
    self->base.lower_lipschitz = abut_lipschitz_divided(child->lower_lipschitz, factor);
    self->base.info.distance_kind = ABUT_DISTANCE_BOUND;
    self->base.info.lipschitz = 1.0f;
    *out = &self->base;
    return ABUT_OK;
}

/// Lengths in the unit of the outer frame, where the origin of the child differs from that of the shape.
static AbutShapeRounding rounding_transformed(AbutShapeRounding child, const AbutPose* pose)
{
    AbutPosition p = pose->position;
    double away = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    child.length = (float)((double)child.length * (double)pose->scale + away);
    child.precise_length *= pose->scale;
    return child;
}

AbutResult abut_shape_create_transformed(AbutShape* child, const AbutPose* pose, const AbutHost* host,
                                         AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_transformed, child, pose, host, out);
    *out = NULL;
    if (!abut_pose_is_valid(pose))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "placed shape: the pose must be finite, with a unit quaternion and a scale over 0");
    }
    AbutResult result = abut_shape_check_length(pose->scale, "placed shape", "scale");
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModifiedShape* self = NULL;
    result = create_modified(ABUT_SHAPE_TRANSFORMED, &transformed_class, child, host, &self);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutShapeInfo* info = &self->base.info;
    self->frame = abut_transform_from_pose(pose);
    info->bounds = abut_lipschitz_transform_bounds(child->info.bounds, pose);
    self->base.lower_lipschitz = abut_lipschitz_transformed(child->lower_lipschitz, &self->frame);
    self->base.rounding = rounding_transformed(child->rounding, pose);
    info->error *= pose->scale;
    info->band *= pose->scale;
    *out = &self->base;
    return ABUT_OK;
}
