#include "mesh/closure/patching.h"

#include "base/assert.h"
#include "base/memory.h"
#include "mesh/closure/patch_distance.h"
#include "mesh/corners.h"

#include <string.h>

static double edge_length(const AbutPatching* self, uint32_t a, uint32_t b)
{
    return abut_dvec3_distance(abut_dvec3_from_vec3(self->points[b]), abut_dvec3_from_vec3(self->points[a]));
}

bool abut_patching_add(AbutPatching* self, const AbutChainEdge* edge, const uint32_t corners[3],
                       AbutEdgeChain* chain)
{
    ABUT_ASSERT(corners[0] < self->point_count && corners[1] < self->point_count &&
                corners[2] < self->point_count);
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0])
    {
        return true;
    }
    if (!abut_memory_grow(&self->host, (void**)&self->corners, &self->corner_capacity,
                          self->corner_count + 3 * (size_t)edge->count, sizeof(uint32_t)))
    {
        return false;
    }
    for (uint32_t i = 0; i < edge->count; ++i)
    {
        memcpy(self->corners + self->corner_count, corners, 3 * sizeof(uint32_t));
        self->corner_count += 3;
    }
    double off = abut_patching_off(self, edge, corners);
    self->width = abut_larger(self->width, off);
    bool added = true;
    for (int k = 0; added && k < 3; ++k)
    {
        AbutChainEdge own = { corners[k], corners[(k + 1) % 3], edge->count, edge->triangle, off };
        if (own.from < self->end_count && own.to < self->end_count)
        {
            own.off = abut_smaller(off, 0.5 * edge_length(self, own.from, own.to));
        }
        added = abut_edge_chain_add(chain, own);
    }
    return added;
}

static bool add_sum(AbutPatching* self, const AbutEdgeChain* chain, const AbutEdgeGroup* group)
{
    AbutGroupSum sum = abut_group_sum(chain, group);
    AbutChainEdge edge = { .from = sum.net > 0 ? group->low : group->high,
                           .to = sum.net > 0 ? group->high : group->low,
                           .count = (uint32_t)(sum.net > 0 ? sum.net : -sum.net),
                           .triangle = abut_group_edge(chain, group, 0)->triangle,
                           .off = sum.off };
    return sum.net == 0 || abut_edge_chain_add(&self->border, edge);
}

AbutResult abut_patching_renew(AbutPatching* self, AbutEdgeChain* chain)
{
    AbutVertexKeys keys;
    AbutResult result = abut_edge_chain_file(chain, self->point_count, &keys);
    AbutEdgeCursor cursor = { 0 };
    AbutEdgeGroup group;
    self->border.count = 0;
    while (result == ABUT_OK && abut_edge_chain_next(&keys, &cursor, &group))
    {
        result = add_sum(self, chain, &group) ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    }
    abut_vertex_keys_destroy(&self->host, &keys);
    abut_edge_chain_destroy(chain);
    return result;
}
