#include "mesh/closure/patches.h"

#include "base/memory.h"
#include "base/union_find.h"
#include "mesh/border.h"
#include "mesh/closure/patch_gaps.h"
#include "mesh/closure/patch_loops.h"
#include "mesh/corners.h"
#include "mesh/repair/join_vertices.h"
#include "mesh/repair/position_order.h"
#include "mesh/triangle/triangle.h"

#include <string.h>

#define NONE UINT32_MAX

/// A mesh with more loose triangles than this fraction of all is a soup, unless its border has few edges.
static const uint32_t MAX_FRACTION = 4, FEW_EDGES = 1024;

// -----------------------------------------------------------------------------------------------------------
// Points
// -----------------------------------------------------------------------------------------------------------

static bool is_before(const void* context, uint32_t a, uint32_t b)
{
    const AbutPatching* self = context;
    const AbutVec3* vertices = self->half_edges.mesh->vertices;
    return abut_compare_positions(vertices[a], vertices[b]) < 0;
}

/// Fills `numbers`, by vertex of the half edges' mesh: that of its point. Vertices stand for points on the
/// way.
static bool number_points(AbutPatching* self, uint32_t* numbers)
{
    const AbutHalfEdges* half_edges = &self->half_edges;
    memset(numbers, 0xFF, half_edges->mesh->vertex_count * sizeof(uint32_t));
    for (size_t i = 0; i < 2 * (size_t)half_edges->border_count; ++i)
    {
        const AbutBorderEdge* edge = &half_edges->border[i / 2];
        uint32_t v = i % 2 == 0 ? edge->from : edge->to;
        self->end_count += numbers[v] == NONE ? 1u : 0u;
        numbers[v] = 0;
    }
    self->vertices = abut_memory_allocate(&self->host, self->end_count, sizeof(uint32_t));
    if (self->vertices == NULL || !abut_memory_grow(&self->host, (void**)&self->points, &self->point_capacity,
                                                    self->end_count, sizeof(AbutVec3)))
    {
        return false;
    }
    for (uint32_t v = 0; v < half_edges->mesh->vertex_count; ++v)
    {
        if (numbers[v] != NONE)
        {
            self->vertices[self->point_count++] = v;
        }
    }
    abut_sort_items(self->vertices, self->end_count, is_before, self);
    for (uint32_t p = 0; p < self->end_count; ++p)
    {
        self->points[p] = half_edges->mesh->vertices[self->vertices[p]];
        numbers[self->vertices[p]] = p;
    }
    return true;
}

static bool copy_border(AbutPatching* self, const uint32_t* numbers)
{
    bool added = true;
    for (uint32_t i = 0; added && i < self->half_edges.border_count; ++i)
    {
        const AbutBorderEdge* edge = &self->half_edges.border[i];
        added = abut_edge_chain_add(&self->border, (AbutChainEdge){ numbers[edge->from], numbers[edge->to],
                                                                    edge->count, edge->triangle, 0.0 });
    }
    return added;
}

/// Points and the border between them. `numbers` has an entry per vertex of the half edges' mesh, and ends
/// with the vertices of the mesh itself.
static bool collect_border(AbutPatching* self, uint32_t* numbers)
{
    if (!number_points(self, numbers) || !copy_border(self, numbers))
    {
        return false;
    }
    abut_find_origins(self->mesh, &self->half_edges, numbers);
    for (uint32_t p = 0; p < self->end_count; ++p)
    {
        self->vertices[p] = numbers[self->vertices[p]];
    }
    return true;
}

static bool measure_components(AbutPatching* self)
{
    const AbutMesh* mesh = self->half_edges.mesh;
    self->component_boxes = abut_memory_allocate(&self->host, mesh->triangle_count, sizeof(AbutBox));
    if (self->component_boxes == NULL)
    {
        return false;
    }
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        self->component_boxes[t] = abut_box_empty();
    }
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        AbutTriangle triangle = abut_triangle_of(mesh->vertices, mesh->indices + 3 * (size_t)t);
        AbutBox* box = &self->component_boxes[abut_union_find_root(self->half_edges.components, t)];
        *box = abut_box_union(*box, abut_triangle_box(&triangle));
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

static AbutResult close_levels(AbutPatching* self)
{
    AbutResult result = ABUT_OK;
    double tolerance = abut_border_crack(self->mesh->bounds);
    for (bool last = false; result == ABUT_OK && !last && self->border.count > 0; tolerance *= 2.0)
    {
        last = tolerance >= self->widest;
        result = abut_patching_level(self, last ? self->widest : tolerance);
    }
    return result == ABUT_OK && self->border.count > 0 ? abut_patching_fill(self) : result;
}

static AbutResult make_mesh(const AbutPatching* self, AbutPatches* out)
{
    const AbutMesh* mesh = self->mesh;
    uint32_t apex_count = self->point_count - self->end_count;
    size_t added = self->corner_count / 3, total = mesh->triangle_count + added;
    out->open_edge_count = (uint32_t)self->border.count;
    out->width = self->width;
    out->triangle_count = (uint32_t)added;
    if (added == 0)
    {
        return ABUT_OK;
    }
    if (total > UINT32_MAX || mesh->vertex_count > UINT32_MAX - apex_count)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "mesh: too many triangles with those that close its gaps");
    }
    AbutResult result = abut_mesh_create_uninitialized(mesh->vertex_count + apex_count, (uint32_t)total,
                                                       &self->host, &out->mesh);
    if (result != ABUT_OK)
    {
        return result;
    }
    memcpy(out->mesh->vertices, mesh->vertices, mesh->vertex_count * sizeof(AbutVec3));
    memcpy(out->mesh->vertices + mesh->vertex_count, self->points + self->end_count,
           apex_count * sizeof(AbutVec3));
    memcpy(out->mesh->indices, mesh->indices, 3 * (size_t)mesh->triangle_count * sizeof(uint32_t));
    for (size_t i = 0; i < self->corner_count; ++i)
    {
        uint32_t point = self->corners[i];
        out->mesh->indices[3 * (size_t)mesh->triangle_count + i] =
            point < self->end_count ? self->vertices[point] : mesh->vertex_count + point - self->end_count;
    }
    abut_mesh_finish(out->mesh);
    return ABUT_OK;
}

static AbutResult create(AbutPatching* self, AbutPatches* out)
{
    uint32_t vertex_count = self->half_edges.mesh->vertex_count;
    uint32_t* numbers = abut_memory_allocate(&self->host, vertex_count, sizeof(uint32_t));
    bool complete = numbers != NULL && collect_border(self, numbers) && measure_components(self);
    abut_memory_free(&self->host, numbers, vertex_count, sizeof(uint32_t));
    if (!complete)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    AbutResult result = close_levels(self);
    return result == ABUT_OK ? make_mesh(self, out) : result;
}

bool abut_patches_suit(const AbutHalfEdges* half_edges)
{
    uint32_t loose = 0, triangle_count = half_edges->mesh->triangle_count;
    for (uint32_t t = 0; half_edges->border_count > FEW_EDGES && t < triangle_count; ++t)
    {
        const uint32_t* twins = half_edges->twins + 3 * (size_t)t;
        loose += twins[0] == ABUT_NO_TWIN && twins[1] == ABUT_NO_TWIN && twins[2] == ABUT_NO_TWIN ? 1u : 0u;
    }
    return loose <= triangle_count / MAX_FRACTION;
}

AbutResult abut_patches_create(const AbutHost* host, const AbutMesh* mesh, double widest, AbutPatches* out)
{
    *out = (AbutPatches){ 0 };
    AbutPatching self = { .host = *host, .mesh = mesh, .widest = widest, .border = { .host = *host } };
    AbutResult result = abut_half_edges_create(host, mesh, &self.half_edges);
    if (result != ABUT_OK)
    {
        return result;
    }
    uint32_t triangle_count = mesh->triangle_count;
    out->open_edge_count = self.half_edges.border_count;
    if (self.half_edges.border_count > 0 && abut_patches_suit(&self.half_edges))
    {
        result = create(&self, out);
    }
    abut_memory_free(host, self.corners, self.corner_capacity, sizeof(uint32_t));
    abut_memory_free(host, self.vertices, self.end_count, sizeof(uint32_t));
    abut_memory_free(host, self.points, self.point_capacity, sizeof(AbutVec3));
    abut_memory_free(host, self.component_boxes, triangle_count, sizeof(AbutBox));
    abut_edge_chain_destroy(&self.border);
    abut_half_edges_destroy(host, &self.half_edges);
    return result;
}
