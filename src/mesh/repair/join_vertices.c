#include "mesh/repair/join_vertices.h"

#include "base/memory.h"
#include "mesh/repair/position_order.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct Joining
{
    AbutHost host;
    const AbutMesh* mesh;
    const AbutHalfEdges* half_edges;
    uint32_t vertex_count; // of the half edges' mesh
    uint32_t* ends;        // vertices with border edges, by position
    uint32_t end_count;
    uint32_t* targets; // by vertex: the vertex that it becomes
    uint32_t joined_count;
} Joining;

void abut_find_origins(const AbutMesh* mesh, const AbutHalfEdges* half_edges, uint32_t* origins)
{
    memset(origins, 0xFF, half_edges->mesh->vertex_count * sizeof(uint32_t));
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i)
    {
        uint32_t* origin = &origins[half_edges->mesh->indices[i]];
        *origin = *origin == NONE ? mesh->indices[i] : *origin;
    }
}

static bool is_before(const void* context, uint32_t a, uint32_t b)
{
    const Joining* self = context;
    const AbutVec3* vertices = self->half_edges->mesh->vertices;
    return abut_compare_positions(vertices[a], vertices[b]) < 0;
}

static void collect_ends(Joining* self)
{
    for (uint32_t v = 0; v < self->vertex_count; ++v)
    {
        self->targets[v] = NONE;
    }
    for (size_t i = 0; i < 2 * (size_t)self->half_edges->border_count; ++i)
    {
        const AbutBorderEdge* edge = &self->half_edges->border[i / 2];
        uint32_t v = i % 2 == 0 ? edge->from : edge->to;
        if (self->targets[v] == NONE)
        {
            self->targets[v] = v;
            self->ends[self->end_count++] = v;
        }
    }
    abut_sort_items(self->ends, self->end_count, is_before, self);
}

/// abut_mesh_weld() joins the corners of triangles, so each end becomes a triangle of no size.
static AbutResult weld_ends(const Joining* self, float tolerance, AbutMesh** out)
{
    AbutMesh* ends = NULL;
    AbutResult result = abut_mesh_create_uninitialized(self->end_count, self->end_count, &self->host, &ends);
    if (result != ABUT_OK)
    {
        return result;
    }
    for (uint32_t i = 0; i < self->end_count; ++i)
    {
        ends->vertices[i] = self->half_edges->mesh->vertices[self->ends[i]];
        uint32_t* corners = ends->indices + 3 * (size_t)i;
        corners[0] = corners[1] = corners[2] = i;
    }
    result = abut_mesh_weld(ends, tolerance, &self->host, out);
    abut_mesh_destroy(ends);
    return result;
}

/// Welded ends are numbered by their first, so that is the one whose number is new.
static void set_targets(Joining* self, const AbutMesh* welded)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < self->end_count; ++i)
    {
        uint32_t number = welded->indices[3 * (size_t)i];
        if (number == known)
        {
            self->ends[known++] = self->ends[i]; // known ≤ i: the overwritten entry was read
        }
        else
        {
            self->targets[self->ends[i]] = self->ends[number];
            self->joined_count += 1;
        }
    }
}

static AbutResult make_mesh(const Joining* self, const uint32_t* origins, AbutMesh** out)
{
    const AbutMesh* mesh = self->mesh;
    AbutResult result =
        abut_mesh_create_uninitialized(mesh->vertex_count, mesh->triangle_count, &self->host, out);
    if (result != ABUT_OK)
    {
        return result;
    }
    memcpy((*out)->vertices, mesh->vertices, mesh->vertex_count * sizeof(AbutVec3));
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i)
    {
        uint32_t vertex = self->half_edges->mesh->indices[i], target = self->targets[vertex];
        bool moves = target != NONE && target != vertex;
        (*out)->indices[i] = moves ? origins[target] : mesh->indices[i];
    }
    abut_mesh_finish(*out);
    return ABUT_OK;
}

static AbutResult join(Joining* self, float tolerance, uint32_t* origins, AbutMesh** out)
{
    AbutMesh* welded = NULL;
    collect_ends(self);
    AbutResult result = weld_ends(self, tolerance, &welded);
    if (result != ABUT_OK)
    {
        return result;
    }
    set_targets(self, welded);
    abut_mesh_destroy(welded);
    if (self->joined_count == 0)
    {
        return ABUT_OK;
    }
    abut_find_origins(self->mesh, self->half_edges, origins);
    return make_mesh(self, origins, out);
}

AbutResult abut_join_vertices(const AbutHost* host, const AbutMesh* mesh, const AbutHalfEdges* half_edges,
                              float tolerance, AbutMesh** out, uint32_t* joined_count)
{
    *out = NULL;
    *joined_count = 0;
    if (half_edges->border_count == 0 || tolerance == 0.0f)
    {
        return ABUT_OK;
    }
    Joining self = { .host = *host, .mesh = mesh, .half_edges = half_edges };
    uint32_t count = self.vertex_count = half_edges->mesh->vertex_count;
    self.ends = abut_memory_allocate(host, count, sizeof(uint32_t));
    self.targets = abut_memory_allocate(host, count, sizeof(uint32_t));
    uint32_t* origins = abut_memory_allocate(host, count, sizeof(uint32_t));
    AbutResult result = ABUT_OUT_OF_MEMORY;
    if (self.ends != NULL && self.targets != NULL && origins != NULL)
    {
        result = join(&self, tolerance, origins, out);
    }
    abut_memory_free(host, self.ends, count, sizeof(uint32_t));
    abut_memory_free(host, self.targets, count, sizeof(uint32_t));
    abut_memory_free(host, origins, count, sizeof(uint32_t));
    *joined_count = self.joined_count;
    return result;
}
