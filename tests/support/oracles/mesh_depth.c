// Branch and bound over the triangles of one surface: the distance to the other surface is at most that to
// one of its triangles, a convex function, which is largest at a corner.
#include "support/oracles/mesh_depth.h"

#include "support/meshes/signs.h"

#include "mesh/triangle/closest_point.h"

#include <math.h>

/// One surface against the other solid, in the frame of that solid.
typedef struct Search
{
    const TestSolid* other;
    AbutBox bounds; // of the other solid
    double scale;
    double best, tolerance;
} Search;

static void rotate(AbutQuat q, const double v[3], double out[3])
{
    double x = q.x, y = q.y, z = q.z, w = q.w, n = x * x + y * y + z * z + w * w;
    const double m[3][3] = {
        { 1.0 - 2.0 * (y * y + z * z) / n, 2.0 * (x * y - z * w) / n, 2.0 * (x * z + y * w) / n },
        { 2.0 * (x * y + z * w) / n, 1.0 - 2.0 * (x * x + z * z) / n, 2.0 * (y * z - x * w) / n },
        { 2.0 * (x * z - y * w) / n, 2.0 * (y * z + x * w) / n, 1.0 - 2.0 * (x * x + y * y) / n },
    };
    for (int i = 0; i < 3; ++i)
    {
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    }
}

static void between_frames(const AbutPose* from, const AbutPose* to, AbutVec3 v, double out[3])
{
    const double inner[3] = { v.x, v.y, v.z };
    double at[3];
    rotate(from->rotation, inner, at);
    const double apart[3] = { from->position.x - to->position.x, from->position.y - to->position.y,
                              from->position.z - to->position.z };
    for (int i = 0; i < 3; ++i)
    {
        at[i] = (double)from->scale * at[i] + apart[i];
    }
    const AbutQuat inverse = { -to->rotation.x, -to->rotation.y, -to->rotation.z, to->rotation.w };
    rotate(inverse, at, out);
    for (int i = 0; i < 3; ++i)
    {
        out[i] /= (double)to->scale;
    }
}

/// True where a ball is wholly out of the other solid's box.
static bool is_out(const AbutBox* box, const double p[3], double radius)
{
    const double low[3] = { box->min.x, box->min.y, box->min.z };
    const double high[3] = { box->max.x, box->max.y, box->max.z };
    bool out = false;
    for (int i = 0; i < 3; ++i)
    {
        out = out || p[i] + radius < low[i] || p[i] - radius > high[i];
    }
    return out;
}

static void corners_of(const AbutMesh* mesh, size_t triangle, double out[3][3])
{
    for (size_t k = 0; k < 3; ++k)
    {
        AbutVec3 v = abut_mesh_vertices(mesh)[abut_mesh_indices(mesh)[3 * triangle + k]];
        out[k][0] = v.x;
        out[k][1] = v.y;
        out[k][2] = v.z;
    }
}

static double distance_to_triangle(const AbutMesh* mesh, size_t triangle, const double p[3])
{
    double c[3][3];
    corners_of(mesh, triangle, c);
    const AbutDVec3 corners[3] = { abut_dvec3_from_array(c[0]), abut_dvec3_from_array(c[1]),
                                   abut_dvec3_from_array(c[2]) };
    return sqrt(abut_triangle_closest_feature(corners, abut_dvec3_from_array(p)).squared);
}

static size_t nearest_triangle(const AbutMesh* mesh, const double p[3])
{
    size_t nearest = 0;
    double least = INFINITY;
    for (size_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
    {
        double distance = distance_to_triangle(mesh, t, p);
        nearest = distance < least ? t : nearest;
        least = fmin(least, distance);
    }
    return nearest;
}

static void search_triangle(Search* self, double c[3][3])
{
    const AbutMesh* mesh = self->other->mesh;
    double middle[3], radius = 0.0, most = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        middle[i] = (c[0][i] + c[1][i] + c[2][i]) / 3.0;
    }
    for (int k = 0; k < 3; ++k)
    {
        radius = fmax(radius, hypot(hypot(c[k][0] - middle[0], c[k][1] - middle[1]), c[k][2] - middle[2]));
    }
    if (is_out(&self->bounds, middle, radius))
    {
        return;
    }
    size_t nearest = nearest_triangle(mesh, middle);
    double distance = distance_to_triangle(mesh, nearest, middle);
    for (int k = 0; k < 3; ++k)
    {
        most = fmax(most, distance_to_triangle(mesh, nearest, c[k])); // convex: largest at a corner
    }
    if (self->scale * most <= self->best + self->tolerance)
    {
        return;
    }
    bool inside = test_winding(mesh, middle) > 0.5;
    self->best = inside ? fmax(self->best, self->scale * distance) : self->best;
    if (self->scale * most <= self->best + self->tolerance || (!inside && distance >= radius))
    {
        return;
    }
    double h[3][3]; // the middles of the edges
    for (int k = 0; k < 3; ++k)
    {
        for (int i = 0; i < 3; ++i)
        {
            h[k][i] = 0.5 * (c[k][i] + c[(k + 1) % 3][i]);
        }
    }
    for (int k = 0; k < 4; ++k)
    {
        const double* corners[4][3] = {
            { c[0], h[0], h[2] }, { c[1], h[1], h[0] }, { c[2], h[2], h[1] }, { h[0], h[1], h[2] }
        };
        double triangle[3][3];
        for (int i = 0; i < 9; ++i)
        {
            triangle[i / 3][i % 3] = corners[k][i / 3][i % 3];
        }
        search_triangle(self, triangle);
    }
}

/// A good start: what the search has to beat.
static void search_vertices(Search* self, const TestSolid* own)
{
    const AbutMesh* mesh = self->other->mesh;
    for (size_t i = 0; i < abut_mesh_vertex_count(own->mesh); ++i)
    {
        double p[3];
        between_frames(&own->pose, &self->other->pose, abut_mesh_vertices(own->mesh)[i], p);
        if (!is_out(&self->bounds, p, 0.0) && test_winding(mesh, p) > 0.5)
        {
            double distance = distance_to_triangle(mesh, nearest_triangle(mesh, p), p);
            self->best = fmax(self->best, self->scale * distance);
        }
    }
}

static double surface_depth(const TestSolid* own, const TestSolid* other, double tolerance, double best)
{
    Search self = { other, abut_mesh_bounds(other->mesh), (double)other->pose.scale, best, tolerance };
    search_vertices(&self, own);
    const AbutVec3* vertices = abut_mesh_vertices(own->mesh);
    const uint32_t* indices = abut_mesh_indices(own->mesh);
    for (size_t t = 0; t < abut_mesh_triangle_count(own->mesh); ++t)
    {
        double c[3][3];
        for (size_t k = 0; k < 3; ++k)
        {
            between_frames(&own->pose, &other->pose, vertices[indices[3 * t + k]], c[k]);
        }
        search_triangle(&self, c);
    }
    return self.best;
}

/// No point of a half-space's surface is deeper in a solid than the solid's lowest vertex is in the
/// half-space.
static double depth_in_plane(const TestSolid* own, const TestSolid* plane)
{
    double deepest = 0.0;
    for (size_t i = 0; i < abut_mesh_vertex_count(own->mesh); ++i)
    {
        double p[3];
        between_frames(&own->pose, &plane->pose, abut_mesh_vertices(own->mesh)[i], p);
        deepest = fmax(deepest, -p[1] * (double)plane->pose.scale);
    }
    return deepest;
}

double test_mesh_depth(const TestSolid* a, const TestSolid* b, double tolerance)
{
    if (a->mesh == NULL || b->mesh == NULL)
    {
        return a->mesh == b->mesh ? 0.0 : depth_in_plane(a->mesh != NULL ? a : b, a->mesh != NULL ? b : a);
    }
    return surface_depth(b, a, tolerance, surface_depth(a, b, tolerance, 0.0));
}
