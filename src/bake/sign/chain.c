// The sign chain: where d(a) + d(b) > |ab| no surface lies between two nodes.
#include "bake/sign/chain.h"

#include "bake/sign/point_sign.h"
#include "base/assert.h"

#include <string.h>

enum
{
    MAX_NODES = ABUT_NODE_BLOCK_TOTAL,
};

/// The nodes of a range in sets that no surface divides.
typedef struct Chains
{
    AbutNodeRange range;
    uint32_t size[3];
    float distances[MAX_NODES];
    uint16_t parents[MAX_NODES];         // union-find forest as in base/union_find.h, in half the memory
    uint16_t representatives[MAX_NODES]; // by root: the node that is evaluated for all
    uint8_t signs[MAX_NODES];            // by root, see below
} Chains;

enum
{
    SIGN_INSIDE = 1,
    SIGN_BY_WINDING = 2,
};

// -----------------------------------------------------------------------------------------------------------
// Distances
// -----------------------------------------------------------------------------------------------------------

static const float* row_of(const AbutSignState* state, const AbutNodeRange* range, uint32_t y, uint32_t z)
{
    return &state->job->squared[abut_node_index(&state->job->grid, range->begin[0], y, z)];
}

/// The least squared distance of the range. One least per column, which compilers do side by side.
static float least_squared(const AbutSignState* state, const AbutNodeRange* range)
{
    uint32_t width = range->end[0] - range->begin[0];
    float least[ABUT_NODE_BLOCK];
    for (uint32_t x = 0; x < ABUT_NODE_BLOCK; ++x)
    {
        least[x] = INFINITY;
    }
    for (uint32_t z = range->begin[2]; z < range->end[2]; ++z)
    {
        for (uint32_t y = range->begin[1]; y < range->end[1]; ++y)
        {
            const float* row = row_of(state, range, y, z);
            for (uint32_t x = 0; x < width; ++x)
            {
                least[x] = row[x] < least[x] ? row[x] : least[x];
            }
        }
    }
    for (uint32_t x = 1; x < width; ++x)
    {
        least[0] = least[x] < least[0] ? least[x] : least[0];
    }
    return least[0];
}

static void load_distances(const AbutSignState* state, Chains* chains)
{
    const AbutNodeRange* range = &chains->range;
    float* out = chains->distances;
    for (uint32_t z = range->begin[2]; z < range->end[2]; ++z)
    {
        for (uint32_t y = range->begin[1]; y < range->end[1]; ++y)
        {
            const float* row = row_of(state, range, y, z);
            for (uint32_t x = 0; x < chains->size[0]; ++x)
            {
                out[x] = sqrtf(row[x]);
            }
            out += chains->size[0];
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Sets
// -----------------------------------------------------------------------------------------------------------

static uint16_t root_of(uint16_t* parents, uint32_t i)
{
    while (parents[i] != i)
    {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return (uint16_t)i;
}

static void join(uint16_t* parents, uint32_t a, uint32_t b)
{
    if (parents[a] == parents[b])
    {
        return;
    }
    uint16_t root_a = root_of(parents, a), root_b = root_of(parents, b);
    parents[root_a > root_b ? root_a : root_b] = root_a < root_b ? root_a : root_b;
}

/// Joins neighbours with no surface between them. The lowest node of a set is its root.
static void link_nodes(Chains* chains, float link)
{
    const float* d = chains->distances;
    const uint32_t row = chains->size[0], layer = chains->size[0] * chains->size[1];
    uint32_t i = 0;
    for (uint32_t z = 0; z < chains->size[2]; ++z)
    {
        for (uint32_t y = 0; y < chains->size[1]; ++y)
        {
            for (uint32_t x = 0; x < chains->size[0]; ++x, ++i)
            {
                bool follows = x > 0 && d[i] + d[i - 1] > link;
                chains->parents[i] = follows ? chains->parents[i - 1] : (uint16_t)i;
                if (y > 0 && d[i] + d[i - row] > link)
                {
                    join(chains->parents, i, i - row);
                }
                if (z > 0 && d[i] + d[i - layer] > link)
                {
                    join(chains->parents, i, i - layer);
                }
            }
        }
    }
}

/// Points all nodes at their roots. The representative is the node that is furthest from the surface: clear
/// of rounding.
static void choose_representatives(Chains* chains)
{
    uint32_t total = abut_node_range_total(&chains->range);
    for (uint32_t i = 0; i < total; ++i)
    {
        uint16_t root = root_of(chains->parents, i);
        chains->parents[i] = root;
        if (root == i)
        {
            chains->representatives[i] = root;
        }
        else if (chains->distances[i] > chains->distances[chains->representatives[root]])
        {
            chains->representatives[root] = (uint16_t)i;
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Signs
// -----------------------------------------------------------------------------------------------------------

/// The sides of the surface give the sign of a node when the sign is certain up to the surface.
static uint8_t evaluate(AbutSignState* state, const AbutNodeRange* range, uint32_t number, double distance)
{
    uint32_t node[3];
    abut_node_range_node(range, number, node);
    AbutDVec3 point = abut_sign_node_point(state, node);
    const AbutSignPoint sign_point = { point, state->job->nearest[abut_sign_node_index(state, node)],
                                       .use_sides = abut_sign_classifier_is_certain(state->classifier, point,
                                                                                    distance) };
    AbutPointSign sign = abut_sign_classifier_point(state->classifier, &sign_point);
    return (uint8_t)((sign.inside ? SIGN_INSIDE : 0) | (sign.by_winding ? SIGN_BY_WINDING : 0));
}

static void evaluate_representatives(AbutSignState* state, Chains* chains)
{
    uint32_t total = abut_node_range_total(&chains->range);
    uint64_t evaluated = 0;
    for (uint32_t i = 0; i < total; ++i)
    {
        if (chains->parents[i] == i)
        {
            uint32_t representative = chains->representatives[i];
            chains->signs[i] =
                evaluate(state, &chains->range, representative, chains->distances[representative]);
            evaluated += 1;
        }
    }
    abut_sign_add(&state->evaluated, evaluated);
}

static void spread_signs(AbutSignState* state, const Chains* chains)
{
    const AbutNodeRange* range = &chains->range;
    const uint16_t* parent = chains->parents;
    // Along a chain the sign does not depend on the evaluated node or on the method.
    const uint8_t origin = state->classifier->method == ABUT_SIGN_WINDING ? ABUT_SIGN_BY_WINDING : 0;
    uint64_t winding_nodes = 0;
    uint32_t node[3];
    for (node[2] = range->begin[2]; node[2] < range->end[2]; ++node[2])
    {
        for (node[1] = range->begin[1]; node[1] < range->end[1]; ++node[1])
        {
            for (node[0] = range->begin[0]; node[0] < range->end[0]; ++node[0], ++parent)
            {
                uint8_t sign = chains->signs[*parent];
                abut_sign_set_inside(state, abut_sign_node_index(state, node), (sign & SIGN_INSIDE) != 0);
                abut_sign_set_origin(state, abut_sign_node_index(state, node), origin);
                winding_nodes += (sign & SIGN_BY_WINDING) != 0;
            }
        }
    }
    abut_sign_add(&state->winding_nodes, winding_nodes);
}

/// No surface between any of the nodes: the first is evaluated for all.
static void sign_set(AbutSignState* state, Chains* chains)
{
    float squared = state->job->squared[abut_sign_node_index(state, chains->range.begin)];
    chains->signs[0] = evaluate(state, &chains->range, 0, sqrtf(squared));
    abut_sign_add(&state->evaluated, 1);
    if (chains->signs[0] != 0) // outside, as most of a grid is, there is nothing to do
    {
        memset(chains->parents, 0, abut_node_range_total(&chains->range) * sizeof(uint16_t));
        spread_signs(state, chains);
    }
}

void abut_sign_chains(AbutSignState* state, const AbutNodeRange* range)
{
    ABUT_ASSERT(abut_node_range_total(range) <= MAX_NODES);
    Chains chains;
    chains.range = *range;
    abut_node_range_size(range, chains.size);
    if (least_squared(state, range) > state->link * state->link)
    {
        sign_set(state, &chains);
        return;
    }
    load_distances(state, &chains);
    link_nodes(&chains, (float)state->link);
    choose_representatives(&chains);
    evaluate_representatives(state, &chains);
    spread_signs(state, &chains);
}
