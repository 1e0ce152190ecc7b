// Surface points sampled from shapes, shared by the bodies of a shape.
#include "dynamics/penalty/points.h"

#include "base/memory.h"
#include "dynamics/penalty/penalty.h"

static AbutResult sample(const AbutWorld* world, const AbutShape* shape, AbutPointSet** out)
{
    AbutPointsDef def = abut_points_def();
    def.count = world->def.penalty.point_count;
    def.spacing = world->def.penalty.point_spacing;
    def.host = &world->host;
    return abut_points_create_from_shape(&def, shape, out);
}

static AbutPointCache* find(const AbutPenalty* penalty, const AbutShape* shape)
{
    for (size_t i = 0; i < penalty->caches_count; ++i)
    {
        if (penalty->caches[i].shape == shape)
        {
            return &penalty->caches[i];
        }
    }
    return NULL;
}

static AbutResult share(AbutWorld* world, AbutShape* shape, AbutPointSet** out)
{
    AbutPenalty* penalty = abut_penalty(world);
    AbutPointCache* cache = find(penalty, shape);
    if (cache == NULL)
    {
        AbutPointSet* points = NULL;
        AbutResult result = sample(world, shape, &points);
        if (result != ABUT_OK)
        {
            return result;
        }
        if (!abut_memory_grow(&world->host, (void**)&penalty->caches, &penalty->caches_capacity,
                              penalty->caches_count + 1, sizeof(AbutPointCache)))
        {
            abut_points_destroy(points);
            return ABUT_OUT_OF_MEMORY;
        }
        cache = &penalty->caches[penalty->caches_count++];
        *cache = (AbutPointCache){ abut_shape_retain(shape), points, 0 };
    }
    cache->users += 1;
    *out = abut_points_retain(cache->points);
    return ABUT_OK;
}

AbutResult abut_penalty_attach_points(AbutWorld* world, const AbutBodyDef* def, AbutBody* body)
{
    if (def->points != NULL)
    {
        body->points = abut_points_retain(def->points);
        return ABUT_OK;
    }
    AbutBox bounds = abut_shape_info(def->shape).bounds;
    bool has_end = abut_box_is_finite(bounds) && !abut_box_is_empty(bounds);
    return has_end ? share(world, def->shape, &body->points) : ABUT_OK;
}

void abut_penalty_release_points(AbutWorld* world, AbutBody* body)
{
    AbutPenalty* penalty = abut_penalty(world);
    AbutPointCache* cache = body->points != NULL ? find(penalty, body->shape) : NULL;
    if (cache != NULL && cache->points == body->points && --cache->users == 0)
    {
        abut_points_destroy(cache->points);
        abut_shape_destroy(cache->shape);
        *cache = penalty->caches[--penalty->caches_count];
    }
    abut_points_destroy(body->points);
    body->points = NULL;
}
