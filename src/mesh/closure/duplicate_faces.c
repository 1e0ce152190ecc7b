#include "mesh/closure/duplicate_faces.h"

#include "base/memory.h"
#include "mesh/edges.h"

#include <string.h>

/// Files a triangle under its lowest vertex, by the other two in the order in which it runs through them, and
/// its number. Keys hold two numbers, so the third corner is read from the mesh.
static uint32_t file_triangle(const uint32_t corners[3], uint32_t triangle, AbutVertexKey keys[3])
{
    if (abut_is_collapsed(corners))
    {
        return 0;
    }
    int least = corners[0] < corners[1] ? 0 : 1;
    least = corners[2] < corners[least] ? 2 : least;
    keys[0] = (AbutVertexKey){ corners[least], (uint64_t)corners[(least + 1) % 3] << 32 | triangle };
    return 1;
}

static uint32_t third_corner(const AbutMesh* mesh, uint32_t triangle, uint32_t lowest)
{
    const uint32_t* corners = mesh->indices + 3 * (size_t)triangle;
    return corners[0] == lowest ? corners[2] : (corners[1] == lowest ? corners[0] : corners[1]);
}

/// Marks triangles that equal an earlier one; `mesh` has its vertices joined. Few triangles share a directed
/// edge, so those are compared one by one, with the few before.
static uint32_t mark_duplicates(const AbutMesh* mesh, const AbutVertexKeys* keys, uint8_t* marks)
{
    enum
    {
        MAX_COMPARED = 64
    };
    uint32_t count = 0;
    for (uint32_t v = 0; v < keys->vertex_count; ++v)
    {
        for (uint32_t i = keys->offsets[v]; i < keys->offsets[v + 1]; ++i)
        {
            uint32_t triangle = (uint32_t)keys->keys[i], third = third_corner(mesh, triangle, v);
            uint32_t begin = keys->offsets[v];
            begin = i - begin > MAX_COMPARED ? i - MAX_COMPARED : begin;
            for (uint32_t k = i; k-- > begin && keys->keys[k] >> 32 == keys->keys[i] >> 32;)
            {
                marks[triangle] |= third_corner(mesh, (uint32_t)keys->keys[k], v) == third ? 1 : 0;
            }
            count += marks[triangle];
        }
    }
    return count;
}

static AbutResult copy_without(const AbutHost* host, const AbutMesh* mesh, const uint8_t* marks,
                               uint32_t mark_count, AbutMesh** out)
{
    AbutResult result =
        abut_mesh_create_uninitialized(mesh->vertex_count, mesh->triangle_count - mark_count, host, out);
    if (result != ABUT_OK)
    {
        return result;
    }
    uint32_t next = 0;
    memcpy((*out)->vertices, mesh->vertices, mesh->vertex_count * sizeof(AbutVec3));
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        if (marks[t] == 0)
        {
            memcpy((*out)->indices + 3 * (size_t)next++, mesh->indices + 3 * (size_t)t, 3 * sizeof(uint32_t));
        }
    }
    abut_mesh_finish(*out);
    return ABUT_OK;
}

/// Keeps the copy only when its border is shorter.
static AbutResult compare_borders(const AbutHost* host, uint32_t border_count, AbutMesh** copy)
{
    AbutHalfEdges half_edges;
    AbutResult result = abut_half_edges_create(host, *copy, &half_edges);
    if (result != ABUT_OK || half_edges.border_count >= border_count)
    {
        abut_mesh_destroy(*copy);
        *copy = NULL;
    }
    if (result == ABUT_OK)
    {
        abut_half_edges_destroy(host, &half_edges);
    }
    return result;
}

AbutResult abut_duplicate_faces_remove(const AbutHost* host, const AbutMesh* mesh,
                                       const AbutHalfEdges* half_edges, AbutMesh** out)
{
    *out = NULL;
    AbutVertexKeys keys;
    AbutResult result = abut_vertex_keys_create(host, half_edges->mesh, file_triangle, &keys);
    if (result != ABUT_OK)
    {
        return result;
    }
    uint8_t* marks = abut_memory_allocate_zero(host, mesh->triangle_count, sizeof(uint8_t));
    uint32_t count = marks != NULL ? mark_duplicates(half_edges->mesh, &keys, marks) : 0;
    abut_vertex_keys_destroy(host, &keys);
    result = marks != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    if (count > 0)
    {
        result = copy_without(host, mesh, marks, count, out);
        result = result == ABUT_OK ? compare_borders(host, half_edges->border_count, out) : result;
    }
    abut_memory_free(host, marks, mesh->triangle_count, sizeof(uint8_t));
    return result;
}
