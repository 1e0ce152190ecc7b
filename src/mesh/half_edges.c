#include "mesh/half_edges.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "mesh/edges.h"

#include <string.h>

/// Triangles with the edge from the lower vertex to the higher one minus triangles with the opposite edge.
static int64_t net_count(const AbutMesh* mesh, const AbutMeshEdge* edge)
{
    int64_t net = 0;
    for (uint32_t i = 0; i < edge->use_count; ++i)
    {
        net += mesh->indices[abut_edge_corner(edge->uses[i])] == edge->low ? 1 : -1;
    }
    return net;
}

static bool add_border(const AbutHost* host, AbutHalfEdges* out, const AbutMeshEdge* edge, int64_t net)
{
    if (!abut_memory_grow(host, (void**)&out->border, &out->border_capacity, (size_t)out->border_count + 1,
                          sizeof(AbutBorderEdge)))
    {
        return false;
    }
    ABUT_ASSERT(net != 0 && edge->low != edge->high);
    out->border[out->border_count++] = (AbutBorderEdge){
        .from = net > 0 ? edge->low : edge->high,
        .to = net > 0 ? edge->high : edge->low,
        .count = (uint32_t)(net > 0 ? net : -net),
        .triangle = abut_edge_corner(edge->uses[0]) / 3,
    };
    return true;
}

static bool add_edge(const AbutHost* host, AbutHalfEdges* out, const AbutMeshEdge* edge)
{
    for (uint32_t i = 1; i < edge->use_count; ++i)
    {
        abut_union_find_join(out->components, abut_edge_corner(edge->uses[0]) / 3,
                             abut_edge_corner(edge->uses[i]) / 3);
    }
    int64_t net = net_count(out->mesh, edge);
    if (edge->use_count == 2 && net == 0)
    {
        uint32_t a = abut_edge_corner(edge->uses[0]), b = abut_edge_corner(edge->uses[1]);
        ABUT_ASSERT(a != b && out->twins[a] == ABUT_NO_TWIN && out->twins[b] == ABUT_NO_TWIN);
        out->twins[a] = b;
        out->twins[b] = a;
        return true;
    }
    out->closed = false;
    return net == 0 || add_border(host, out, edge, net);
}

static bool add_edges(const AbutHost* host, const AbutVertexKeys* edges, AbutHalfEdges* out)
{
    abut_union_find_init(out->components, out->mesh->triangle_count);
    for (uint32_t t = 0; t < out->mesh->triangle_count; ++t)
    {
        out->twins[3 * (size_t)t] = out->twins[3 * (size_t)t + 1] = out->twins[3 * (size_t)t + 2] =
            ABUT_NO_TWIN;
    }
    for (uint32_t v = 0; v < edges->vertex_count; ++v)
    {
        uint32_t cursor = edges->offsets[v];
        AbutMeshEdge edge;
        while (abut_next_edge(edges, v, &cursor, &edge))
        {
            if (!add_edge(host, out, &edge))
            {
                return false;
            }
        }
    }
    return true;
}

static AbutResult fill(const AbutHost* host, AbutHalfEdges* out)
{
    uint32_t triangle_count = out->mesh->triangle_count;
    out->twins = abut_memory_allocate(host, triangle_count, 3 * sizeof(uint32_t));
    out->components = abut_memory_allocate(host, triangle_count, sizeof(uint32_t));
    if (out->twins == NULL || out->components == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    AbutVertexKeys edges;
    AbutResult result = abut_vertex_keys_create(host, out->mesh, abut_file_edges, &edges);
    if (result == ABUT_OK && !add_edges(host, &edges, out))
    {
        result = ABUT_OUT_OF_MEMORY;
    }
    abut_vertex_keys_destroy(host, &edges);
    return result;
}

AbutResult abut_half_edges_create(const AbutHost* host, const AbutMesh* mesh, AbutHalfEdges* out)
{
    memset(out, 0, sizeof(*out));
    AbutHalfEdges half_edges = { .closed = true };
    AbutResult result = abut_mesh_weld(mesh, 0.0f, host, &half_edges.mesh);
    if (result == ABUT_OK)
    {
        result = fill(host, &half_edges);
    }
    if (result != ABUT_OK)
    {
        abut_half_edges_destroy(host, &half_edges);
        return result;
    }
    *out = half_edges;
    return ABUT_OK;
}

void abut_half_edges_destroy(const AbutHost* host, AbutHalfEdges* self)
{
    if (self->mesh == NULL)
    {
        return;
    }
    uint32_t triangle_count = self->mesh->triangle_count;
    abut_memory_free(host, self->twins, triangle_count, 3 * sizeof(uint32_t));
    abut_memory_free(host, self->components, triangle_count, sizeof(uint32_t));
    abut_memory_free(host, self->border, self->border_capacity, sizeof(AbutBorderEdge));
    abut_mesh_destroy(self->mesh);
    memset(self, 0, sizeof(*self));
}
