/// @file edge_chain.h
/// Directed edges between points; opposite edges cancel.
#ifndef ABUT_MESH_CLOSURE_EDGE_CHAIN_H
#define ABUT_MESH_CLOSURE_EDGE_CHAIN_H

#include "mesh/vertex_keys.h"

typedef struct AbutChainEdge
{
    uint32_t from, to; // points
    uint32_t count;    // how often
    uint32_t triangle; // of the mesh, that it comes from
    double off;        // its points are at most so far from the mesh
} AbutChainEdge;

typedef struct AbutEdgeChain
{
    AbutHost host;
    AbutChainEdge* edges;
    size_t count, capacity;
} AbutEdgeChain;

/// False when memory ran out. Edges from a point to itself are left out.
bool abut_edge_chain_add(AbutEdgeChain* chain, AbutChainEdge edge);

void abut_edge_chain_destroy(AbutEdgeChain* chain);

/// Edges with the same two ends.
typedef struct AbutEdgeGroup
{
    uint32_t low, high;
    const uint64_t* keys; // the lower 32 bits are numbers of edges, ascending
    uint32_t count;
} AbutEdgeGroup;

/// Files the edges of a chain for abut_edge_chain_next(); abut_vertex_keys_destroy() ends it.
/// @return ABUT_OUT_OF_MEMORY, ABUT_LIMIT_EXCEEDED.
AbutResult abut_edge_chain_file(const AbutEdgeChain* chain, uint32_t point_count, AbutVertexKeys* out);

/// Position of an iteration over the groups. Starts zeroed.
typedef struct AbutEdgeCursor
{
    uint32_t point, key;
} AbutEdgeCursor;

/// The next group; false at the end.
bool abut_edge_chain_next(const AbutVertexKeys* keys, AbutEdgeCursor* cursor, AbutEdgeGroup* out);

static inline const AbutChainEdge* abut_group_edge(const AbutEdgeChain* chain, const AbutEdgeGroup* group,
                                                   uint32_t i)
{
    return &chain->edges[(uint32_t)group->keys[i]];
}

/// Edges of a group from the lower point to the higher one minus opposite edges; and whether there are both.
typedef struct AbutGroupSum
{
    int64_t net;
    bool both_directions;
    double off; // the least: they are one and the same line
} AbutGroupSum;

AbutGroupSum abut_group_sum(const AbutEdgeChain* chain, const AbutEdgeGroup* group);

#endif
