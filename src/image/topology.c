// Edges by vertex keys of the joined mesh. A triangle that joining has made an edge or a point keeps all its
// edges and is a component of its own: it takes no part in parity, but may touch.
#include "image/topology.h"

#include "base/memory.h"
#include "base/union_find.h"
#include "mesh/edges.h"
#include "mesh/mesh.h"

static void take_edge(const AbutMeshEdge* edge, AbutImageTopology* out)
{
    uint32_t first = abut_edge_corner(edge->uses[0]);
    out->edges[first / 3] |= (uint8_t)(1u << first % 3);
    out->odd_edge_count += edge->use_count % 2;
    for (uint32_t i = 1; i < edge->use_count; ++i)
    {
        abut_union_find_join(out->components, first / 3, abut_edge_corner(edge->uses[i]) / 3);
    }
}

static void take_edges(const AbutMesh* joined, const AbutVertexKeys* keys, AbutImageTopology* out)
{
    for (uint32_t t = 0; t < out->triangle_count; ++t)
    {
        out->edges[t] = abut_is_collapsed(joined->indices + 3 * (size_t)t) ? 7 : 0;
    }
    abut_union_find_init(out->components, out->triangle_count);
    for (uint32_t v = 0; v < keys->vertex_count; ++v)
    {
        uint32_t cursor = keys->offsets[v];
        AbutMeshEdge edge;
        while (abut_next_edge(keys, v, &cursor, &edge))
        {
            take_edge(&edge, out);
        }
    }
}

/// Roots of sets become numbers; the root of a set is its first triangle.
static void number_components(AbutImageTopology* out)
{
    for (uint32_t t = 0; t < out->triangle_count; ++t)
    {
        uint32_t root = abut_union_find_root(out->components, t);
        out->components[t] = root;
    }
    for (uint32_t t = 0; t < out->triangle_count; ++t)
    {
        bool is_root = out->components[t] == t;
        out->components[t] = is_root ? out->component_count : out->components[out->components[t]];
        out->component_count += is_root;
    }
}

static AbutResult find_topology(const AbutHost* host, const AbutMesh* joined, AbutImageTopology* out)
{
    AbutVertexKeys keys = { 0 };
    AbutResult result = abut_vertex_keys_create(host, joined, abut_file_edges, &keys);
    if (result == ABUT_OK)
    {
        take_edges(joined, &keys, out);
        number_components(out);
    }
    abut_vertex_keys_destroy(host, &keys);
    return result;
}

AbutResult abut_image_topology_create(const AbutHost* host, const AbutMesh* mesh, AbutImageTopology* out)
{
    *out = (AbutImageTopology){ .triangle_count = mesh->triangle_count };
    out->edges = abut_memory_allocate(host, out->triangle_count, sizeof(uint8_t));
    out->components = abut_memory_allocate(host, out->triangle_count, sizeof(uint32_t));
    AbutResult result = out->edges != NULL && out->components != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    AbutMesh* joined = NULL;
    if (result == ABUT_OK)
    {
        result = abut_mesh_weld(mesh, 0.0f, host, &joined);
    }
    if (result == ABUT_OK)
    {
        result = find_topology(host, joined, out);
    }
    abut_mesh_destroy(joined);
    if (result != ABUT_OK)
    {
        abut_image_topology_destroy(host, out);
    }
    return result;
}

void abut_image_topology_destroy(const AbutHost* host, AbutImageTopology* topology)
{
    abut_memory_free(host, topology->edges, topology->triangle_count, sizeof(uint8_t));
    abut_memory_free(host, topology->components, topology->triangle_count, sizeof(uint32_t));
    *topology = (AbutImageTopology){ 0 };
}
