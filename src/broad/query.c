// Boxes and rays against the set. Structures have the fat boxes of the last update; hits are compared with
// the box itself, and boxes that have changed since are compared one by one.
#include "broad/broad.h"

#include "base/fp_env.h"
#include "broad/pack_scan.h"

static bool has_changed(const AbutBroad* broad, uint32_t id)
{
    return (broad->flags[id] & ABUT_BROAD_CHANGED) != 0;
}

// -----------------------------------------------------------------------------------------------------------
// Boxes
// -----------------------------------------------------------------------------------------------------------

typedef struct BoxQuery
{
    const AbutBroad* broad;
    AbutBox box;
    uint32_t mask;
    AbutBroadBoxFn* visit;
    void* user;
} BoxQuery;

static bool test_box(const BoxQuery* query, uint32_t id)
{
    const AbutBroad* broad = query->broad;
    return !abut_box_overlap(broad->boxes[id], query->box) || (broad->filters[id].group & query->mask) == 0 ||
           query->visit(query->user, id);
}

static bool test_unchanged(void* context, uint32_t id)
{
    const BoxQuery* query = context;
    return has_changed(query->broad, id) || test_box(query, id);
}

void abut_broad_query_box(const AbutBroad* broad, AbutBox box, uint32_t mask, AbutBroadBoxFn* visit,
                          void* user)
{
    ABUT_FP_CALL_VOID(abut_broad_query_box, broad, box, mask, visit, user);
    BoxQuery query = { broad, box, mask, visit, user };
    if (abut_box_is_empty(box))
    {
        return;
    }
    if (!broad->structure_valid)
    {
        for (uint32_t id = 0; id < broad->id_count && test_box(&query, id); ++id)
        {
        }
        return;
    }
    bool more = broad->table->query_box(broad->structure, &box, test_unchanged, &query) &&
                abut_pack_scan_box(&broad->loose, 0, broad->loose.count, &box, test_unchanged, &query);
    for (uint32_t i = 0; i < broad->changed_count && more; ++i)
    {
        more = test_box(&query, broad->changed[i]);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Rays
// -----------------------------------------------------------------------------------------------------------

typedef struct RayQuery
{
    const AbutBroad* broad;
    uint32_t mask;
    AbutBroadRayFn* visit;
    void* user;
} RayQuery;

/// Clips [*enter, *leave] to the part of the ray between two planes, as the kernel does.
static void clip(float origin, float direction, float low, float high, float* enter, float* leave)
{
    if (direction == 0.0f)
    {
        *leave = low <= origin && origin <= high ? *leave : -1.0f;
        return;
    }
    float from = ((direction > 0.0f ? low : high) - origin) / direction;
    float to = ((direction > 0.0f ? high : low) - origin) / direction;
    *enter = from > *enter ? from : *enter;
    *leave = to < *leave ? to : *leave;
}

static void test_ray(const RayQuery* query, AbutBoxRay* ray, uint32_t id)
{
    const AbutBox* box = &query->broad->boxes[id];
    float enter = 0.0f, leave = ray->limit;
    if (!(box->min.x <= box->max.x) || (query->broad->filters[id].group & query->mask) == 0)
    {
        return;
    }
    const float margin = ray->margin;
    clip(ray->origin[0], ray->direction[0], box->min.x - margin, box->max.x + margin, &enter, &leave);
    clip(ray->origin[1], ray->direction[1], box->min.y - margin, box->max.y + margin, &enter, &leave);
    clip(ray->origin[2], ray->direction[2], box->min.z - margin, box->max.z + margin, &enter, &leave);
    if (enter <= leave && enter < INFINITY) // not a box at infinity
    {
        float limit = query->visit(query->user, id, enter, ray->limit);
        ray->limit = limit < ray->limit ? limit : ray->limit;
    }
}

static void test_unchanged_ray(void* context, AbutBoxRay* ray, uint32_t id)
{
    const RayQuery* query = context;
    if (!has_changed(query->broad, id))
    {
        test_ray(query, ray, id);
    }
}

static void query_all(const RayQuery* query, AbutBoxRay* ray)
{
    const AbutBroad* broad = query->broad;
    for (uint32_t id = 0; !broad->structure_valid && id < broad->id_count; ++id)
    {
        test_ray(query, ray, id);
    }
    if (broad->structure_valid)
    {
        broad->table->query_ray(broad->structure, ray, test_unchanged_ray, (void*)query);
        abut_pack_scan_ray(&broad->loose, ray, test_unchanged_ray, (void*)query);
        for (uint32_t i = 0; i < broad->changed_count; ++i)
        {
            test_ray(query, ray, broad->changed[i]);
        }
    }
}

AbutResult abut_broad_query_ray(const AbutBroad* broad, const AbutBroadRay* ray, AbutBroadRayFn* visit,
                                void* user)
{
    ABUT_FP_CALL(abut_broad_query_ray, broad, ray, visit, user);
    if (!abut_vec3_is_finite(ray->origin) || !abut_vec3_is_finite(ray->direction) || !(ray->limit >= 0.0f) ||
        !(ray->margin >= 0.0f) || !isfinite(ray->margin))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "a ray from (%g, %g, %g) along (%g, %g, %g) to %g with room %g: the first two and "
                         "the room must be "
                         "finite, limit and room not negative",
                         (double)ray->origin.x, (double)ray->origin.y, (double)ray->origin.z,
                         (double)ray->direction.x, (double)ray->direction.y, (double)ray->direction.z,
                         (double)ray->limit, (double)ray->margin);
    }
    RayQuery query = { broad, ray->mask, visit, user };
    AbutBoxRay walked = { { ray->origin.x, ray->origin.y, ray->origin.z },
                          { ray->direction.x, ray->direction.y, ray->direction.z },
                          ray->limit,
                          ray->margin };
    query_all(&query, &walked);
    return ABUT_OK;
}
