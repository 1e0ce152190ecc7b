// Manifolds in groups that share no body that moves: those of a group may be solved in any order, and at
// once. The groups depend on the contacts alone, so results do not depend on the number of workers.
#include "dynamics/impulse/graph_coloring.h"

#include "base/assert.h"
#include "base/memory.h"
#include "dynamics/impulse/impulse.h"
#include "dynamics/state/world.h"

#include <string.h>

enum
{
    // Groups of pairs that both move come first, those against what cannot move last: the ground has the last
    // word.
    PAIR_COLORS = 32,
    MAX_POINTS = 64 // of a manifold
};

AbutResult abut_world_reserve_colors(AbutWorld* world)
{
    const AbutContactStore* stores = world->stores;
    size_t most = stores[0].manifold_capacity > stores[1].manifold_capacity ? stores[0].manifold_capacity
                                                                            : stores[1].manifold_capacity;
    bool good = abut_memory_grow(&world->host, (void**)&world->impulse->order,
                                 &world->impulse->order_capacity, most, sizeof(uint32_t)) &&
                abut_memory_grow(&world->host, (void**)&world->impulse->by_count,
                                 &world->impulse->by_count_capacity, most, sizeof(uint32_t)) &&
                abut_memory_grow(&world->host, (void**)&world->impulse->colors,
                                 &world->impulse->color_capacity, most, sizeof(uint8_t)) &&
                abut_memory_grow(&world->host, (void**)&world->impulse->taken,
                                 &world->impulse->taken_capacity, world->body_count, sizeof(uint64_t));
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

/// The first group that neither body is in. The last one takes what found none, and is solved in turn.
static uint8_t color_of(AbutWorld* world, const AbutManifold* m)
{
    bool moves_a = abut_body_moves(&world->bodies[m->a]), moves_b = abut_body_moves(&world->bodies[m->b]);
    uint64_t taken =
        (moves_a ? world->impulse->taken[m->a] : 0) | (moves_b ? world->impulse->taken[m->b] : 0);
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
    world->impulse->taken[m->a] |= moves_a ? 1ull << color : 0;
    world->impulse->taken[m->b] |= moves_b ? 1ull << color : 0;
    return (uint8_t)color;
}

/// Manifolds that are solved, those with most contacts first.
static void sort_by_count(AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    uint32_t offsets[MAX_POINTS + 1] = { 0 }, sum = 0;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        offsets[store->manifolds[i].count] += store->manifolds[i].solved ? 1 : 0;
    }
    for (int count = MAX_POINTS; count >= 0; --count)
    {
        uint32_t own = offsets[count];
        offsets[count] = sum;
        sum += own;
    }
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        if (store->manifolds[i].solved)
        {
            world->impulse->by_count[offsets[store->manifolds[i].count]++] = (uint32_t)i;
        }
    }
}

void abut_world_make_colors(AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    uint32_t offsets[ABUT_COLOR_COUNT] = { 0 }, sum = 0;
    if (world->body_count > 0)
    {
        memset(world->impulse->taken, 0, world->body_count * sizeof(uint64_t));
    }
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        if (m->solved)
        {
            world->impulse->colors[i] = color_of(world, m);
            offsets[world->impulse->colors[i]] += 1;
        }
    }
    for (int i = 0; i < ABUT_COLOR_COUNT; ++i)
    {
        world->impulse->color_first[i] = sum;
        sum += offsets[i];
        offsets[i] = world->impulse->color_first[i];
    }
    world->impulse->color_first[ABUT_COLOR_COUNT] = sum;
    sort_by_count(world);
    for (uint32_t i = 0; i < sum; ++i)
    {
        uint32_t manifold = world->impulse->by_count[i];
        world->impulse->order[offsets[world->impulse->colors[manifold]]++] = manifold;
    }
}
