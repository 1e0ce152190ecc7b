// Exact primitives: a few numbers and a kernel.
#include "math/rounding.h"
#include "shape/kernels.h"
#include "shape/precise.h"
#include "shape/resolve.h"
#include "shape/shape.h"

#include "base/fp_env.h"

static AbutPrimitiveKernel* kernel_of(const AbutShapeKernels* kernels, AbutShapeKind kind)
{
    switch (kind)
    {
    case ABUT_SHAPE_SPHERE:
        return kernels->sphere;
    case ABUT_SHAPE_CAPSULE:
        return kernels->capsule;
    case ABUT_SHAPE_CYLINDER:
        return kernels->cylinder;
    case ABUT_SHAPE_CONE:
        return kernels->cone;
    case ABUT_SHAPE_TORUS:
        return kernels->torus;
    case ABUT_SHAPE_PLANE:
        return kernels->plane;
    default:
        return kernels->rounded_box; // sharp boxes too, with radius 0
    }
}

static void sample_local(const AbutShape* shape, AbutPoints points, size_t count, AbutSamples out)
{
    kernel_of(abut_shape_kernels(), shape->info.kind)(((const AbutPrimitiveShape*)shape)->parameters, points,
                                                      count, out);
}

static AbutPreciseKernel* precise_kernel_of(AbutShapeKind kind)
{
    switch (kind)
    {
    case ABUT_SHAPE_SPHERE:
        return abut_precise_sphere;
    case ABUT_SHAPE_CAPSULE:
        return abut_precise_capsule;
    case ABUT_SHAPE_CYLINDER:
        return abut_precise_cylinder;
    case ABUT_SHAPE_CONE:
        return abut_precise_cone;
    case ABUT_SHAPE_TORUS:
        return abut_precise_torus;
    case ABUT_SHAPE_PLANE:
        return abut_precise_plane;
    default:
        return abut_precise_rounded_box;
    }
}

static void sample_primitive(const AbutShape* shape, const AbutTransform* frame, AbutPoints points,
                             size_t count, AbutSamples out)
{
    if (frame != NULL && frame->precise)
    {
        precise_kernel_of(shape->info.kind)(((const AbutPrimitiveShape*)shape)->exact, frame, points, count,
                                            out);
        return;
    }
    abut_shape_sample_local(shape, sample_local, frame, points, count, out);
}

static const AbutShapeClass primitive_class = { .sample = sample_primitive };

/// A primitive with `half_extents` around the origin; the caller fills the parameters.
static AbutResult create_primitive(AbutShapeKind kind, AbutVec3 half_extents, bool convex,
                                   const AbutHost* host, AbutPrimitiveShape** out)
{
    AbutPrimitiveShape* self = abut_shape_allocate(sizeof(AbutPrimitiveShape), kind, &primitive_class, host);
    if (self == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    self->base.info.convex = convex;
    self->base.info.bounds = abut_box(abut_vec3_scale(half_extents, -1.0f), half_extents);
    self->base.rounding.length = abut_vec3_length(half_extents);
    *out = self;
    return ABUT_OK;
}

/// The rest are 0.
static void set_parameters(AbutPrimitiveShape* self, const double* exact, int count)
{
    for (int i = 0; i < count; ++i)
    {
        self->exact[i] = exact[i];
        self->parameters[i] = (float)exact[i];
    }
}

AbutResult abut_shape_create_sphere(float radius, const AbutHost* host, AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_sphere, radius, host, out);
    *out = NULL;
    AbutResult result = abut_shape_check_length(radius, "sphere", "radius");
    AbutPrimitiveShape* self = NULL;
    if (result == ABUT_OK)
    {
        result = create_primitive(ABUT_SHAPE_SPHERE, abut_vec3(radius, radius, radius), true, host, &self);
    }
    if (result == ABUT_OK)
    {
        set_parameters(self, (const double[]){ radius }, 1);
        *out = &self->base;
    }
    return result;
}

static AbutResult check_extents(AbutVec3 extents, const char* kind)
{
    AbutResult result = abut_shape_check_length(extents.x, kind, "extent along x");
    if (result == ABUT_OK)
    {
        result = abut_shape_check_length(extents.y, kind, "extent along y");
    }
    if (result == ABUT_OK)
    {
        result = abut_shape_check_length(extents.z, kind, "extent along z");
    }
    return result;
}

static AbutResult create_box(AbutShapeKind kind, AbutVec3 extents, float radius, const AbutHost* host,
                             AbutShape** out)
{
    AbutVec3 half = abut_vec3_scale(extents, 0.5f);
    AbutPrimitiveShape* self = NULL;
    AbutResult result = create_primitive(kind, half, true, host, &self);
    if (result == ABUT_OK)
    {
        double r = radius;
        set_parameters(self, (const double[]){ half.x - r, half.y - r, half.z - r, r }, 4);
        *out = &self->base;
    }
    return result;
}

AbutResult abut_shape_create_box(AbutVec3 extents, const AbutHost* host, AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_box, extents, host, out);
    *out = NULL;
    AbutResult result = check_extents(extents, "box");
    return result == ABUT_OK ? create_box(ABUT_SHAPE_BOX, extents, 0.0f, host, out) : result;
}

AbutResult abut_shape_create_rounded_box(AbutVec3 extents, float radius, const AbutHost* host,
                                         AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_rounded_box, extents, radius, host, out);
    *out = NULL;
    AbutResult result = check_extents(extents, "rounded box");
    if (result != ABUT_OK)
    {
        return result;
    }
    float most = 0.5f * fminf(extents.x, fminf(extents.y, extents.z));
    if (!(radius >= 0.0f && radius <= most))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "rounded box: the radius is %g; it must be from 0 to %g, half the smallest extent",
                         (double)radius, (double)most);
    }
    return create_box(ABUT_SHAPE_ROUNDED_BOX, extents, radius, host, out);
}

AbutResult abut_shape_create_capsule(float radius, float length, const AbutHost* host, AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_capsule, radius, length, host, out);
    *out = NULL;
    AbutResult result = abut_shape_check_length(radius, "capsule", "radius");
    if (result == ABUT_OK && length != 0.0f)
    {
        result = abut_shape_check_length(length, "capsule", "length");
    }
    AbutPrimitiveShape* self = NULL;
    if (result == ABUT_OK)
    {
        AbutVec3 half = abut_vec3(radius, abut_round_up(0.5 * (double)length + (double)radius), radius);
        result = create_primitive(ABUT_SHAPE_CAPSULE, half, true, host, &self);
    }
    if (result == ABUT_OK)
    {
        set_parameters(self, (const double[]){ radius, 0.5 * (double)length }, 2);
        *out = &self->base;
    }
    return result;
}

AbutResult abut_shape_create_cylinder(float radius, float length, const AbutHost* host, AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_cylinder, radius, length, host, out);
    *out = NULL;
    AbutResult result = abut_shape_check_length(radius, "cylinder", "radius");
    if (result == ABUT_OK)
    {
        result = abut_shape_check_length(length, "cylinder", "length");
    }
    AbutPrimitiveShape* self = NULL;
    if (result == ABUT_OK)
    {
        result = create_primitive(ABUT_SHAPE_CYLINDER, abut_vec3(radius, 0.5f * length, radius), true, host,
                                  &self);
    }
    if (result == ABUT_OK)
    {
        set_parameters(self, (const double[]){ radius, 0.5 * (double)length }, 2);
        *out = &self->base;
    }
    return result;
}

static AbutResult check_cone(float radius, float top_radius, float length)
{
    AbutResult result = radius != 0.0f ? abut_shape_check_length(radius, "cone", "bottom radius") : ABUT_OK;
    if (result == ABUT_OK && top_radius != 0.0f)
    {
        result = abut_shape_check_length(top_radius, "cone", "top radius");
    }
    if (result == ABUT_OK)
    {
        result = abut_shape_check_length(length, "cone", "length");
    }
    if (result == ABUT_OK && radius == 0.0f && top_radius == 0.0f)
    {
        result = abut_fail(ABUT_INVALID_ARGUMENT, "cone: both radii are 0");
    }
    return result;
}

AbutResult abut_shape_create_cone(float radius, float top_radius, float length, const AbutHost* host,
                                  AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_cone, radius, top_radius, length, host, out);
    *out = NULL;
    AbutResult result = check_cone(radius, top_radius, length);
    AbutPrimitiveShape* self = NULL;
    if (result == ABUT_OK)
    {
        float widest = fmaxf(radius, top_radius);
        result =
            create_primitive(ABUT_SHAPE_CONE, abut_vec3(widest, 0.5f * length, widest), true, host, &self);
    }
    if (result == ABUT_OK)
    {
        double side_out = (double)top_radius - (double)radius, side_y = length;
        double squared = side_out * side_out + side_y * side_y;
        const double exact[7] = {
            radius,
            top_radius,
            0.5 * (double)length,
            side_y / sqrt(squared),
            -side_out / sqrt(squared),
            side_out / squared,
            side_y / squared,
        };
        set_parameters(self, exact, 7);
        *out = &self->base;
    }
    return result;
}

AbutResult abut_shape_create_torus(float major_radius, float minor_radius, const AbutHost* host,
                                   AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_torus, major_radius, minor_radius, host, out);
    *out = NULL;
    AbutResult result = abut_shape_check_length(major_radius, "torus", "major radius");
    if (result == ABUT_OK)
    {
        result = abut_shape_check_length(minor_radius, "torus", "minor radius");
    }
    if (result == ABUT_OK && minor_radius > major_radius)
    {
        result =
            abut_fail(ABUT_INVALID_ARGUMENT, "torus: the minor radius %g is larger than the major radius %g",
                      (double)minor_radius, (double)major_radius);
    }
    AbutPrimitiveShape* self = NULL;
    if (result == ABUT_OK)
    {
        float extent = abut_round_up((double)major_radius + (double)minor_radius);
        result =
            create_primitive(ABUT_SHAPE_TORUS, abut_vec3(extent, minor_radius, extent), false, host, &self);
    }
    if (result == ABUT_OK)
    {
        set_parameters(self, (const double[]){ major_radius, minor_radius }, 2);
        *out = &self->base;
    }
    return result;
}

/// Infinite, but for a normal along an axis, which closes one side of the box.
static AbutBox plane_bounds(AbutVec3 n, float offset)
{
    AbutBox box = abut_box_infinite();
    float* low[3] = { &box.min.x, &box.min.y, &box.min.z };
    float* high[3] = { &box.max.x, &box.max.y, &box.max.z };
    const float component[3] = { n.x, n.y, n.z };
    for (int i = 0; i < 3; ++i)
    {
        bool along = component[(i + 1) % 3] == 0.0f && component[(i + 2) % 3] == 0.0f;
        if (along && component[i] > 0.0f)
        {
            *high[i] = offset;
        }
        else if (along)
        {
            *low[i] = -offset;
        }
    }
    return box;
}

AbutResult abut_shape_create_plane(AbutVec3 normal, float offset, const AbutHost* host, AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_plane, normal, offset, host, out);
    *out = NULL;
    double x = normal.x, y = normal.y, z = normal.z;
    double length = sqrt(x * x + y * y + z * z);
    if (!(length > 0.0) || !isfinite(length))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "plane: the normal (%g, %g, %g) has no direction", x, y, z);
    }
    if (!(fabsf(offset) <= ABUT_SHAPE_MAX_LENGTH))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "plane: the offset is %g; its size must be at most %g",
                         (double)offset, (double)ABUT_SHAPE_MAX_LENGTH);
    }
    AbutPrimitiveShape* self = NULL;
    AbutResult result = create_primitive(ABUT_SHAPE_PLANE, abut_vec3(0.0f, 0.0f, 0.0f), true, host, &self);
    if (result == ABUT_OK)
    {
        self->base.info.bounds = plane_bounds(normal, offset);
        self->base.rounding.length = fabsf(offset);
        set_parameters(self, (const double[]){ x / length, y / length, z / length, offset }, 4);
        *out = &self->base;
    }
    return result;
}
