// Chunks are the largest subtrees of a box tree that have at most 32 triangles: close together, whatever the
// order of the mesh.
#include "image/raster/chunks.h"

#include "base/memory.h"
#include "mesh/box_tree.h"
#include "mesh/mesh.h"
#include "mesh/triangle/triangle.h"

#include <string.h>

static AbutBox triangle_box(void* context, uint32_t triangle)
{
    const AbutMesh* mesh = context;
    AbutTriangle t = abut_triangle_of(mesh->vertices, mesh->indices + 3 * (size_t)triangle);
    return abut_triangle_box(&t);
}

/// The first node at or after `node` whose subtree makes a chunk.
static uint32_t next_chunk_node(const AbutBoxTree* tree, uint32_t node)
{
    while (node < tree->node_count && tree->nodes[node].size > 1 &&
           tree->nodes[node + tree->nodes[node].size].first - tree->nodes[node].first > ABUT_CHUNK_TRIANGLES)
    {
        node += 1;
    }
    return node;
}

/// Leaves of a tree may have more triangles than a chunk, when many are equal: then they are several chunks.
static uint32_t count_chunks(const AbutBoxTree* tree)
{
    uint32_t count = 0;
    for (uint32_t i = next_chunk_node(tree, 0); i < tree->node_count;
         i = next_chunk_node(tree, i + tree->nodes[i].size))
    {
        uint32_t triangles = tree->nodes[i + tree->nodes[i].size].first - tree->nodes[i].first;
        count += (triangles + ABUT_CHUNK_TRIANGLES - 1) / ABUT_CHUNK_TRIANGLES;
    }
    return count;
}

/// The number of a vertex of the mesh within the chunk, new at the end.
static uint8_t vertex_slot(uint32_t* vertices, uint32_t* count, uint32_t vertex)
{
    for (uint32_t i = 0; i < *count; ++i)
    {
        if (vertices[i] == vertex)
        {
            return (uint8_t)i;
        }
    }
    vertices[*count] = vertex;
    return (uint8_t)((*count)++);
}

/// Fills a chunk from `count` items of a tree and returns the number of its vertices without padding.
static uint32_t fill_chunk(const AbutMesh* mesh, const uint32_t* items, uint32_t count, AbutImageChunk* chunk,
                           uint32_t vertices[ABUT_CHUNK_VERTICES])
{
    uint32_t vertex_count = 0;
    memset(chunk, 0, sizeof(*chunk));
    chunk->box = abut_box_empty();
    chunk->triangle_count = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t* corners = mesh->indices + 3 * (size_t)items[i];
        chunk->triangles[i] = items[i];
        for (int k = 0; k < 3; ++k)
        {
            chunk->corners[k][i] = vertex_slot(vertices, &vertex_count, corners[k]);
            chunk->box = abut_box_add_point(chunk->box, mesh->vertices[corners[k]]);
        }
    }
    chunk->vertex_count =
        (vertex_count + ABUT_CHUNK_PADDING - 1) / ABUT_CHUNK_PADDING * (uint32_t)ABUT_CHUNK_PADDING;
    return vertex_count;
}

static void copy_vertices(const AbutMesh* mesh, const uint32_t* vertices, uint32_t count,
                          const AbutImageChunk* chunk, AbutImageMesh* out)
{
    for (uint32_t i = 0; i < chunk->vertex_count; ++i)
    {
        AbutVec3 v = mesh->vertices[vertices[i < count ? i : 0]];
        out->coordinates[0][chunk->first_vertex + i] = v.x;
        out->coordinates[1][chunk->first_vertex + i] = v.y;
        out->coordinates[2][chunk->first_vertex + i] = v.z;
    }
}

/// Chunks of one subtree; copies vertices when there is memory for them (the second pass).
static uint32_t fill_subtree(const AbutMesh* mesh, const AbutBoxTree* tree, uint32_t node, uint32_t chunk,
                             AbutImageMesh* out)
{
    uint32_t first = tree->nodes[node].first, end = tree->nodes[node + tree->nodes[node].size].first;
    for (; first < end; first += ABUT_CHUNK_TRIANGLES, ++chunk)
    {
        uint32_t vertices[ABUT_CHUNK_VERTICES];
        uint32_t count = end - first < ABUT_CHUNK_TRIANGLES ? end - first : ABUT_CHUNK_TRIANGLES;
        uint32_t vertex_count = fill_chunk(mesh, tree->items + first, count, &out->chunks[chunk], vertices);
        out->chunks[chunk].first_vertex = out->vertex_count;
        out->vertex_count += out->chunks[chunk].vertex_count;
        if (out->coordinates[0] != NULL)
        {
            copy_vertices(mesh, vertices, vertex_count, &out->chunks[chunk], out);
        }
    }
    return chunk;
}

static void fill_chunks(const AbutMesh* mesh, const AbutBoxTree* tree, AbutImageMesh* out)
{
    uint32_t chunk = 0;
    out->vertex_count = 0;
    for (uint32_t i = next_chunk_node(tree, 0); i < tree->node_count;
         i = next_chunk_node(tree, i + tree->nodes[i].size))
    {
        chunk = fill_subtree(mesh, tree, i, chunk, out);
    }
}

/// Once for the number of vertices, once for the vertices.
static AbutResult create_chunks(const AbutHost* host, const AbutMesh* mesh, const AbutBoxTree* tree,
                                AbutImageMesh* out)
{
    out->chunk_count = count_chunks(tree);
    out->chunks = abut_memory_allocate(host, out->chunk_count, sizeof(AbutImageChunk));
    if (out->chunks == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    fill_chunks(mesh, tree, out);
    if (abut_image_coordinates_allocate(host, out->coordinates, out->vertex_count) != ABUT_OK)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    fill_chunks(mesh, tree, out);
    return ABUT_OK;
}

AbutResult abut_image_mesh_create(const AbutHost* host, const AbutMesh* mesh, AbutImageMesh* out)
{
    *out = (AbutImageMesh){ .triangle_count = mesh->triangle_count, .box = mesh->bounds };
    AbutBoxTree tree = { 0 };
    AbutResult result =
        abut_box_tree_create(host, mesh->triangle_count, triangle_box, (void*)(uintptr_t)mesh, &tree);
    if (result == ABUT_OK)
    {
        result = create_chunks(host, mesh, &tree, out);
    }
    abut_box_tree_destroy(host, &tree);
    if (result != ABUT_OK)
    {
        abut_image_mesh_destroy(host, out);
    }
    return result;
}

AbutResult abut_image_coordinates_allocate(const AbutHost* host, float* coordinates[3], uint32_t count)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        coordinates[axis] = abut_memory_allocate(host, count, sizeof(float));
        if (coordinates[axis] == NULL)
        {
            return ABUT_OUT_OF_MEMORY;
        }
    }
    return ABUT_OK;
}

void abut_image_coordinates_free(const AbutHost* host, float* coordinates[3], uint32_t count)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        abut_memory_free(host, coordinates[axis], count, sizeof(float));
    }
}

void abut_image_mesh_destroy(const AbutHost* host, AbutImageMesh* mesh)
{
    abut_memory_free(host, mesh->chunks, mesh->chunk_count, sizeof(AbutImageChunk));
    abut_image_coordinates_free(host, mesh->coordinates, mesh->vertex_count);
    *mesh = (AbutImageMesh){ 0 };
}
