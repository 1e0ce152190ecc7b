// Islands: bodies with contacts, directly or through others, are solved together.
#include "dynamics/penalty/islands.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "dynamics/penalty/penalty.h"

static bool moves(const AbutWorld* world, uint32_t index)
{
    const AbutBody* body = &world->bodies[index];
    return abut_body_is_alive(body) && abut_body_moves(body);
}

static uint32_t mover_of(const AbutWorld* world, const AbutPenaltyPair* pair)
{
    return moves(world, pair->a) ? pair->a : moves(world, pair->b) ? pair->b : ABUT_PENALTY_NO_ROW;
}

/// Unions of the bodies of pairs with contacts: the root is the smallest body; bodies without contacts have
/// none.
static void join(AbutWorld* world, uint32_t* parents)
{
    const AbutPenalty* penalty = abut_penalty(world);
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        parents[i] = ABUT_PENALTY_NO_ROW;
    }
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        const AbutPenaltyPair* pair = &penalty->pairs[i];
        const uint32_t bodies[2] = { pair->a, pair->b };
        for (int k = 0; k < 2 && pair->count > 0; ++k)
        {
            bool is_new = parents[bodies[k]] == ABUT_PENALTY_NO_ROW && moves(world, bodies[k]);
            parents[bodies[k]] = is_new ? bodies[k] : parents[bodies[k]];
        }
        if (pair->count > 0 && moves(world, pair->a) && moves(world, pair->b))
        {
            abut_union_find_join(parents, pair->a, pair->b);
        }
    }
}

/// Numbers islands by their smallest bodies, and counts their bodies and pairs. `marks`: the island of each
/// body.
static void count(AbutWorld* world, uint32_t* parents, uint32_t* marks)
{
    AbutPenalty* penalty = abut_penalty(world);
    penalty->islands_count = 0;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        marks[i] = ABUT_PENALTY_NO_ROW;
        if (parents[i] == ABUT_PENALTY_NO_ROW)
        {
            continue;
        }
        uint32_t root = abut_union_find_root(parents, i);
        if (root == i)
        {
            marks[i] = (uint32_t)penalty->islands_count;
            penalty->islands[penalty->islands_count++] = (AbutPenaltyIsland){ .row_count = 0 };
        }
        marks[i] = marks[root];
        penalty->islands[marks[i]].row_count += 1;
    }
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        uint32_t mover = penalty->pairs[i].count > 0 ? mover_of(world, &penalty->pairs[i]) : UINT32_MAX;
        if (mover != ABUT_PENALTY_NO_ROW)
        {
            penalty->islands[marks[mover]].pair_count += 1;
        }
    }
}

/// Bodies and pairs of each island, in order.
static void fill(AbutWorld* world, const uint32_t* marks)
{
    AbutPenalty* penalty = abut_penalty(world);
    uint32_t row = 0, next_pair = 0;
    for (size_t i = 0; i < penalty->islands_count; ++i)
    {
        AbutPenaltyIsland* island = &penalty->islands[i];
        island->first_row = row;
        island->first_pair = next_pair;
        row += island->row_count;
        next_pair += island->pair_count;
        island->row_count = island->pair_count = 0;
    }
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        uint32_t mover = penalty->pairs[i].count > 0 ? mover_of(world, &penalty->pairs[i]) : UINT32_MAX;
        if (mover != ABUT_PENALTY_NO_ROW)
        {
            AbutPenaltyIsland* island = &penalty->islands[marks[mover]];
            penalty->island_pairs[island->first_pair + island->pair_count++] = (uint32_t)i;
            ABUT_ASSERT(island->first_pair + island->pair_count <= next_pair);
        }
    }
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        penalty->rows[i] = ABUT_PENALTY_NO_ROW;
        if (marks[i] != ABUT_PENALTY_NO_ROW)
        {
            AbutPenaltyIsland* island = &penalty->islands[marks[i]];
            penalty->rows[i] = island->first_row + island->row_count++;
            ABUT_ASSERT(penalty->rows[i] < row);
            penalty->row_bodies[penalty->rows[i]] = i;
        }
    }
}

AbutResult abut_penalty_find_islands(AbutWorld* world)
{
    AbutPenalty* penalty = abut_penalty(world);
    penalty->islands_count = 0;
    if (world->body_count == 0)
    {
        return ABUT_OK;
    }
    if (!ABUT_PENALTY_GROW(world, island_pairs, penalty->pairs_count) ||
        !ABUT_PENALTY_GROW(world, marks, 2 * (size_t)world->body_count))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    uint32_t *marks = penalty->marks, *parents = marks + world->body_count;
    join(world, parents);
    count(world, parents, marks);
    fill(world, marks);
    return ABUT_OK;
}
