// What a step tells of contacts: each one in the world, and pairs whose touch began, went on or ended.
#include "dynamics/world.h"

static void show(AbutWorld* world, const AbutManifold* m, const AbutContactPoint* point)
{
    const AbutBody* a = &world->bodies[m->a];
    AbutWorldContact* out = &world->shown[world->shown_count++];
    out->a = abut_world_id(world, m->a);
    out->b = abut_world_id(world, m->b);
    out->position = (AbutPosition){ a->start[0] + point->arm_a[0], a->start[1] + point->arm_a[1],
                                    a->start[2] + point->arm_a[2] };
    out->normal = abut_vec3((float)point->normal[0], (float)point->normal[1], (float)point->normal[2]);
    out->separation = (float)point->separation;
    out->normal_impulse = (float)point->total_impulse;
    out->id = point->id;
}

static void add_event(AbutWorld* world, const AbutManifold* m, AbutTouchChange change, double impulse)
{
    AbutTouchEvent* event = &world->events[world->event_count++];
    *event =
        (AbutTouchEvent){ abut_world_id(world, m->a), abut_world_id(world, m->b), change, (float)impulse };
}

/// Whether a manifold touches, and how hard.
static double judge(AbutContactStore* store, AbutManifold* m)
{
    double impulse = 0.0;
    bool overlaps = false;
    for (uint32_t k = 0; k < m->count; ++k)
    {
        impulse += store->points[m->first + k].total_impulse;
        overlaps = overlaps || store->points[m->first + k].separation <= 0.0;
    }
    m->touching = overlaps || impulse > 0.0;
    return impulse;
}

static int compare(const AbutManifold* x, const AbutManifold* y)
{
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : x->b != y->b ? (x->b < y->b ? -1 : 1) : 0;
}

static bool both_alive(const AbutWorld* world, const AbutManifold* m)
{
    return abut_body_is_alive(&world->bodies[m->a]) && abut_body_is_alive(&world->bodies[m->b]);
}

void abut_world_tell(AbutWorld* world)
{
    AbutContactStore *store = &world->stores[world->current], *last = &world->stores[1 - world->current];
    world->shown_count = world->event_count = 0;
    size_t old = 0;
    for (size_t i = 0; i <= store->manifold_count; ++i)
    {
        AbutManifold* m = i < store->manifold_count ? &store->manifolds[i] : NULL;
        for (; old < last->manifold_count && (m == NULL || compare(&last->manifolds[old], m) < 0); ++old)
        {
            if (last->manifolds[old].touching && both_alive(world, &last->manifolds[old]))
            {
                add_event(world, &last->manifolds[old], ABUT_TOUCH_ENDS, 0.0);
            }
        }
        if (m == NULL)
        {
            break;
        }
        bool same = old < last->manifold_count && compare(&last->manifolds[old], m) == 0;
        bool before = same && last->manifolds[old].touching;
        double impulse = judge(store, m);
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
            show(world, m, &store->points[m->first + k]);
        }
        old += same ? 1 : 0;
    }
}
