// Union, intersection, difference and smooth union: children sampled one after the other and merged by a
// kernel.
#include "base/fp_env.h"
#include "base/memory.h"
#include "shape/kernels.h"
#include "shape/shape.h"

#include <string.h>

typedef struct Combination
{
    AbutShape base;
    AbutShape** children;
    uint32_t child_count;
    float radius; // of a smooth union
} Combination;

static void merge(AbutShapeKind kind, float radius, AbutSamples into, AbutSamples other, size_t count)
{
    const AbutShapeKernels* kernels = abut_shape_kernels();
    switch (kind)
    {
    case ABUT_SHAPE_INTERSECTION:
        kernels->maximum(into, other, count);
        break;
    case ABUT_SHAPE_DIFFERENCE:
        kernels->difference(into, other, count);
        break;
    case ABUT_SHAPE_SMOOTH_UNION:
        kernels->smooth_minimum(radius, into, other, count);
        break;
    default:
        kernels->minimum(into, other, count);
        break;
    }
}

/// The radius of a blend is a length of the shape's own frame, and scaled with it.
__attribute__((noinline)) static void sample_whole(const AbutShape* shape, const AbutTransform* frame,
                                                   AbutPoints points, size_t count, AbutSamples out)
{
    const Combination* self = (const Combination*)shape;
    float radius = frame != NULL ? (float)(self->radius * frame->scale) : self->radius;
    AbutShapeScratch scratch;
    abut_shape_scratch_init(&scratch, out);
    abut_shape_sample_batch(self->children[0], frame, points, count, out);
    for (uint32_t i = 1; i < self->child_count; ++i)
    {
        abut_shape_sample_batch(self->children[i], frame, points, count, scratch.samples);
        merge(shape->info.kind, radius, out, scratch.samples, count);
    }
}

enum
{
    DEEP = 8,      // levels of nesting that are sampled batch by batch
    SUB_BATCH = 16 // points at a time of those above: 64 levels take little stack
};

static void sample_sub_batch(const AbutShape* shape, const AbutTransform* frame, AbutPoints points,
                             size_t count, AbutSamples out)
{
    const Combination* self = (const Combination*)shape;
    float radius = frame != NULL ? (float)(self->radius * frame->scale) : self->radius, buffer[4][SUB_BATCH];
    AbutSamples other = { .distance = buffer[0] };
    if (out.gradient_x != NULL)
    {
        other = (AbutSamples){ buffer[0], buffer[1], buffer[2], buffer[3] };
    }
    abut_shape_sample_batch(self->children[0], frame, points, count, out);
    for (uint32_t i = 1; i < self->child_count; ++i)
    {
        abut_shape_sample_batch(self->children[i], frame, points, count, other);
        merge(shape->info.kind, radius, out, other, count);
    }
}

static void sample_combination(const AbutShape* shape, const AbutTransform* frame, AbutPoints points,
                               size_t count, AbutSamples out)
{
    if (shape->depth <= DEEP)
    {
        sample_whole(shape, frame, points, count, out);
        return;
    }
    for (size_t i = 0; i < count; i += SUB_BATCH)
    {
        AbutPoints at = { points.x + i, points.y + i, points.z + i };
        AbutSamples to = { .distance = out.distance + i };
        if (out.gradient_x != NULL)
        {
            to =
                (AbutSamples){ out.distance + i, out.gradient_x + i, out.gradient_y + i, out.gradient_z + i };
        }
        sample_sub_batch(shape, frame, at, count - i < SUB_BATCH ? count - i : SUB_BATCH, to);
    }
}

static void release_combination(AbutShape* shape)
{
    Combination* self = (Combination*)shape;
    for (uint32_t i = 0; i < self->child_count; ++i)
    {
        abut_shape_destroy(self->children[i]);
    }
    abut_memory_free(&shape->host, self->children, self->child_count, sizeof(AbutShape*));
}

static const AbutShapeClass combination_class = { .sample = sample_combination,
                                                  .release = release_combination };

/// Members common to all combinations; the caller sets bounds, kind of distance and convexity.
static AbutResult create_combination(AbutShapeKind kind, AbutShape* const* children, uint32_t count,
                                     const AbutHost* host, Combination** out)
{
    AbutResult result = abut_shape_check_children(children, count, abut_shape_kind_name(kind));
    if (result != ABUT_OK)
    {
        return result;
    }
    Combination* self = abut_shape_allocate(sizeof(Combination), kind, &combination_class, host);
    if (self == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    self->children = abut_memory_allocate(&self->base.host, count, sizeof(AbutShape*));
    if (self->children == NULL)
    {
        abut_shape_destroy(&self->base);
        return ABUT_OUT_OF_MEMORY;
    }
    AbutShapeInfo* info = &self->base.info;
    info->bytes += count * sizeof(AbutShape*);
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutShape* child = children[i];
        self->children[i] = abut_shape_retain(children[i]);
        self->child_count += 1;
        self->base.depth = child->depth + 1 > self->base.depth ? child->depth + 1 : self->base.depth;
        self->base.lower_lipschitz =
            abut_lipschitz_of_union(self->base.lower_lipschitz, child->lower_lipschitz);
        self->base.rounding = abut_shape_rounding_combine(self->base.rounding, child->rounding);
        info->lipschitz = i == 0 ? child->info.lipschitz : fmaxf(info->lipschitz, child->info.lipschitz);
        info->error = fmaxf(info->error, child->info.error);
        info->band = fminf(info->band, child->info.band);
        info->bytes += child->info.bytes;
    }
    *out = self;
    return ABUT_OK;
}

/// True when every child is exact on the given side.
static bool all_exact(const Combination* self, AbutDistanceKind side)
{
    for (uint32_t i = 0; i < self->child_count; ++i)
    {
        AbutDistanceKind kind = self->children[i]->info.distance_kind;
        if (kind != ABUT_DISTANCE_EXACT && kind != side)
        {
            return false;
        }
    }
    return true;
}

static AbutDistanceKind exact_on(const Combination* self, AbutDistanceKind side)
{
    if (self->child_count == 1)
    {
        return self->children[0]->info.distance_kind;
    }
    return all_exact(self, side) ? side : ABUT_DISTANCE_BOUND;
}

AbutResult abut_shape_create_union(AbutShape* const* children, uint32_t count, const AbutHost* host,
                                   AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_union, children, count, host, out);
    *out = NULL;
    Combination* self = NULL;
    AbutResult result = create_combination(ABUT_SHAPE_UNION, children, count, host, &self);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutBox bounds = abut_box_empty();
    for (uint32_t i = 0; i < count; ++i)
    {
        bounds = abut_box_union(bounds, children[i]->info.bounds);
    }
    self->base.info.bounds = bounds;
    self->base.info.convex = count == 1 && children[0]->info.convex;
    self->base.info.distance_kind = exact_on(self, ABUT_DISTANCE_EXACT_OUTSIDE);
    *out = &self->base;
    return ABUT_OK;
}

static void sides_of(AbutBox box, float sides[6])
{
    const AbutVec3 low = box.min, high = box.max;
    const float values[6] = { low.x, low.y, low.z, high.x, high.y, high.z };
    memcpy(sides, values, sizeof(values));
}

/// max(f₁, f₂, ...) grows at each face of `bounds` as the children with that face do; where one of them has
/// all faces, as that one.
static AbutLowerLipschitz intersection_lipschitz(const Combination* self, AbutBox bounds)
{
    float sides[6], along[6];
    sides_of(bounds, sides);
    for (int side = 0; side < 6; ++side)
    {
        along[side] = isinf(sides[side]) ? 1.0f : INFINITY;
    }
    float euclidean = INFINITY;
    for (uint32_t i = 0; i < self->child_count; ++i)
    {
        const AbutShape* child = self->children[i];
        float own[6];
        sides_of(child->info.bounds, own);
        bool has_all = true;
        for (int side = 0; side < 6; ++side)
        {
            bool has = own[side] == sides[side];
            along[side] = has ? fminf(along[side], child->lower_lipschitz.max_norm) : along[side];
            has_all = has_all && has;
        }
        euclidean = has_all ? fminf(euclidean, child->lower_lipschitz.euclidean) : euclidean;
    }
    return abut_lipschitz_of_intersection(along, euclidean);
}

AbutResult abut_shape_create_intersection(AbutShape* const* children, uint32_t count, const AbutHost* host,
                                          AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_intersection, children, count, host, out);
    *out = NULL;
    Combination* self = NULL;
    AbutResult result = create_combination(ABUT_SHAPE_INTERSECTION, children, count, host, &self);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutBox bounds = abut_box_infinite();
    bool convex = true;
    for (uint32_t i = 0; i < count; ++i)
    {
        bounds = abut_box_intersection(bounds, children[i]->info.bounds);
        convex = convex && children[i]->info.convex;
    }
    self->base.info.bounds = bounds;
    self->base.lower_lipschitz = intersection_lipschitz(self, bounds);
    self->base.info.convex = convex;
    self->base.info.distance_kind = exact_on(self, ABUT_DISTANCE_EXACT_INSIDE);
    *out = &self->base;
    return ABUT_OK;
}

AbutResult abut_shape_create_difference(AbutShape* a, AbutShape* b, const AbutHost* host, AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_difference, a, b, host, out);
    *out = NULL;
    AbutShape* children[2] = { a, b };
    Combination* self = NULL;
    AbutResult result = create_combination(ABUT_SHAPE_DIFFERENCE, children, 2, host, &self);
    if (result != ABUT_OK)
    {
        return result;
    }
    // Inside: max of two exact depths, where that of the hole is the distance outside of b.
    AbutDistanceKind ka = a->info.distance_kind, kb = b->info.distance_kind;
    bool exact = (ka == ABUT_DISTANCE_EXACT || ka == ABUT_DISTANCE_EXACT_INSIDE) &&
                 (kb == ABUT_DISTANCE_EXACT || kb == ABUT_DISTANCE_EXACT_OUTSIDE);
    self->base.info.distance_kind = exact ? ABUT_DISTANCE_EXACT_INSIDE : ABUT_DISTANCE_BOUND;
    self->base.info.bounds = a->info.bounds;
    self->base.lower_lipschitz = a->lower_lipschitz;
    *out = &self->base;
    return ABUT_OK;
}

AbutResult abut_shape_create_smooth_union(AbutShape* a, AbutShape* b, float radius, const AbutHost* host,
                                          AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_smooth_union, a, b, radius, host, out);
    *out = NULL;
    AbutResult result = abut_shape_check_length(radius, "smooth union", "radius");
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutShape* children[2] = { a, b };
    Combination* self = NULL;
    result = create_combination(ABUT_SHAPE_SMOOTH_UNION, children, 2, host, &self);
    if (result != ABUT_OK)
    {
        return result;
    }
    self->radius = radius;
    self->base.rounding = abut_shape_rounding_add(self->base.rounding, radius, 8.0f);
    self->base.info.distance_kind = ABUT_DISTANCE_BOUND;
    // Nowhere smaller than min(a, b) − radius/4.
    AbutBox both = abut_box_union(a->info.bounds, b->info.bounds);
    self->base.info.bounds = abut_lipschitz_offset_bounds(both, self->base.lower_lipschitz, 0.25f * radius);
    self->base.lower_lipschitz = abut_lipschitz_of_offset(self->base.lower_lipschitz, 0.25f * radius);
    *out = &self->base;
    return ABUT_OK;
}
