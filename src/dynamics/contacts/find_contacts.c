// Collision detection of a pass.
#include "dynamics/contacts/find_contacts.h"

#include "dynamics/contacts/recycle.h"
#include "dynamics/state/world.h"

#include <math.h>

void abut_step_recycle_manifolds(AbutStepContext* step)
{
    const AbutWorld* world = step->world;
    const AbutContactStore* last = &world->stores[world->current];
    step->has_tight = false;
    for (size_t i = 0; i < last->manifold_count; ++i)
    {
        last->manifolds[i].recycled = false;
        step->has_tight = step->has_tight || last->manifolds[i].is_tight;
    }
    size_t kept = 0, next = 0; // pairs are nearly in the order of manifolds
    for (size_t i = 0; i < step->pair_count; ++i)
    {
        AbutBodyPair pair = step->pairs[i];
        bool is_next = next < last->manifold_count && last->manifolds[next].a == pair.a &&
                       last->manifolds[next].b == pair.b;
        AbutManifold* m = is_next ? &last->manifolds[next] : abut_world_last_manifold(world, pair.a, pair.b);
        next = m != NULL ? (size_t)(m - last->manifolds) + 1 : next;
        if (m != NULL && abut_manifold_can_recycle(step, m))
        {
            m->recycled = true;
            continue;
        }
        step->pairs[kept++] = pair;
    }
    step->pair_count = kept;
}

static float pair_margin(void* user, uint32_t a, uint32_t b)
{
    const AbutStepContext* step = user;
    return (float)(abut_pair_margin(step, a, b) / (double)step->world->bodies[a].scale);
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
    const AbutStepContext* step = user;
    const AbutWorld* world = step->world;
    const AbutBody *body_a = &world->bodies[a], *body_b = &world->bodies[b];
    // A new pair may be tight. Without friction, the first contacts decide on its motion along the other
    // body.
    bool is_smooth = body_a->material.friction == 0.0f || body_b->material.friction == 0.0f;
    const AbutManifold* m = step->has_tight || is_smooth ? abut_world_last_manifold(world, a, b) : NULL;
    if (m != NULL ? !m->is_tight : !is_smooth)
    {
        return 0.0f;
    }
    double spacing = fmin(extent_of(body_a), extent_of(body_b)) / TIGHT_CONTACTS;
    return (float)(spacing / (double)body_a->scale);
}

/// All bodies at their predicted poses.
static AbutResult pose_bodies(AbutStepContext* step)
{
    const AbutWorld* world = step->world;
    AbutCollideBody* posed = abut_step_allocate(step, world->body_count, sizeof(AbutCollideBody));
    for (uint32_t i = 0; posed != NULL && i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        bool alive = abut_body_is_alive(body);
        posed[i].shape = alive ? body->shape : NULL;
        posed[i].pose = alive ? abut_body_pose_at(body, body->predicted_position, body->predicted_rotation)
                              : abut_pose_identity();
    }
    step->posed = posed;
    return posed != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

AbutResult abut_step_find_contacts(AbutStepContext* step, AbutCollideResults* results)
{
    AbutWorld* world = step->world;
    AbutResult result = pose_bodies(step);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutSpeculativeSettings settings = world->def.speculative;
    settings.margin = 0.0f;
    settings.pair_margin = pair_margin;
    settings.pair_margin_user = step;
    settings.pair_spacing = pair_spacing;
    settings.pair_spacing_user = step;
    const AbutPairsInput input = { step->posed, world->body_count, step->pairs, step->pair_count };
    return abut_speculative_pairs(world->collider, &input, &settings, results);
}
