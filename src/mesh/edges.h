/// @file edges.h
/// The edges of a mesh with the triangles that have them, by vertex keys.
#ifndef ABUT_MESH_EDGES_H
#define ABUT_MESH_EDGES_H

#include "base/assert.h"
#include "mesh/vertex_keys.h"

/// A triangle that welding has made an edge or a point. It has no edges of its own: counting them would
/// make the edge that it lies in non-manifold, though the surface is whole without it.
static inline bool abut_is_collapsed(const uint32_t corners[3])
{
    return corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
}

/// An edge with the triangles that have it.
typedef struct AbutMeshEdge
{
    uint32_t low, high;   // vertices, low < high
    const uint64_t* uses; // read with abut_edge_corner
    uint32_t use_count;
} AbutMeshEdge;

/// An AbutVertexKeyFn that files each edge of a triangle under its lower vertex, for abut_next_edge().
uint32_t abut_file_edges(const uint32_t corners[3], uint32_t triangle, AbutVertexKey keys[3]);

/// The corner (3 · triangle + 0, 1 or 2) from which a triangle runs along the edge.
static inline uint32_t abut_edge_corner(uint64_t use)
{
    return (uint32_t)use;
}

/// The next edge whose lower vertex is `vertex`. Start with *cursor = edges->offsets[vertex]. False when
/// there is none.
static inline bool abut_next_edge(const AbutVertexKeys* edges, uint32_t vertex, uint32_t* cursor,
                                  AbutMeshEdge* edge)
{
    ABUT_ASSERT(vertex < edges->vertex_count);
    ABUT_ASSERT(edges->offsets[vertex] <= *cursor && *cursor <= edges->offsets[vertex + 1]);
    uint32_t begin = *cursor, last = edges->offsets[vertex + 1];
    if (begin == last)
    {
        return false;
    }
    uint32_t high = (uint32_t)(edges->keys[begin] >> 32), end = begin + 1;
    while (end < last && (uint32_t)(edges->keys[end] >> 32) == high)
    {
        end += 1;
    }
    ABUT_ASSERT(vertex < high);
    *edge = (AbutMeshEdge){ vertex, high, edges->keys + begin, end - begin };
    *cursor = end;
    return true;
}

#endif
