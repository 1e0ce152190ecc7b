// Convex hulls as shapes: samples in double, rounded once.
#include "shape/convex.h"

#include "base/fp_env.h"
#include "hull/distance.h"
#include "math/rounding.h"

static void sample_convex(const AbutShape* shape, const AbutTransform* frame, AbutPoints points, size_t count,
                          AbutSamples out)
{
    const AbutHull* hull = abut_convex_hull(shape);
    for (size_t i = 0; i < count; ++i)
    {
        AbutDVec3 p = abut_dvec3(points.x[i], points.y[i], points.z[i]);
        AbutHullDistance sample =
            abut_hull_distance(hull, frame != NULL ? abut_transform_inverse_point(frame, p) : p);
        out.distance[i] = (float)(frame != NULL ? sample.distance * frame->scale : sample.distance);
        if (out.gradient_x != NULL)
        {
            AbutDVec3 g = frame != NULL ? abut_transform_rotate(frame, sample.normal) : sample.normal;
            out.gradient_x[i] = (float)g.x;
            out.gradient_y[i] = (float)g.y;
            out.gradient_z[i] = (float)g.z;
        }
    }
}

static void release_convex(AbutShape* shape)
{
    abut_hull_destroy(((AbutConvexShape*)shape)->hull, &shape->host);
}

static const AbutShapeClass convex_class = { .sample = sample_convex, .release = release_convex };

AbutResult abut_shape_create_convex(const AbutVec3* points, size_t count, const AbutHost* host,
                                    AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_convex, points, count, host, out);
    *out = NULL;
    AbutHull* hull = NULL;
    AbutResult result = abut_hull_create(points, count, host, &hull);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutConvexShape* self =
        abut_shape_allocate(sizeof(AbutConvexShape), ABUT_SHAPE_CONVEX, &convex_class, host);
    if (self == NULL)
    {
        abut_hull_destroy(hull, host);
        return ABUT_OUT_OF_MEMORY;
    }
    self->hull = hull;
    self->base.info.convex = true;
    self->base.info.bounds = hull->bounds;
    self->base.info.bytes += hull->size;
    self->base.rounding.length = abut_round_up(hull->radius);
    *out = &self->base;
    return ABUT_OK;
}

const AbutHull* abut_shape_hull(const AbutShape* shape)
{
    return shape->info.kind == ABUT_SHAPE_CONVEX ? abut_convex_hull(shape) : NULL;
}
