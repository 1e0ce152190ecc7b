// Manifolds in groups that share no body that moves: those of a group may be solved in any order, and at once. The groups depend on
// the contacts alone, so results do not depend on the number of workers.
#include "dynamics/world.h"

#include "base/memory.h"
#include "base/tasks.h"

#include <string.h>

enum
{
    // Groups of pairs that both move come first, those against what cannot move last: the ground has the last word.
    PAIR_COLORS = 32,
    BLOCK = 32 // manifolds of a task
};

AbutResult abut_world_reserve_colors(AbutWorld* world)
{
    const AbutContactStore* stores = world->stores;
    size_t most = stores[0].manifold_capacity > stores[1].manifold_capacity ? stores[0].manifold_capacity
                                                                            : stores[1].manifold_capacity;
    bool good = abut_memory_grow(&world->host, (void**)&world->order, &world->order_capacity, most,
                                 sizeof(uint32_t)) &&
                abut_memory_grow(&world->host, (void**)&world->colors, &world->color_capacity, most,
                                 sizeof(uint8_t)) &&
                abut_memory_grow(&world->host, (void**)&world->taken, &world->taken_capacity,
                                 world->body_count, sizeof(uint64_t));
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

/// The first group that neither body is in. The last one takes what found none, and is solved in turn.
static uint8_t color_of(AbutWorld* world, const AbutManifold* m)
{
    bool moves_a = abut_body_moves(&world->bodies[m->a]), moves_b = abut_body_moves(&world->bodies[m->b]);
    uint64_t taken = (moves_a ? world->taken[m->a] : 0) | (moves_b ? world->taken[m->b] : 0);
    int first = moves_a && moves_b ? 0 : PAIR_COLORS, last = moves_a && moves_b ? PAIR_COLORS : 64;
    int color = first;
    while (color < last && ((taken >> color) & 1u) != 0)
    {
        ++color;
    }
    if (color == last)
    {
        return ABUT_COLOR_REST;
    }
    world->taken[m->a] |= moves_a ? 1ull << color : 0;
    world->taken[m->b] |= moves_b ? 1ull << color : 0;
    return (uint8_t)color;
}

void abut_world_make_colors(AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    uint32_t counts[ABUT_COLOR_COUNT] = { 0 };
    memset(world->taken, 0, world->body_count * sizeof(uint64_t));
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        if (m->solved)
        {
            world->colors[i] = color_of(world, m);
            counts[world->colors[i]] += 1;
        }
    }
    uint32_t sum = 0;
    for (int i = 0; i < ABUT_COLOR_COUNT; ++i)
    {
        world->color_first[i] = sum;
        sum += counts[i];
        counts[i] = world->color_first[i];
    }
    world->color_first[ABUT_COLOR_COUNT] = sum;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        if (store->manifolds[i].solved)
        {
            world->order[counts[world->colors[i]]++] = (uint32_t)i;
        }
    }
}

typedef struct ColorRun
{
    AbutWorld* world;
    AbutManifoldFn* visit;
    const void* context;
    uint32_t first, end;
} ColorRun;

static void run_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const ColorRun* run = context;
    AbutContactStore* store = &run->world->stores[run->world->current];
    uint32_t first = run->first + block * BLOCK, end = first + BLOCK < run->end ? first + BLOCK : run->end;
    for (uint32_t i = first; i < end; ++i)
    {
        AbutManifold* m = &store->manifolds[run->world->order[i]];
        run->visit(run->context, m, &run->world->bodies[m->a], &run->world->bodies[m->b],
                   store->points + m->first);
    }
}

void abut_world_visit_manifolds(AbutWorld* world, AbutManifoldFn* visit, const void* context)
{
    for (int i = 0; i < ABUT_COLOR_COUNT; ++i)
    {
        // What shares bodies comes first and in turn: later groups mend what it leaves.
        int color = i == 0 ? ABUT_COLOR_REST : i - 1;
        ColorRun run = { world, visit, context, world->color_first[color], world->color_first[color + 1] };
        uint32_t blocks = abut_block_count(run.end - run.first, BLOCK);
        if (color == ABUT_COLOR_REST || blocks < 4)
        {
            for (uint32_t block = 0; block < blocks; ++block)
            {
                run_block(&run, block, 0);
            }
            continue;
        }
        abut_parallel_for(&world->host, blocks, run_block, &run);
    }
}
