// Collision detection of a pass.
#include "dynamics/contacts/find_contacts.h"

#include "base/memory.h"
#include "dynamics/contacts/recycle.h"
#include "dynamics/state/motion_bounds.h"
#include "dynamics/state/world.h"

#include <math.h>

/// Marks the manifolds that are still valid, and removes their pairs from the narrow phase.
static void recycle_manifolds(AbutWorld* world)
{
    AbutContactStore* last = &world->stores[world->current];
    world->has_tight = false;
    for (size_t i = 0; i < last->manifold_count; ++i)
    {
        last->manifolds[i].recycled = false;
        world->has_tight = world->has_tight || last->manifolds[i].is_tight;
    }
    size_t kept = 0, next = 0; // pairs are nearly in the order of manifolds
    for (size_t i = 0; i < world->pair_count; ++i)
    {
        AbutBodyPair pair = world->pairs[i];
        bool is_next = next < last->manifold_count && last->manifolds[next].a == pair.a &&
                       last->manifolds[next].b == pair.b;
        AbutManifold* m = is_next ? &last->manifolds[next] : abut_world_last_manifold(world, pair.a, pair.b);
        next = m != NULL ? (size_t)(m - last->manifolds) + 1 : next;
        if (m != NULL && abut_manifold_can_recycle(world, m))
        {
            m->recycled = true;
            continue;
        }
        world->pairs[kept++] = pair;
    }
    world->pair_count = kept;
}

AbutResult abut_world_find_pairs(AbutWorld* world, double seconds)
{
    AbutResult result = abut_world_predict(world, seconds);
    if (result == ABUT_OK)
    {
        recycle_manifolds(world);
    }
    return result;
}

static float pair_margin(void* user, uint32_t a, uint32_t b)
{
    const AbutWorld* world = user;
    return (float)(abut_pair_margin(world, a, b) / (double)world->bodies[a].scale);
}

/// Contact spacing of a tight pair, at any speed: the largest extent of the smaller body over this. Features
/// that hold one body in the other are small.
#define TIGHT_CONTACTS 16.0

static double extent_of(const AbutBody* body)
{
    AbutVec3 size = abut_box_extents(abut_shape_info(body->shape).bounds);
    return (double)body->scale * fmax((double)size.x, fmax((double)size.y, (double)size.z));
}

static float pair_spacing(void* user, uint32_t a, uint32_t b)
{
    AbutWorld* world = user;
    const AbutBody *body_a = &world->bodies[a], *body_b = &world->bodies[b];
    // A new pair may be tight. Without friction, the first contacts decide on its motion along the other
    // body.
    bool is_smooth = body_a->material.friction == 0.0f || body_b->material.friction == 0.0f;
    const AbutManifold* m = world->has_tight || is_smooth ? abut_world_last_manifold(world, a, b) : NULL;
    if (m != NULL ? !m->is_tight : !is_smooth)
    {
        return 0.0f;
    }
    double spacing = fmin(extent_of(body_a), extent_of(body_b)) / TIGHT_CONTACTS;
    return (float)(spacing / (double)body_a->scale);
}

AbutResult abut_world_find_contacts(AbutWorld* world, AbutCollideResults* results)
{
    if (!abut_memory_grow(&world->host, (void**)&world->posed, &world->posed_capacity, world->body_count,
                          sizeof(AbutCollideBody)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        world->posed[i].shape = abut_body_is_alive(body) ? body->shape : NULL;
        world->posed[i].pose = abut_body_is_alive(body) ? abut_body_pose_at(body, body->predicted_position,
                                                                            body->predicted_rotation)
                                                        : abut_pose_identity();
    }
    AbutSpeculativeSettings settings = world->def.speculative;
    settings.margin = 0.0f;
    settings.pair_margin = pair_margin;
    settings.pair_margin_user = world;
    settings.pair_spacing = pair_spacing;
    settings.pair_spacing_user = world;
    const AbutPairsInput input = { world->posed, world->body_count, world->pairs, world->pair_count };
    return abut_speculative_pairs(world->collider, &input, &settings, results);
}
