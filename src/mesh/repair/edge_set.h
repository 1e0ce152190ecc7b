/// @file edge_set.h
/// A set of edges, each a pair of vertices without direction.
#ifndef ABUT_MESH_REPAIR_EDGE_SET_H
#define ABUT_MESH_REPAIR_EDGE_SET_H

#include <abut/base.h>

/// Zero-initialise and set the host.
typedef struct AbutEdgeSet
{
    AbutHost host;
    uint64_t* slots; // 0 where free: no edge has the vertex 0 twice
    size_t slot_count, edge_count;
} AbutEdgeSet;

bool abut_edge_set_has(const AbutEdgeSet* set, uint32_t a, uint32_t b);

/// False when memory ran out. a and b differ.
bool abut_edge_set_add(AbutEdgeSet* set, uint32_t a, uint32_t b);

void abut_edge_set_destroy(AbutEdgeSet* set);

#endif
