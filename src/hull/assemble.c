// The block of a hull from its draft: layout, vertices, half edges, planes, neighbours, start vertices.
#include "hull/draft.h"
#include "hull/hull.h"
#include "hull/support.h"

#include "base/memory.h"
#include "mesh/triangle/orient.h"

#include <string.h>

/// Alignment of the arrays of the block.
#define SECTION 64u

/// Hulls of at least this many vertices have a table of start vertices.
#define MIN_VERTICES_OF_TABLE 64u

/// Roundings of planes relative to the radius (hull.h). The normal is off by less than 2⁻⁵⁰ and the diameter
/// is at most two radii, so a vertex of the hull is at most 2⁻⁴⁹ above the highest of the face; the products
/// add 2⁻⁵⁰.
#define PLANE_OUTWARD 0x1p-47
#define PLANE_ERROR 0x1p-46

/// Steps of the search for the center, and the factor from one to the next.
#define CENTER_STEPS 48
#define CENTER_SHRINK 0.9

typedef struct Assembly
{
    const AbutVec3* points;
    const AbutHullDraft* draft;
    uint32_t* indices; // of points: that of the vertex, or UINT32_MAX
    AbutHull* hull;
} Assembly;

static void number_vertices(Assembly* self, uint32_t point_count, AbutHull* header)
{
    const AbutHullDraft* draft = self->draft;
    memset(self->indices, 0, point_count * sizeof(uint32_t));
    if (draft->dimension == 0)
    {
        self->indices[draft->point] = 1;
    }
    for (uint32_t i = 0; i < draft->half_edge_count; ++i)
    {
        self->indices[draft->tails[i]] = 1;
    }
    for (uint32_t i = 0; i < point_count; ++i)
    {
        self->indices[i] = self->indices[i] != 0 ? header->vertex_count++ : UINT32_MAX;
    }
}

static uint64_t add_section(AbutHull* header, uint64_t bytes)
{
    uint64_t at = header->size;
    header->size = (at + bytes + SECTION - 1) / SECTION * SECTION;
    return at;
}

static void lay_out(AbutHull* header)
{
    uint32_t n = header->vertex_count, r = header->start_resolution;
    header->lane_count = (n + ABUT_HULL_LANES - 1) / ABUT_HULL_LANES * ABUT_HULL_LANES;
    header->plane_lane_count =
        (header->face_count + ABUT_HULL_PLANE_LANES - 1) / ABUT_HULL_PLANE_LANES * ABUT_HULL_PLANE_LANES;
    header->size = (sizeof(AbutHull) + SECTION - 1) / SECTION * SECTION;
    header->positions_at = add_section(header, n * sizeof(AbutVec3));
    header->lanes_at = add_section(header, 3 * (uint64_t)header->lane_count * sizeof(float));
    header->vertices_at = add_section(header, n * sizeof(AbutHullVertex));
    header->neighbors_at = add_section(header, header->half_edge_count * sizeof(uint16_t));
    header->half_edges_at = add_section(header, header->half_edge_count * sizeof(AbutHullHalfEdge));
    header->faces_at = add_section(header, header->face_count * sizeof(AbutHullFace));
    header->planes_at = add_section(header, 4 * (uint64_t)header->plane_lane_count * sizeof(double));
    header->starts_at = add_section(header, 6 * (uint64_t)r * r * sizeof(uint16_t));
}

/// About half as many cells as vertices.
static uint32_t start_resolution(uint32_t vertex_count)
{
    uint32_t r = 0;
    while (vertex_count >= MIN_VERTICES_OF_TABLE && 12 * (r + 1) * (r + 1) <= vertex_count)
    {
        ++r;
    }
    return r;
}

static void* section(const AbutHull* hull, uint64_t at)
{
    return (char*)hull + at;
}

/// −0 becomes +0.
static float plain_zero(float x)
{
    return x == 0.0f ? 0.0f : x;
}

static void fill_positions(const Assembly* self, uint32_t point_count)
{
    AbutHull* hull = self->hull;
    AbutVec3* positions = section(hull, hull->positions_at);
    AbutDVec3 sum = abut_dvec3_zero();
    double squared = 0.0;
    hull->bounds = abut_box_empty();
    for (uint32_t i = 0; i < point_count; ++i)
    {
        if (self->indices[i] != UINT32_MAX)
        {
            AbutVec3 p = self->points[i];
            p = abut_vec3(plain_zero(p.x), plain_zero(p.y), plain_zero(p.z));
            positions[self->indices[i]] = p;
            hull->bounds = abut_box_union(hull->bounds, abut_box(p, p));
            sum = abut_dvec3_add(sum, abut_dvec3_from_vec3(p));
            squared = abut_larger(squared, abut_dvec3_squared_length(abut_dvec3_from_vec3(p)));
        }
    }
    float* lanes = section(hull, hull->lanes_at);
    for (uint32_t i = 0; i < hull->lane_count; ++i)
    {
        AbutVec3 p = positions[i < hull->vertex_count ? i : hull->vertex_count - 1];
        lanes[i] = p.x;
        lanes[hull->lane_count + i] = p.y;
        lanes[2 * (size_t)hull->lane_count + i] = p.z;
    }
    AbutDVec3 sides =
        abut_dvec3_sub(abut_dvec3_from_vec3(hull->bounds.max), abut_dvec3_from_vec3(hull->bounds.min));
    hull->radius = sqrt(squared) * (1.0 + 0x1p-50);
    hull->diameter = abut_dvec3_length(sides) * (1.0 + 0x1p-50);
    hull->interior = abut_dvec3_div(sum, hull->vertex_count);
    hull->plane_error = PLANE_ERROR * hull->radius;
}

static AbutDVec3 unit_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    AbutDVec3 n = abut_orient_normal(a, b, c), size = abut_dvec3_abs(n);
    // Products of small coordinates would be lost in the square.
    return abut_dvec3_normalize(abut_dvec3_div(n, abut_larger(size.x, abut_larger(size.y, size.z))));
}

static void fill_face(AbutHull* hull, uint32_t index, uint32_t first, uint32_t count)
{
    AbutHullFace* face = (AbutHullFace*)section(hull, hull->faces_at) + index;
    const AbutHullHalfEdge* edges = abut_hull_half_edges(hull);
    const AbutVec3* positions = abut_hull_positions(hull);
    face->first = first;
    face->count = count;
    face->normal = unit_normal(positions[edges[first].tail], positions[edges[first + count / 3].tail],
                               positions[edges[first + 2 * count / 3].tail]);
    double offset = -INFINITY;
    for (uint32_t i = 0; i < count; ++i)
    {
        offset = abut_larger(offset,
                             abut_dvec3_dot(face->normal, abut_hull_position(hull, edges[first + i].tail)));
    }
    face->offset = offset + PLANE_OUTWARD * hull->radius;
}

static void fill_half_edges(const Assembly* self)
{
    AbutHull* hull = self->hull;
    const AbutHullDraft* draft = self->draft;
    AbutHullHalfEdge* edges = section(hull, hull->half_edges_at);
    for (uint32_t i = 0; i < hull->half_edge_count; ++i)
    {
        edges[i] = (AbutHullHalfEdge){ self->indices[draft->tails[i]], draft->twins[i], ABUT_HULL_NO_FACE,
                                       draft->twins[i] };
    }
    for (uint32_t face = 0; face < hull->face_count; ++face)
    {
        uint32_t first = draft->face_first[face], count = draft->face_first[face + 1] - first;
        for (uint32_t i = 0; i < count; ++i)
        {
            edges[first + i].face = face;
            edges[first + i].next = first + (i + 1) % count;
        }
        fill_face(hull, face, first, count);
    }
}

static void fill_plane_lanes(AbutHull* hull)
{
    double* lanes = section(hull, hull->planes_at);
    size_t count = hull->plane_lane_count;
    for (size_t i = 0; i < count; ++i)
    {
        const AbutHullFace* face = &abut_hull_faces(hull)[i < hull->face_count ? i : 0];
        lanes[i] = face->normal.x;
        lanes[count + i] = face->normal.y;
        lanes[2 * count + i] = face->normal.z;
        lanes[3 * count + i] = face->offset;
    }
}

/// Height of the highest plane above a point.
static uint32_t highest_plane(const AbutHull* hull, AbutDVec3 p, double* height)
{
    uint32_t best = 0;
    *height = -INFINITY;
    for (uint32_t i = 0; i < hull->face_count; ++i)
    {
        const AbutHullFace* face = &abut_hull_faces(hull)[i];
        double above = abut_dvec3_dot(face->normal, p) - face->offset;
        best = above > *height ? i : best;
        *height = abut_larger(above, *height);
    }
    return best;
}

/// From the mean of the vertices away from the nearest face, by shorter and shorter steps. Any point inside
/// is a valid center.
static void fill_balls(AbutHull* hull)
{
    AbutDVec3 p = hull->interior;
    double best = INFINITY, step = 0.5, height;
    hull->center = p;
    for (int i = 0; i < CENTER_STEPS && hull->dimension == 3; ++i)
    {
        uint32_t face = highest_plane(hull, p, &height);
        if (height < best)
        {
            best = height;
            hull->center = p;
        }
        p = abut_dvec3_mul_sub(p, -best * step, abut_hull_faces(hull)[face].normal);
        step *= CENTER_SHRINK;
    }
    double interior = hull->dimension == 3 ? -best - hull->plane_error - 0x1p-48 * hull->radius : 0.0;
    hull->inner_radius = abut_larger(interior, 0.0);
    for (uint32_t i = 0; i < hull->vertex_count; ++i)
    {
        double distance = abut_dvec3_distance(abut_hull_position(hull, i), hull->center);
        hull->outer_radius = abut_larger(hull->outer_radius, distance + 0x1p-48 * hull->radius);
    }
}

static void fill_vertices(const Assembly* self)
{
    AbutHull* hull = self->hull;
    AbutHullVertex* vertices = section(hull, hull->vertices_at);
    uint16_t* neighbors = section(hull, hull->neighbors_at);
    const AbutHullHalfEdge* edges = abut_hull_half_edges(hull);
    for (uint32_t i = hull->half_edge_count; i-- > 0;)
    {
        vertices[edges[i].tail].half_edge = i; // the first one stays
    }
    uint32_t total = 0;
    for (uint32_t i = 0; i < hull->vertex_count && hull->dimension > 0; ++i)
    {
        uint32_t first = vertices[i].half_edge, edge = first;
        vertices[i].first_neighbor = total;
        do
        {
            neighbors[total++] = (uint16_t)abut_hull_head(hull, edge);
            edge = abut_hull_around(hull, edge);
        } while (edge != first);
        vertices[i].neighbor_count = total - vertices[i].first_neighbor;
    }
}

AbutResult abut_hull_assemble(const AbutVec3* points, uint32_t count, const AbutHullDraft* draft,
                              AbutArena* arena, const AbutHost* host, AbutHull** out)
{
    AbutHull header = { .tag = ABUT_HULL_TAG,
                        .version = ABUT_HULL_VERSION,
                        .dimension = draft->dimension,
                        .face_count = draft->face_count,
                        .half_edge_count = draft->half_edge_count };
    Assembly self = { .points = points, .draft = draft };
    self.indices = abut_arena_allocate(arena, count, sizeof(uint32_t));
    if (self.indices == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    number_vertices(&self, count, &header);
    header.start_resolution = start_resolution(header.vertex_count);
    lay_out(&header);
    self.hull = abut_memory_allocate_zero(host, header.size, 1);
    if (self.hull == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    *self.hull = header;
    fill_positions(&self, count);
    fill_half_edges(&self);
    fill_plane_lanes(self.hull);
    fill_balls(self.hull);
    fill_vertices(&self);
    abut_hull_fill_starts(self.hull, section(self.hull, header.starts_at));
    *out = self.hull;
    return ABUT_OK;
}
