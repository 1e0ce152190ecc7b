// Stores of manifolds; search and tests.
#include "dynamics/state/manifold.h"

#include "dynamics/state/step_context.h"
#include "dynamics/state/world.h"

AbutManifold* abut_world_last_manifold(const AbutWorld* world, uint32_t a, uint32_t b)
{
    const AbutContactStore* store = &world->stores[world->current];
    size_t low = 0, high = store->manifold_count;
    while (low < high)
    {
        size_t middle = low + (high - low) / 2;
        const AbutManifold* m = &store->manifolds[middle];
        if (m->a < a || (m->a == a && m->b < b))
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    AbutManifold* m = low < store->manifold_count ? &store->manifolds[low] : NULL;
    return m != NULL && m->a == a && m->b == b ? m : NULL;
}

bool abut_manifold_is_current(const AbutWorld* world, const AbutManifold* m)
{
    return world->bodies[m->a].generation == m->generation_a &&
           world->bodies[m->b].generation == m->generation_b;
}

bool abut_contacts_are_deep(const AbutManifoldPoint* points, uint32_t count, double depth)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (points[i].gap < -depth)
        {
            return true;
        }
    }
    return false;
}

/// Of the stores that are neither the current one nor that of the last step, the first.
static int next_store(const AbutStepContext* step)
{
    int next = 0;
    while (next == step->world->current || next == step->first_store)
    {
        ++next;
    }
    return next;
}

AbutContactStore* abut_step_next_store(const AbutStepContext* step)
{
    return &step->world->stores[next_store(step)];
}

void abut_step_commit_store(const AbutStepContext* step)
{
    step->world->current = next_store(step);
}
