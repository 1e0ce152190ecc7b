#include "narrow/convex/manifold.h"

/// A face is the reference up to this cosine to the contact plane (25 degrees). Where none is, edges cross,
/// and the closest points are the contact. Less, and bodies that lie across an edge would rock on one point.
#define REFERENCE 0.9

/// Segments count as parallel up to this cosine (10 degrees).
#define PARALLEL 0.985

/// The face of A is the reference unless that of B is more parallel by this: rounding must not alternate.
#define PREFERENCE 1e-3

/// Depth, as a fraction of the size, within which a clipped contact is the deepest of all.
#define SAME_DEPTH 1e-7

typedef struct ClipPoint
{
    AbutDVec3 at;
    uint64_t id;
} ClipPoint;

typedef struct ClipPolygon
{
    uint32_t count;
    ClipPoint points[ABUT_CONVEX_CONTACTS];
} ClipPolygon;

/// Where an edge of the incident face crosses side `side` of the reference.
static ClipPoint cross(const ClipPoint* from, const ClipPoint* to, double from_height, double to_height,
                       uint32_t side)
{
    double t = from_height / (from_height - to_height);
    uint64_t low = from->id < to->id ? from->id : to->id, high = from->id < to->id ? to->id : from->id;
    // Both may be crossings themselves: all bits count.
    uint64_t mixed = (low + 1) * 0x9e3779b97f4a7c15u ^ (high + 1) * 0xc2b2ae3d27d4eb4fu;
    uint64_t id = ((mixed ^ mixed >> 29) + side + 1) * 0x165667b19e3779f9u >> 4;
    return (ClipPoint){ abut_dvec3_lerp(from->at, to->at, t), id };
}

/// Sutherland and Hodgman: the side of the plane where normal · (x − through) ≥ 0 stays. A segment is a
/// polygon of two points, whose second edge is the first.
static void clip_side(ClipPolygon* polygon, AbutDVec3 normal, AbutDVec3 through, uint32_t side)
{
    ClipPolygon in = *polygon;
    polygon->count = 0;
    for (uint32_t i = 0; i < in.count; ++i)
    {
        const ClipPoint *from = &in.points[i], *to = &in.points[(i + 1) % in.count];
        double from_height = abut_dvec3_dot(normal, abut_dvec3_sub(from->at, through));
        double to_height = abut_dvec3_dot(normal, abut_dvec3_sub(to->at, through));
        if (from_height >= 0.0 && polygon->count < ABUT_CONVEX_CONTACTS)
        {
            polygon->points[polygon->count++] = *from;
        }
        bool crosses = (from_height >= 0.0) != (to_height >= 0.0) && !(in.count == 2 && i == 1);
        if (crosses && polygon->count < ABUT_CONVEX_CONTACTS)
        {
            polygon->points[polygon->count++] = cross(from, to, from_height, to_height, side);
        }
    }
    if (in.count == 2 && polygon->count == 2 && polygon->points[0].id > polygon->points[1].id)
    {
        ClipPoint swapped = polygon->points[0];
        polygon->points[0] = polygon->points[1];
        polygon->points[1] = swapped;
    }
}

/// Sides of the reference are along `direction`, in which points are projected.
static void clip(const AbutConvexFace* reference, const AbutConvexFace* incident, AbutDVec3 direction,
                 ClipPolygon* out)
{
    out->count = incident->count;
    for (uint32_t i = 0; i < incident->count; ++i)
    {
        out->points[i] = (ClipPoint){ incident->points[i], incident->ids[i] };
    }
    for (uint32_t i = 0; i < reference->count && out->count > 0; ++i)
    {
        AbutDVec3 from = reference->points[i], to = reference->points[(i + 1) % reference->count];
        clip_side(out, abut_dvec3_cross(direction, abut_dvec3_sub(to, from)), from, reference->ids[i]);
    }
}

static void add_contact(AbutConvexManifold* out, AbutDVec3 on_a, AbutDVec3 on_b, double separation,
                        uint64_t id)
{
    out->contacts[out->count++] = (AbutConvexContact){ on_a, on_b, separation, id };
}

/// The clipped points of the incident face against the plane of the reference.
static void add_clipped(const AbutConvexPair* pair, const AbutConvexFace* reference,
                        const ClipPolygon* polygon, bool reference_is_a, double margin,
                        AbutConvexManifold* out)
{
    AbutDVec3 n = out->normal;
    double radius_a = pair->a.radius, radius_b = pair->scale * pair->b.radius;
    double slope = abut_dvec3_dot(reference->normal, reference_is_a ? abut_dvec3_neg(n) : n);
    for (uint32_t i = 0; i < polygon->count; ++i)
    {
        AbutDVec3 p = polygon->points[i].at;
        double height = abut_dvec3_dot(reference->normal, abut_dvec3_sub(p, reference->points[0])) / slope;
        double separation = height - pair->radius;
        if (separation <= margin)
        {
            AbutDVec3 a = reference_is_a ? abut_dvec3_mul_add(p, height, n) : p;
            AbutDVec3 b = reference_is_a ? p : abut_dvec3_mul_sub(p, height, n);
            uint64_t id = polygon->points[i].id | (uint64_t)reference_is_a << 62;
            add_contact(out, abut_dvec3_mul_sub(a, radius_a, n), abut_dvec3_mul_add(b, radius_b, n),
                        separation, id);
        }
    }
}

/// The common interval of two segments that are parallel.
static void add_segments(const AbutConvexPair* pair, const AbutConvexFace* a, const AbutConvexFace* b,
                         double margin, AbutConvexManifold* out)
{
    AbutDVec3 along = abut_dvec3_sub(a->points[1], a->points[0]),
              other = abut_dvec3_sub(b->points[1], b->points[0]);
    double squared = abut_dvec3_squared_length(along), dot = abut_dvec3_dot(along, other);
    if (!(squared > 0.0) || !(fabs(dot) > PARALLEL * sqrt(squared * abut_dvec3_squared_length(other))))
    {
        return;
    }
    double ends[2];
    for (int i = 0; i < 2; ++i)
    {
        double t = abut_dvec3_dot(abut_dvec3_sub(b->points[i], a->points[0]), along) / squared;
        ends[i] = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    }
    AbutDVec3 n = out->normal;
    for (uint32_t i = 0; i < 2 && ends[0] != ends[1]; ++i)
    {
        AbutDVec3 p = abut_dvec3_mul_add(a->points[0], ends[i], along);
        double u = abut_dvec3_dot(abut_dvec3_sub(p, b->points[0]), other) / abut_dvec3_squared_length(other);
        AbutDVec3 q = abut_dvec3_mul_add(b->points[0], u, other);
        double height = abut_dvec3_dot(abut_dvec3_sub(p, q), n), separation = height - pair->radius;
        if (separation <= margin)
        {
            add_contact(out, abut_dvec3_mul_sub(p, pair->a.radius, n),
                        abut_dvec3_mul_sub(p, pair->a.radius + separation, n), separation, 1u + i);
        }
    }
}

static void drop_shallowest(AbutConvexManifold* out)
{
    uint32_t shallowest = 0;
    for (uint32_t i = 1; i < out->count; ++i)
    {
        bool less = out->contacts[i].separation > out->contacts[shallowest].separation;
        shallowest = less ? i : shallowest;
    }
    out->contacts[shallowest] = out->contacts[--out->count];
}

void abut_convex_manifold(const AbutConvexPair* pair, const AbutConvexProof* proof, double margin,
                          AbutConvexManifold* out)
{
    ABUT_ASSERT(proof->has_points);
    AbutConvexFace a, b;
    ClipPolygon polygon;
    AbutDVec3 n = proof->normal;
    out->normal = n;
    out->count = 0;
    abut_convex_face(&pair->a, abut_dvec3_neg(n), &a);
    abut_convex_face(&pair->b, abut_dmat3_transform_transposed(&pair->rotation, n), &b);
    abut_convex_face_to_a(pair, &b);
    double cosine_a = a.count > 2 ? -abut_dvec3_dot(a.normal, n) : 0.0;
    double cosine_b = b.count > 2 ? abut_dvec3_dot(b.normal, n) : 0.0;
    if (cosine_a >= REFERENCE || cosine_b >= REFERENCE)
    {
        bool is_a = cosine_a >= cosine_b - PREFERENCE;
        clip(is_a ? &a : &b, is_a ? &b : &a, is_a ? abut_dvec3_neg(n) : n, &polygon);
        add_clipped(pair, is_a ? &a : &b, &polygon, is_a, margin, out);
    }
    else if (a.count == 2 && b.count == 2)
    {
        add_segments(pair, &a, &b, margin, out);
    }
    bool includes_depth = false;
    for (uint32_t i = 0; i < out->count; ++i)
    {
        includes_depth =
            includes_depth || out->contacts[i].separation <= proof->separation + SAME_DEPTH * pair->size;
    }
    if (!includes_depth)
    {
        if (out->count == ABUT_CONVEX_CONTACTS)
        {
            drop_shallowest(out);
        }
        uint64_t id = 1ull << 61 | (uint64_t)proof->ids[0] << 20 | (proof->ids[1] & 0xfffffu);
        add_contact(out, proof->point_a, proof->point_b, proof->separation, id);
    }
}
