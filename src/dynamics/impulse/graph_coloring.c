// Graph colouring: manifolds of a colour share no body that moves, and can be solved in any order and at
// once. Colours depend on the contacts alone, so that results do not depend on the number of workers.
#include "dynamics/impulse/graph_coloring.h"

#include "base/assert.h"
#include "dynamics/impulse/impulse.h"
#include "dynamics/state/world.h"

#include <string.h>

enum
{
    // Colours of pairs of two moving bodies; later ones are of pairs with a fixed body: the ground is solved
    // last.
    PAIR_COLORS = 32
};

static AbutResult reserve(const AbutStepContext* step)
{
    AbutImpulse* impulse = abut_impulse(step);
    size_t manifolds = step->world->stores[step->world->current].manifold_count;
    impulse->order = abut_step_allocate(step, manifolds, sizeof(uint32_t));
    impulse->by_count = abut_step_allocate(step, manifolds, sizeof(uint32_t));
    impulse->colors = abut_step_allocate(step, manifolds, sizeof(uint8_t));
    impulse->taken = abut_step_allocate(step, step->world->body_count, sizeof(uint64_t));
    bool good = impulse->order != NULL && impulse->by_count != NULL && impulse->colors != NULL &&
                impulse->taken != NULL;
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

/// The first colour that neither body has; else the overflow.
static uint8_t color_of(const AbutStepContext* step, const AbutManifold* m)
{
    const AbutWorld* world = step->world;
    bool moves_a = abut_body_moves(&world->bodies[m->a]), moves_b = abut_body_moves(&world->bodies[m->b]);
    uint64_t taken =
        (moves_a ? abut_impulse(step)->taken[m->a] : 0) | (moves_b ? abut_impulse(step)->taken[m->b] : 0);
    int first = moves_a && moves_b ? 0 : PAIR_COLORS, last = moves_a && moves_b ? PAIR_COLORS : 64;
    int color = first;
    while (color < last && ((taken >> color) & 1u) != 0)
    {
        ++color;
    }
    if (color == last)
    {
        return ABUT_COLOR_OVERFLOW;
    }
    abut_impulse(step)->taken[m->a] |= moves_a ? 1ull << color : 0;
    abut_impulse(step)->taken[m->b] |= moves_b ? 1ull << color : 0;
    return (uint8_t)color;
}

/// Manifolds to solve, by falling count of points (counting sort).
static void sort_by_count(const AbutStepContext* step)
{
    const AbutWorld* world = step->world;
    const AbutContactStore* store = &world->stores[world->current];
    uint32_t offsets[ABUT_MANIFOLD_POINTS + 1] = { 0 }, sum = 0;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        ABUT_ASSERT(store->manifolds[i].count <= ABUT_MANIFOLD_POINTS);
        offsets[store->manifolds[i].count] += store->manifolds[i].solved ? 1 : 0;
    }
    for (int count = ABUT_MANIFOLD_POINTS; count >= 0; --count)
    {
        uint32_t own = offsets[count];
        offsets[count] = sum;
        sum += own;
    }
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        if (store->manifolds[i].solved)
        {
            abut_impulse(step)->by_count[offsets[store->manifolds[i].count]++] = (uint32_t)i;
        }
    }
}

#if defined(ABUT_ENABLE_ASSERTS)
/// No two manifolds of a colour share a body that moves. Leaves `taken` as it was.
static void check_colors(const AbutStepContext* step)
{
    const AbutWorld* world = step->world;
    const AbutImpulse* impulse = abut_impulse(step);
    const AbutManifold* manifolds = world->stores[world->current].manifolds;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        impulse->taken[i] = 0;
    }
    for (uint32_t i = 0; i < impulse->color_first[ABUT_COLOR_OVERFLOW]; ++i)
    {
        const AbutManifold* m = &manifolds[impulse->order[i]];
        uint64_t bit = 1ull << impulse->colors[impulse->order[i]];
        const uint32_t bodies[2] = { m->a, m->b };
        for (int side = 0; side < 2; ++side)
        {
            if (abut_body_moves(&world->bodies[bodies[side]]))
            {
                ABUT_ASSERT((impulse->taken[bodies[side]] & bit) == 0);
                impulse->taken[bodies[side]] |= bit;
            }
        }
    }
}
#endif

AbutResult abut_step_make_colors(const AbutStepContext* step)
{
    AbutResult result = reserve(step);
    if (result != ABUT_OK)
    {
        return result;
    }
    const AbutWorld* world = step->world;
    const AbutContactStore* store = &world->stores[world->current];
    uint32_t offsets[ABUT_COLOR_COUNT] = { 0 }, sum = 0;
    if (world->body_count > 0)
    {
        memset(abut_impulse(step)->taken, 0, world->body_count * sizeof(uint64_t));
    }
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        if (m->solved)
        {
            abut_impulse(step)->colors[i] = color_of(step, m);
            offsets[abut_impulse(step)->colors[i]] += 1;
        }
    }
    for (int i = 0; i < ABUT_COLOR_COUNT; ++i)
    {
        abut_impulse(step)->color_first[i] = sum;
        sum += offsets[i];
        offsets[i] = abut_impulse(step)->color_first[i];
    }
    abut_impulse(step)->color_first[ABUT_COLOR_COUNT] = sum;
    sort_by_count(step);
    for (uint32_t i = 0; i < sum; ++i)
    {
        uint32_t manifold = abut_impulse(step)->by_count[i];
        abut_impulse(step)->order[offsets[abut_impulse(step)->colors[manifold]]++] = manifold;
    }
#if defined(ABUT_ENABLE_ASSERTS)
    check_colors(step);
#endif
    return ABUT_OK;
}
