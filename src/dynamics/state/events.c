// Published contacts in the world, and pairs whose touch began, persists or ended.
#include "dynamics/state/events.h"

#include "base/assert.h"
#include "base/memory.h"
#include "dynamics/state/world.h"
#include "math/dvec3.h"

AbutResult abut_step_reserve_events(const AbutStepContext* step)
{
    AbutWorld* world = step->world;
    const AbutContactStore *store = &world->stores[world->current], *last = &world->stores[step->first_store];
    size_t touches = store->manifold_count + last->manifold_count;
    bool good = abut_memory_grow(&world->host, (void**)&world->published, &world->published_capacity,
                                 store->point_count, sizeof(AbutWorldContact)) &&
                abut_memory_grow(&world->host, (void**)&world->events, &world->event_capacity, touches,
                                 sizeof(AbutTouchEvent));
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

static void publish_contact(AbutWorld* world, const AbutManifold* m, const AbutManifoldPoint* point)
{
    const AbutBody* a = &world->bodies[m->a];
    ABUT_ASSERT(world->published_count < world->published_capacity);
    AbutWorldContact* out = &world->published[world->published_count++];
    out->a = abut_world_id(world, m->a);
    out->b = abut_world_id(world, m->b);
    AbutDVec3 r = abut_dmat3_transform(&a->matrix, point->local_anchor_a);
    r = abut_dvec3_mul_sub(r, point->radius_a, point->normal);
    out->position = abut_dvec3_to_position(abut_dvec3_add(a->position, r));
    out->normal = abut_dvec3_to_vec3(point->normal);
    out->separation = (float)point->separation;
    out->normal_impulse = (float)point->total_impulse;
    out->id = point->id;
}

static void add_event(AbutWorld* world, const AbutManifold* m, AbutTouchChange change, double impulse)
{
    ABUT_ASSERT(world->event_count < world->event_capacity);
    AbutTouchEvent* event = &world->events[world->event_count++];
    *event = (AbutTouchEvent){
        { m->a + 1, m->generation_a }, { m->b + 1, m->generation_b }, change, (float)impulse
    };
}

/// Touch of a manifold, also in earlier passes of the step, and its normal impulse.
static double measure_touch(const AbutContactStore* store, const AbutManifold* m, bool* touches)
{
    double impulse = m->impulse;
    bool is_penetrating = m->touched;
    for (uint32_t k = 0; k < m->count; ++k)
    {
        impulse += store->points[m->first + k].total_impulse;
        is_penetrating = is_penetrating || store->points[m->first + k].separation <= 0.0;
    }
    *touches = is_penetrating || impulse > 0.0;
    return impulse;
}

void abut_step_accumulate_touches(const AbutStepContext* step)
{
    const AbutContactStore* store = &step->world->stores[step->world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        if (m->solved)
        {
            m->impulse = measure_touch(store, m, &m->touched);
        }
    }
}

static int compare(const AbutManifold* x, const AbutManifold* y)
{
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : x->b != y->b ? (x->b < y->b ? -1 : 1) : 0;
}

static bool same_bodies(const AbutManifold* x, const AbutManifold* y)
{
    return compare(x, y) == 0 && x->generation_a == y->generation_a && x->generation_b == y->generation_b;
}

void abut_step_publish_events(const AbutStepContext* step)
{
    AbutWorld* world = step->world;
    const AbutContactStore *store = &world->stores[world->current], *last = &world->stores[step->first_store];
    world->published_count = world->event_count = 0;
    size_t old = 0;
    for (size_t i = 0; i <= store->manifold_count; ++i)
    {
        AbutManifold* m = i < store->manifold_count ? &store->manifolds[i] : NULL;
        for (; old < last->manifold_count && (m == NULL || compare(&last->manifolds[old], m) < 0); ++old)
        {
            if (last->manifolds[old].touching)
            {
                add_event(world, &last->manifolds[old], ABUT_TOUCH_ENDS, 0.0);
            }
        }
        if (m == NULL)
        {
            break;
        }
        bool same = old < last->manifold_count && compare(&last->manifolds[old], m) == 0;
        bool before = same && last->manifolds[old].touching && same_bodies(&last->manifolds[old], m);
        if (same && !before && last->manifolds[old].touching) // a new body has its index
        {
            add_event(world, &last->manifolds[old], ABUT_TOUCH_ENDS, 0.0);
        }
        double impulse = measure_touch(store, m, &m->touching);
        if (m->touching || before)
        {
            add_event(world, m,
                      !m->touching ? ABUT_TOUCH_ENDS
                      : before     ? ABUT_TOUCH_PERSISTS
                                   : ABUT_TOUCH_BEGINS,
                      impulse);
        }
        for (uint32_t k = 0; k < m->count; ++k)
        {
            publish_contact(world, m, &store->points[m->first + k]);
        }
        old += same ? 1 : 0;
    }
}
