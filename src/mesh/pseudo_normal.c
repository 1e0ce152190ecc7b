#include "mesh/pseudo_normal.h"

#include "base/memory.h"
#include "mesh/corners.h"

#include <string.h>

/// Sine of the smallest angle between edges that still have a normal. Rounding in double turns the normal by
/// 1e-16 over this.
static const double THINNEST = 1e-9;

/// Cosine that the normals around a vertex must have with its pseudo-normal for the vertex to be regular:
/// clear of rounding.
static const double STEEPEST = 1e-6;

static bool unit_normal(double corners[3][3], double normal[3])
{
    double u[3], v[3], w[3];
    abut_array3_sub(corners[1], corners[0], u);
    abut_array3_sub(corners[2], corners[0], v);
    abut_array3_sub(corners[2], corners[1], w);
    abut_array3_cross(u, v, normal);
    double longest =
        abut_larger(abut_array3_dot(u, u), abut_larger(abut_array3_dot(v, v), abut_array3_dot(w, w)));
    double length = abut_array3_length(normal);
    bool sound = length > THINNEST * longest;
    for (int i = 0; i < 3; ++i)
    {
        normal[i] = sound ? normal[i] / length : 0.0;
    }
    return sound;
}

bool abut_face_normal(const AbutMesh* mesh, uint32_t triangle, double normal[3])
{
    double corners[3][3];
    abut_load_triangle(mesh, triangle, corners);
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
    double p[3][3], normal[3];
    abut_load_triangle(mesh, triangle, p);
    if (!unit_normal(p, normal))
    {
        return;
    }
    for (int k = 0; k < 3; ++k)
    {
        double u[3], v[3], across[3];
        abut_array3_sub(p[(k + 1) % 3], p[k], u);
        abut_array3_sub(p[(k + 2) % 3], p[k], v);
        abut_array3_cross(u, v, across);
        double angle = atan2(abut_array3_length(across), abut_array3_dot(u, v));
        double* sum = self->vertices[mesh->indices[3 * (size_t)triangle + (size_t)k]];
        for (int i = 0; i < 3; ++i)
        {
            sum[i] += angle * normal[i];
        }
    }
}

/// Two directions that make a right-handed frame with m; their length is of no matter.
static void frame_of(const double m[3], double u[3], double v[3])
{
    int least = fabs(m[0]) <= fabs(m[1]) && fabs(m[0]) <= fabs(m[2]) ? 0 : (fabs(m[1]) <= fabs(m[2]) ? 1 : 2);
    double axis[3] = { 0.0, 0.0, 0.0 };
    axis[least] = 1.0;
    abut_array3_cross(m, axis, u);
    abut_array3_cross(m, u, v);
}

enum
{
    REGULAR = 1,
    IRREGULAR = 2,
};

/// A closed fan that turns counter-clockwise seen against m passes the direction u upwards once per turn. So
/// a vertex is regular when all its faces turn that way, all its edges have twins, and one face in all passes
/// u.
static void check_corner(AbutPseudoNormals* self, double p[3][3], const double normal[3], uint32_t corner)
{
    const AbutHalfEdges* half_edges = self->half_edges;
    uint32_t vertex = half_edges->mesh->indices[corner], k = corner % 3;
    const double* m = self->vertices[vertex];
    double u[3], v[3], out[3], in[3];
    uint8_t* state = &self->regular[vertex];
    uint32_t previous = abut_next_corner(abut_next_corner(corner));
    if (abut_array3_dot(normal, m) <= STEEPEST * abut_array3_length(m) ||
        half_edges->twins[corner] == ABUT_NO_TWIN || half_edges->twins[previous] == ABUT_NO_TWIN)
    {
        *state = IRREGULAR;
        return;
    }
    frame_of(m, u, v);
    abut_array3_sub(p[(k + 1) % 3], p[k], out);
    abut_array3_sub(p[(k + 2) % 3], p[k], in);
    if (abut_array3_dot(out, v) < 0.0 && abut_array3_dot(in, v) >= 0.0)
    {
        *state = *state == 0 ? REGULAR : IRREGULAR;
    }
}

static void check_triangle(AbutPseudoNormals* self, uint32_t triangle)
{
    double p[3][3], normal[3];
    abut_load_triangle(self->half_edges->mesh, triangle, p);
    unit_normal(p, normal); // a thin triangle has none, which makes its vertices irregular
    for (uint32_t k = 0; k < 3; ++k)
    {
        check_corner(self, p, normal, 3 * triangle + k);
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

void abut_pseudo_normal(const AbutPseudoNormals* self, uint32_t triangle, AbutTriangleFeature feature,
                        double normal[3])
{
    const AbutHalfEdges* half_edges = self->half_edges;
    if (feature >= ABUT_FEATURE_CORNER_0)
    {
        uint32_t corner = 3 * triangle + (uint32_t)(feature - ABUT_FEATURE_CORNER_0);
        memcpy(normal, self->vertices[half_edges->mesh->indices[corner]], 3 * sizeof(double));
        return;
    }
    abut_face_normal(half_edges->mesh, triangle, normal);
    if (feature >= ABUT_FEATURE_EDGE_0)
    {
        uint32_t twin = half_edges->twins[3 * triangle + (uint32_t)(feature - ABUT_FEATURE_EDGE_0)];
        double other[3] = { 0.0, 0.0, 0.0 };
        if (twin != ABUT_NO_TWIN)
        {
            abut_face_normal(half_edges->mesh, twin / 3, other);
        }
        for (int i = 0; i < 3; ++i)
        {
            normal[i] += other[i];
        }
    }
}
