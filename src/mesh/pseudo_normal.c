#include "mesh/pseudo_normal.h"

#include "base/assert.h"
#include "base/memory.h"
#include "mesh/corners.h"

#include <string.h>

/// Sine of the smallest angle between edges that still have a normal. Rounding in double rotates the normal
/// by 1e-16 over this.
static const double THINNEST = 1e-9;

/// Cosine that the normals around a vertex must have with its pseudo-normal for the vertex to be regular:
/// clear of rounding.
static const double STEEPEST = 1e-6;

static bool unit_normal(const AbutDVec3 corners[3], AbutDVec3* normal)
{
    AbutDVec3 u = abut_dvec3_sub(corners[1], corners[0]), v = abut_dvec3_sub(corners[2], corners[0]);
    AbutDVec3 w = abut_dvec3_sub(corners[2], corners[1]), across = abut_dvec3_cross(u, v);
    double longest =
        abut_larger(abut_dvec3_dot(u, u), abut_larger(abut_dvec3_dot(v, v), abut_dvec3_dot(w, w)));
    double length = abut_dvec3_length(across);
    bool sound = length > THINNEST * longest;
    *normal = sound ? abut_dvec3_div(across, length) : abut_dvec3_zero();
    return sound;
}

bool abut_face_normal(const AbutMesh* mesh, uint32_t triangle, AbutDVec3* normal)
{
    AbutDVec3 corners[3];
    abut_mesh_corners(mesh, triangle, corners);
    return unit_normal(corners, normal);
}

// -----------------------------------------------------------------------------------------------------------
// Vertices
// -----------------------------------------------------------------------------------------------------------

/// Adds the faces of one triangle to the normals of its vertices. The angles come from atan2(), whose last
/// bit may differ between machines; signs are taken from these normals only where they are clear of that.
static void add_triangle(AbutPseudoNormals* self, uint32_t triangle)
{
    const AbutMesh* mesh = self->half_edges->mesh;
    AbutDVec3 p[3], normal;
    abut_mesh_corners(mesh, triangle, p);
    if (!unit_normal(p, &normal))
    {
        return;
    }
    for (int k = 0; k < 3; ++k)
    {
        AbutDVec3 u = abut_dvec3_sub(p[(k + 1) % 3], p[k]), v = abut_dvec3_sub(p[(k + 2) % 3], p[k]);
        double angle = atan2(abut_dvec3_length(abut_dvec3_cross(u, v)), abut_dvec3_dot(u, v));
        AbutDVec3* sum = &self->vertices[mesh->indices[3 * (size_t)triangle + (size_t)k]];
        *sum = abut_dvec3_mul_add(*sum, angle, normal);
    }
}

/// The axis that m has the smallest component along.
static AbutDVec3 least_axis(AbutDVec3 m)
{
    AbutDVec3 a = abut_dvec3_abs(m);
    int least = a.x <= a.y && a.x <= a.z ? 0 : (a.y <= a.z ? 1 : 2);
    return abut_dvec3_with(abut_dvec3_zero(), least, 1.0);
}

enum
{
    REGULAR = 1,
    IRREGULAR = 2,
};

/// A closed fan, counter-clockwise seen against m, crosses the direction u upwards once per revolution. So a
/// vertex is regular when all its faces are counter-clockwise, all its edges have twins, and exactly one face
/// crosses u.
static void check_corner(AbutPseudoNormals* self, const AbutDVec3 p[3], AbutDVec3 normal, uint32_t corner)
{
    const AbutHalfEdges* half_edges = self->half_edges;
    uint32_t vertex = half_edges->mesh->indices[corner], k = corner % 3;
    AbutDVec3 m = self->vertices[vertex];
    uint8_t* state = &self->regular[vertex];
    uint32_t previous = abut_next_corner(abut_next_corner(corner));
    if (abut_dvec3_dot(normal, m) <= STEEPEST * abut_dvec3_length(m) ||
        half_edges->twins[corner] == ABUT_NO_TWIN || half_edges->twins[previous] == ABUT_NO_TWIN)
    {
        *state = IRREGULAR;
        return;
    }
    // u, v and m are a right-handed frame, of any lengths.
    AbutDVec3 u = abut_dvec3_cross(m, least_axis(m)), v = abut_dvec3_cross(m, u);
    AbutDVec3 out = abut_dvec3_sub(p[(k + 1) % 3], p[k]), in = abut_dvec3_sub(p[(k + 2) % 3], p[k]);
    if (abut_dvec3_dot(out, v) < 0.0 && abut_dvec3_dot(in, v) >= 0.0)
    {
        *state = *state == 0 ? REGULAR : IRREGULAR;
    }
}

static void check_triangle(AbutPseudoNormals* self, uint32_t triangle)
{
    AbutDVec3 p[3], normal;
    abut_mesh_corners(self->half_edges->mesh, triangle, p);
    unit_normal(p, &normal); // a thin triangle has none, which makes its vertices irregular
    for (uint32_t corner = 0; corner < 3; ++corner)
    {
        check_corner(self, p, normal, 3 * triangle + corner);
    }
}

static void fill_vertices(AbutPseudoNormals* self)
{
    const AbutMesh* mesh = self->half_edges->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        add_triangle(self, t);
    }
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        check_triangle(self, t);
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        self->regular[v] = self->regular[v] == REGULAR;
    }
}

AbutResult abut_pseudo_normals_create(const AbutHost* host, const AbutHalfEdges* half_edges,
                                      AbutPseudoNormals* out)
{
    memset(out, 0, sizeof(*out));
    uint32_t vertex_count = half_edges->mesh->vertex_count;
    AbutPseudoNormals self = { .half_edges = half_edges };
    self.vertices = abut_memory_allocate_zero(host, vertex_count, sizeof(*self.vertices));
    self.regular = abut_memory_allocate_zero(host, vertex_count, sizeof(uint8_t));
    if (self.vertices == NULL || self.regular == NULL)
    {
        abut_pseudo_normals_destroy(host, &self);
        return ABUT_OUT_OF_MEMORY;
    }
    fill_vertices(&self);
    *out = self;
    return ABUT_OK;
}

void abut_pseudo_normals_destroy(const AbutHost* host, AbutPseudoNormals* self)
{
    if (self->half_edges != NULL)
    {
        uint32_t vertex_count = self->half_edges->mesh->vertex_count;
        abut_memory_free(host, self->vertices, vertex_count, sizeof(*self->vertices));
        abut_memory_free(host, self->regular, vertex_count, sizeof(uint8_t));
    }
    memset(self, 0, sizeof(*self));
}

// -----------------------------------------------------------------------------------------------------------
// Features
// -----------------------------------------------------------------------------------------------------------

AbutDVec3 abut_pseudo_normal(const AbutPseudoNormals* self, uint32_t triangle, AbutTriangleFeature feature)
{
    const AbutHalfEdges* half_edges = self->half_edges;
    ABUT_ASSERT(triangle < half_edges->mesh->triangle_count && feature <= ABUT_FEATURE_CORNER_2);
    if (feature >= ABUT_FEATURE_CORNER_0)
    {
        uint32_t corner = 3 * triangle + (uint32_t)(feature - ABUT_FEATURE_CORNER_0);
        return self->vertices[half_edges->mesh->indices[corner]];
    }
    AbutDVec3 normal, other = abut_dvec3_zero();
    abut_face_normal(half_edges->mesh, triangle, &normal);
    if (feature == ABUT_FEATURE_FACE)
    {
        return normal;
    }
    uint32_t twin = half_edges->twins[3 * triangle + (uint32_t)(feature - ABUT_FEATURE_EDGE_0)];
    if (twin != ABUT_NO_TWIN)
    {
        abut_face_normal(half_edges->mesh, twin / 3, &other);
    }
    return abut_dvec3_add(normal, other);
}
