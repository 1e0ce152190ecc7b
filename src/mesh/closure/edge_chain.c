// Directed edges in groups with the same ends, and their sums.
#include "mesh/closure/edge_chain.h"

#include "base/memory.h"
#include "mesh/mesh.h"

#include <math.h>

bool abut_edge_chain_add(AbutEdgeChain* self, AbutChainEdge edge)
{
    if (edge.from == edge.to)
    {
        return true;
    }
    if (!abut_memory_grow(&self->host, (void**)&self->edges, &self->capacity, self->count + 1,
                          sizeof(AbutChainEdge)))
    {
        return false;
    }
    self->edges[self->count++] = edge;
    return true;
}

void abut_edge_chain_destroy(AbutEdgeChain* self)
{
    abut_memory_free(&self->host, self->edges, self->capacity, sizeof(AbutChainEdge));
    self->edges = NULL;
    self->count = self->capacity = 0;
}

/// Files an edge, given as a "triangle" of from, to, to, under its lower point.
static uint32_t file_edge(const uint32_t corners[3], uint32_t edge, AbutVertexKey keys[3])
{
    uint32_t low = corners[0] < corners[1] ? corners[0] : corners[1];
    uint32_t high = corners[0] < corners[1] ? corners[1] : corners[0];
    keys[0] = (AbutVertexKey){ low, (uint64_t)high << 32 | edge };
    return 1;
}

AbutResult abut_edge_chain_file(const AbutEdgeChain* self, uint32_t point_count, AbutVertexKeys* out)
{
    *out = (AbutVertexKeys){ 0 };
    if (self->count > ABUT_VERTEX_KEYS_MAX_TRIANGLES)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "mesh: its border has more than %u edges",
                         ABUT_VERTEX_KEYS_MAX_TRIANGLES);
    }
    AbutMesh* edges = NULL;
    AbutResult result =
        abut_mesh_create_uninitialized(point_count, (uint32_t)self->count, &self->host, &edges);
    if (result != ABUT_OK)
    {
        return result;
    }
    for (size_t i = 0; i < self->count; ++i)
    {
        edges->indices[3 * i] = self->edges[i].from;
        edges->indices[3 * i + 1] = edges->indices[3 * i + 2] = self->edges[i].to;
    }
    result = abut_vertex_keys_create(&self->host, edges, file_edge, out);
    abut_mesh_destroy(edges);
    return result;
}

bool abut_edge_chain_next(const AbutVertexKeys* keys, AbutEdgeCursor* cursor, AbutEdgeGroup* out)
{
    while (cursor->point < keys->vertex_count && cursor->key >= keys->offsets[cursor->point + 1])
    {
        cursor->point += 1;
    }
    if (cursor->point >= keys->vertex_count)
    {
        return false;
    }
    uint32_t begin = cursor->key, last = keys->offsets[cursor->point + 1];
    uint64_t high = keys->keys[begin] >> 32;
    while (cursor->key < last && keys->keys[cursor->key] >> 32 == high)
    {
        cursor->key += 1;
    }
    *out = (AbutEdgeGroup){ cursor->point, (uint32_t)high, keys->keys + begin, cursor->key - begin };
    return true;
}

AbutGroupSum abut_group_sum(const AbutEdgeChain* chain, const AbutEdgeGroup* group)
{
    AbutGroupSum sum = { .off = INFINITY };
    bool up = false, down = false;
    for (uint32_t i = 0; i < group->count; ++i)
    {
        const AbutChainEdge* edge = abut_group_edge(chain, group, i);
        bool rises = edge->from == group->low;
        sum.net += rises ? (int64_t)edge->count : -(int64_t)edge->count;
        sum.off = edge->off < sum.off ? edge->off : sum.off;
        up = up || rises;
        down = down || !rises;
    }
    sum.both_directions = up && down;
    return sum;
}
