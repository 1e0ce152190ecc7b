#include "narrow/convex/face.h"

static void add_point(AbutConvexFace* face, AbutDVec3 at, uint32_t id)
{
    ABUT_ASSERT(face->count < ABUT_CONVEX_FACE_POINTS);
    face->points[face->count] = at;
    face->ids[face->count++] = id;
}

static void box_face(AbutDVec3 half, AbutDVec3 d, AbutConvexFace* face)
{
    AbutDVec3 size = abut_dvec3_abs(d);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double side = abut_dvec3_get(d, axis) < 0.0 ? -1.0 : 1.0;
    static const double corners[4][2] = { { 1.0, 1.0 }, { -1.0, 1.0 }, { -1.0, -1.0 }, { 1.0, -1.0 } };
    face->normal = abut_dvec3_with(abut_dvec3_zero(), axis, side);
    for (int i = 0; i < 4; ++i)
    {
        const double* c = corners[side > 0.0 ? i : 3 - i];
        AbutDVec3 at = abut_dvec3_with(abut_dvec3_zero(), axis, side * abut_dvec3_get(half, axis));
        at = abut_dvec3_with(at, u, c[0] * abut_dvec3_get(half, u));
        at = abut_dvec3_with(at, v, c[1] * abut_dvec3_get(half, v));
        add_point(face, at, (uint32_t)(at.x < 0.0) + 2u * (at.y < 0.0) + 4u * (at.z < 0.0));
    }
}

/// An octagon in the disc of a cap.
static void cap_face(double radius, double y, AbutConvexFace* face)
{
    static const double around[ABUT_CONVEX_CAP_POINTS][2] = {
        { 1.0, 0.0 },  { 0.70710678118654752, 0.70710678118654752 },
        { 0.0, 1.0 },  { -0.70710678118654752, 0.70710678118654752 },
        { -1.0, 0.0 }, { -0.70710678118654752, -0.70710678118654752 },
        { 0.0, -1.0 }, { 0.70710678118654752, -0.70710678118654752 }
    };
    face->normal = abut_dvec3(0.0, y < 0.0 ? -1.0 : 1.0, 0.0);
    for (uint32_t i = 0; i < ABUT_CONVEX_CAP_POINTS; ++i)
    {
        // From x to z the rotation about y is clockwise seen from above.
        uint32_t k = y < 0.0 ? i : ABUT_CONVEX_CAP_POINTS - 1 - i;
        add_point(face, abut_dvec3(radius * around[k][0], y, radius * around[k][1]),
                  k + (y < 0.0 ? 16u : 32u));
    }
}

/// A cylinder is a cone with two equal radii.
static void cone_face(double low, double high, double half, AbutDVec3 d, AbutConvexFace* face)
{
    double across = sqrt(d.x * d.x + d.z * d.z), slope = (low - high) / (2.0 * half);
    double along_side = (across + slope * d.y) / sqrt(1.0 + slope * slope);
    double radius = d.y < 0.0 ? low : high;
    if (fabs(d.y) >= along_side && radius > 0.0)
    {
        cap_face(radius, d.y < 0.0 ? -half : half, face);
        return;
    }
    double x = across > 0.0 ? d.x / across : 1.0, z = across > 0.0 ? d.z / across : 0.0;
    add_point(face, abut_dvec3(low * x, -half, low * z), 0);
    add_point(face, abut_dvec3(high * x, half, high * z), 1);
}

/// The face at the vertex with the best normal.
static void hull_face(const AbutHull* hull, AbutDVec3 d, AbutConvexFace* face)
{
    uint32_t vertex = abut_hull_exact_support(hull, d, abut_hull_start(hull, d));
    const AbutHullHalfEdge* edges = abut_hull_half_edges(hull);
    if (hull->dimension < 2)
    {
        for (uint32_t i = 0; i < hull->vertex_count; ++i)
        {
            add_point(face, abut_hull_position(hull, i), i);
        }
        return;
    }
    uint32_t first = abut_hull_vertices(hull)[vertex].half_edge, edge = first, best = edges[first].face;
    do
    {
        AbutDVec3 normal = abut_hull_faces(hull)[edges[edge].face].normal;
        bool better = abut_dvec3_dot(normal, d) > abut_dvec3_dot(abut_hull_faces(hull)[best].normal, d);
        best = better ? edges[edge].face : best;
        edge = abut_hull_around(hull, edge);
    } while (edge != first);
    const AbutHullFace* f = &abut_hull_faces(hull)[best];
    uint32_t count = f->count < ABUT_CONVEX_FACE_POINTS ? f->count : ABUT_CONVEX_FACE_POINTS;
    face->normal = f->normal;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t corner = edges[f->first + (uint64_t)i * f->count / count].tail;
        add_point(face, abut_hull_position(hull, corner), corner);
    }
}

void abut_convex_face(const AbutConvexCore* core, AbutDVec3 direction, AbutConvexFace* face)
{
    AbutDVec3 s = core->size;
    face->count = 0;
    face->normal = abut_dvec3_zero();
    switch (core->kind)
    {
    case ABUT_CONVEX_POINT:
        add_point(face, abut_dvec3_zero(), 0);
        return;
    case ABUT_CONVEX_SEGMENT:
        add_point(face, abut_dvec3(0.0, s.x, 0.0), 0);
        add_point(face, abut_dvec3(0.0, -s.x, 0.0), 1);
        return;
    case ABUT_CONVEX_BOX:
        box_face(s, direction, face);
        return;
    case ABUT_CONVEX_CYLINDER:
        cone_face(s.x, s.x, s.y, direction, face);
        return;
    case ABUT_CONVEX_CONE:
        cone_face(s.x, s.y, s.z, direction, face);
        return;
    case ABUT_CONVEX_HULL:
        hull_face(core->hull, direction, face);
        return;
    }
}

void abut_convex_face_to_a(const AbutConvexPair* pair, AbutConvexFace* face)
{
    for (uint32_t i = 0; i < face->count; ++i)
    {
        face->points[i] = abut_dvec3_mul_add(pair->translation, pair->scale,
                                             abut_dmat3_transform(&pair->rotation, face->points[i]));
    }
    face->normal = abut_dmat3_transform(&pair->rotation, face->normal);
}
