// Point hulls kept with shapes.
#include "points/hull/kept.h"

#include "base/fp_env.h"
#include "points/hull/cells.h"
#include "shape/resolve.h"

#include <math.h>

void abut_point_hull_release(AbutShapeCompanion* companion)
{
    abut_point_hull_destroy((AbutPointHull*)companion);
}

/// A ball that sticks out of the shape by more than the error of its hull is one of another shape. Inside of
/// unions, where samples may be closer to zero than the surface, only the sign is compared.
static bool is_hull_of(const AbutPointHull* hull, const AbutShape* shape)
{
    const AbutPointHullHeader* h = hull->block;
    AbutDistanceKind kind = shape->info.distance_kind;
    bool exact = kind == ABUT_DISTANCE_EXACT || kind == ABUT_DISTANCE_EXACT_INSIDE;
    double spare = (double)h->error + 2.0 * abut_hull_promise(shape).error;
    float distance[ABUT_SHAPE_BATCH];
    bool good = true;
    for (uint32_t i = 0; i < h->count && good; i += ABUT_SHAPE_BATCH)
    {
        uint32_t count = h->count - i < ABUT_SHAPE_BATCH ? h->count - i : ABUT_SHAPE_BATCH;
        AbutPoints points = { hull->at[0] + i, hull->at[1] + i, hull->at[2] + i };
        abut_shape_sample_batch(shape, NULL, points, count, (AbutSamples){ .distance = distance });
        for (uint32_t k = 0; k < count && good; ++k)
        {
            double inside = exact ? -(double)distance[k] : (double)hull->radius[i + k];
            good = !((double)distance[k] > spare) && !((double)hull->radius[i + k] > inside + spare);
        }
    }
    return good;
}

AbutResult abut_point_hull_attach(AbutPointHull* hull, AbutShape* shape)
{
    ABUT_FP_CALL(abut_point_hull_attach, hull, shape);
    if (hull == NULL || shape == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "point hull: the hull or the shape is NULL");
    }
    if (!is_hull_of(hull, shape))
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "point hull: its balls stick out of this %s: it is of another shape",
                         abut_shape_kind_name(shape->info.kind));
    }
    AbutShapeCompanion* none = NULL;
    abut_point_hull_retain(hull);
    if (!atomic_compare_exchange_strong_explicit(&shape->companion, &none, &hull->companion,
                                                 memory_order_acq_rel, memory_order_acquire))
    {
        abut_point_hull_destroy(hull);
        return abut_fail(ABUT_INVALID_ARGUMENT, "point hull: the shape keeps one already");
    }
    return ABUT_OK;
}

const AbutPointHull* abut_point_hull_of(const AbutShape* shape)
{
    return (const AbutPointHull*)atomic_load_explicit(&shape->companion, memory_order_acquire);
}

static bool has_exact_outside(const AbutShape* shape)
{
    AbutDistanceKind kind = shape->info.distance_kind;
    return kind == ABUT_DISTANCE_EXACT || kind == ABUT_DISTANCE_EXACT_OUTSIDE;
}

AbutKeptHull abut_point_hull_find(const AbutShape* shape)
{
    AbutKeptHull kept = { .frame = abut_transform_identity() };
    bool good = true;
    uint32_t levels = 0;
    while (good && (kept.hull = abut_point_hull_of(shape)) == NULL && abut_shape_is_wrapper(shape))
    {
        const AbutModifiedShape* self = (const AbutModifiedShape*)shape;
        if (shape->info.kind == ABUT_SHAPE_OFFSET)
        {
            kept.offset += (double)self->amount * kept.frame.scale;
            kept.error += (double)self->child->info.error * kept.frame.scale;
            good = self->amount >= 0.0f && has_exact_outside(self->child);
        }
        else
        {
            kept.length += abut_dvec3_taxicab(self->frame.translation) * kept.frame.scale;
            kept.frame = abut_transform_multiply(&kept.frame, &self->frame);
        }
        shape = self->child;
        ++levels;
    }
    if (good && kept.hull != NULL)
    {
        kept.error += (double)kept.hull->block->error * kept.frame.scale;
        kept.length *= levels;
    }
    kept.hull = good ? kept.hull : NULL;
    return kept;
}
