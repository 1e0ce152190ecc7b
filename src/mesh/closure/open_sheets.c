#include "mesh/closure/open_sheets.h"

#include "base/memory.h"
#include "base/union_find.h"
#include "mesh/border.h"
#include "mesh/corners.h"
#include "mesh/half_edges.h"

#include <string.h>

/// Volume over area to the power 1.5; a ball has 0.094. Open components under the first are sheets. Sheets
/// surround a volume when together they enclose more than each by itself, by the second.
static const double SHEET_VOLUME = 0.01, SOUP_VOLUME = 0.001;

/// |∫ n dA| / ∫ dA: 1 for a flat sheet, ½ for half of a sphere, 0 for the two sides of a plate. Components
/// over the second are sheets with more volume under their curvature.
static const double SHEET_FACING = 0.5, BENT_FACING = 0.8, BENT_VOLUME = 0.05;

typedef struct Component
{
    double area;      // ∫ dA
    AbutDVec3 center; // ∫ y dA
    AbutDVec3 normal; // ∫ n dA
    double volume;    // ⅓ ∫ y·n dA
    uint32_t triangle_count;
    bool open, sheet;
} Component;

typedef struct Finding
{
    const AbutMesh* mesh;
    AbutHalfEdges half_edges;
    AbutBorder border;
    Component* components; // by root
    AbutDVec3 origin;
} Finding;

static void add_triangle(const Finding* self, uint32_t triangle, Component* component)
{
    AbutDVec3 p[3];
    abut_mesh_corners(self->mesh, triangle, p);
    AbutDVec3 n = abut_corners_normal(p), middle = abut_dvec3_sub(abut_corners_middle(p), self->origin);
    double area = 0.5 * abut_dvec3_length(n);
    component->center = abut_dvec3_mul_add(component->center, area, middle);
    component->normal = abut_dvec3_mul_add(component->normal, 0.5, n);
    component->area += area;
    component->volume += abut_dvec3_dot(middle, n) / 6.0;
    component->triangle_count += 1;
}

static double natural_volume(const Component* component)
{
    return component->area * sqrt(component->area);
}

/// The volume about the centre of area.
static double enclosed_volume(const Component* component)
{
    double moved = component->area > 0.0
                       ? abut_dvec3_dot(component->center, component->normal) / (3.0 * component->area)
                       : 0.0;
    return fabs(component->volume - moved);
}

static Component* component_of(Finding* self, uint32_t triangle)
{
    return &self->components[abut_union_find_root(self->half_edges.components, triangle)];
}

static void measure_components(Finding* self)
{
    uint32_t triangle_count = self->mesh->triangle_count;
    for (uint32_t t = 0; t < triangle_count; ++t)
    {
        add_triangle(self, t, component_of(self, t));
    }
    for (uint32_t i = 0; i < self->border.edge_count; ++i)
    {
        component_of(self, self->border.edges[i].triangle)->open = true;
    }
}

static bool is_sheet(const Component* component)
{
    double facing = abut_dvec3_length(component->normal), natural = natural_volume(component);
    return component->open &&
           ((facing >= SHEET_FACING * component->area &&
             enclosed_volume(component) < SHEET_VOLUME * natural) ||
            (facing >= BENT_FACING * component->area && enclosed_volume(component) < BENT_VOLUME * natural));
}

/// Marks the sheets, and returns how many triangles they have.
static uint32_t choose_components(Finding* self)
{
    Component all = { 0 };
    double apart = 0.0;
    uint32_t triangle_count = self->mesh->triangle_count, count = 0;
    for (uint32_t t = 0; t < triangle_count; ++t)
    {
        Component* component = &self->components[t];
        component->sheet = is_sheet(component);
        apart += component->sheet ? enclosed_volume(component) : 0.0;
    }
    for (uint32_t t = 0; t < triangle_count; ++t)
    {
        if (component_of(self, t)->sheet)
        {
            add_triangle(self, t, &all);
            count += 1;
        }
    }
    return enclosed_volume(&all) > 1.001 * apart + SOUP_VOLUME * natural_volume(&all) ? 0 : count;
}

static AbutResult add_flipped(const AbutHost* host, Finding* self, uint32_t sheet_count, AbutOpenSheets* out)
{
    const AbutMesh* mesh = self->mesh;
    uint64_t total = (uint64_t)mesh->triangle_count + sheet_count;
    if (total > UINT32_MAX)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "mesh: too many triangles with the backs of its sheets");
    }
    AbutResult result = abut_mesh_create_uninitialized(mesh->vertex_count, (uint32_t)total, host, &out->mesh);
    if (result != ABUT_OK)
    {
        return result;
    }
    out->flags = abut_memory_allocate_zero(host, (size_t)total, sizeof(uint8_t));
    if (out->flags == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    memcpy(out->mesh->vertices, mesh->vertices, mesh->vertex_count * sizeof(AbutVec3));
    memcpy(out->mesh->indices, mesh->indices, 3 * (size_t)mesh->triangle_count * sizeof(uint32_t));
    uint32_t next = mesh->triangle_count;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        if (component_of(self, t)->sheet)
        {
            const uint32_t* corners = mesh->indices + 3 * (size_t)t;
            const uint32_t flipped[3] = { corners[0], corners[2], corners[1] };
            out->flags[t] = out->flags[next] = 1;
            memcpy(out->mesh->indices + 3 * (size_t)next++, flipped, sizeof(flipped));
        }
    }
    out->triangle_count = sheet_count;
    abut_mesh_finish(out->mesh);
    return ABUT_OK;
}

static AbutResult find(const AbutHost* host, Finding* self, AbutOpenSheets* out)
{
    AbutResult result =
        abut_border_create(host, &self->half_edges, abut_border_crack(self->mesh->bounds), &self->border);
    if (result != ABUT_OK)
    {
        return result;
    }
    measure_components(self);
    uint32_t sheet_count = choose_components(self);
    for (uint32_t i = 0; i < self->border.edge_count; ++i)
    {
        bool closes = sheet_count > 0 && component_of(self, self->border.edges[i].triangle)->sheet;
        out->open_edge_count += closes ? 0u : 1u;
    }
    return sheet_count > 0 ? add_flipped(host, self, sheet_count, out) : ABUT_OK;
}

AbutResult abut_open_sheets_create(const AbutHost* host, const AbutMesh* mesh, AbutOpenSheets* out)
{
    *out = (AbutOpenSheets){ 0 };
    Finding self = { .mesh = mesh, .origin = abut_box_dcenter(mesh->bounds) };
    AbutResult result = abut_half_edges_create(host, mesh, &self.half_edges);
    if (result != ABUT_OK)
    {
        return result;
    }
    self.components = abut_memory_allocate_zero(host, mesh->triangle_count, sizeof(Component));
    result = self.components != NULL ? find(host, &self, out) : ABUT_OUT_OF_MEMORY;
    abut_memory_free(host, self.components, mesh->triangle_count, sizeof(Component));
    abut_border_destroy(host, &self.border);
    abut_half_edges_destroy(host, &self.half_edges);
    if (result != ABUT_OK)
    {
        abut_open_sheets_destroy(host, out);
    }
    return result;
}

void abut_open_sheets_destroy(const AbutHost* host, AbutOpenSheets* self)
{
    uint32_t count = self->mesh != NULL ? self->mesh->triangle_count : 0;
    abut_memory_free(host, self->flags, count, sizeof(uint8_t));
    abut_mesh_destroy(self->mesh);
    *self = (AbutOpenSheets){ 0 };
}
