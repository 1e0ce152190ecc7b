// Edges by the number of their triangles, and the connected components.
#include "mesh/inspect/edges.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "base/union_find.h"

enum
{
    BLOCK_COUNT = 256
};

typedef struct EdgeCounts
{
    uint32_t boundary, nonmanifold, inconsistent;
} EdgeCounts;

typedef struct EdgeContext
{
    const AbutMesh* mesh;
    const AbutVertexKeys* edges;
    EdgeCounts blocks[BLOCK_COUNT];
} EdgeContext;

/// Two neighbours have the same orientation when their edge has opposite directions in them.
static bool is_inconsistent(const AbutMesh* mesh, const AbutMeshEdge* edge)
{
    return mesh->indices[abut_edge_corner(edge->uses[0])] == mesh->indices[abut_edge_corner(edge->uses[1])];
}

static void count_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    EdgeContext* self = context;
    uint64_t count = self->edges->vertex_count;
    EdgeCounts counts = { 0 };
    for (uint64_t v = count * block / BLOCK_COUNT; v < count * (block + 1) / BLOCK_COUNT; ++v)
    {
        uint32_t cursor = self->edges->offsets[v];
        AbutMeshEdge edge;
        while (abut_next_edge(self->edges, (uint32_t)v, &cursor, &edge))
        {
            counts.boundary += edge.use_count == 1;
            counts.nonmanifold += edge.use_count > 2;
            counts.inconsistent += edge.use_count == 2 && is_inconsistent(self->mesh, &edge);
        }
    }
    self->blocks[block] = counts;
}

AbutResult abut_inspect_edges(AbutInspection* inspection)
{
    AbutResult result =
        abut_vertex_keys_create(&inspection->host, inspection->mesh, abut_file_edges, &inspection->edges);
    if (result != ABUT_OK)
    {
        return result;
    }
    EdgeContext context = { .mesh = inspection->mesh, .edges = &inspection->edges };
    abut_parallel_for(&inspection->host, BLOCK_COUNT, count_block, &context);
    for (int b = 0; b < BLOCK_COUNT; ++b)
    {
        inspection->report.boundary_edge_count += context.blocks[b].boundary;
        inspection->report.nonmanifold_edge_count += context.blocks[b].nonmanifold;
        inspection->report.inconsistent_edge_count += context.blocks[b].inconsistent;
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Components
// -----------------------------------------------------------------------------------------------------------

static uint32_t count_joins(const AbutVertexKeys* edges, uint32_t* parents)
{
    uint32_t join_count = 0;
    for (uint32_t v = 0; v < edges->vertex_count; ++v)
    {
        uint32_t cursor = edges->offsets[v];
        AbutMeshEdge edge;
        while (abut_next_edge(edges, v, &cursor, &edge))
        {
            for (uint32_t i = 1; i < edge.use_count; ++i)
            {
                join_count += abut_union_find_join(parents, abut_edge_corner(edge.uses[0]) / 3,
                                                   abut_edge_corner(edge.uses[i]) / 3);
            }
        }
    }
    return join_count;
}

AbutResult abut_inspect_components(AbutInspection* inspection)
{
    uint32_t triangle_count = inspection->mesh->triangle_count;
    uint32_t* parents = abut_memory_allocate(&inspection->host, triangle_count, sizeof(uint32_t));
    if (parents == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    abut_union_find_init(parents, triangle_count);
    // Triangles with edges are one component each until joined; every one of them filed three.
    uint32_t joins = count_joins(&inspection->edges, parents);
    inspection->report.component_count = inspection->edges.key_count / 3 - joins;
    abut_memory_free(&inspection->host, parents, triangle_count, sizeof(uint32_t));
    return ABUT_OK;
}
