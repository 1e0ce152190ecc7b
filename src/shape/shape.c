#include "shape/shape.h"

#include "base/assert.h"
#include "base/memory.h"

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
