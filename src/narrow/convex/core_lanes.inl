// Support functions of cores and of the difference of a pair (narrow/convex/convex.h).
#ifndef ABUT_NARROW_CONVEX_CORE_LANES_INL
#define ABUT_NARROW_CONVEX_CORE_LANES_INL

#include "hull/support_lanes.inl"
#include "narrow/convex/convex.h"

typedef struct CoreVertex
{
    AbutDVec3 at;
    uint32_t id;
} CoreVertex;

/// The sign of x as ±1, +1 for 0.
KERNEL_INLINE double side_of(double x)
{
    return x < 0.0 ? -1.0 : 1.0;
}

/// A point of a disc around y at height y, farthest along the direction.
KERNEL_INLINE AbutDVec3 disc_support(AbutDVec3 d, double radius, double y)
{
    double length = sqrt(d.x * d.x + d.z * d.z);
    double scale = length > 0.0 ? radius / length : 0.0;
    return length > 0.0 ? abut_dvec3(d.x * scale, y, d.z * scale) : abut_dvec3(radius, y, 0.0);
}

KERNEL_INLINE CoreVertex cone_support(AbutDVec3 size, AbutDVec3 d)
{
    AbutDVec3 low = disc_support(d, size.x, -size.z), high = disc_support(d, size.y, size.z);
    bool top = abut_dvec3_dot(d, high) > abut_dvec3_dot(d, low);
    return (CoreVertex){ top ? high : low, ABUT_CONVEX_ROUND };
}

static CoreVertex hull_climb(const AbutConvexCore* core, AbutDVec3 d, uint32_t start, bool exact)
{
    if (core->hull->start_resolution > 0)
    {
        start = abut_hull_start(core->hull, d);
    }
    uint32_t vertex =
        exact ? abut_hull_exact_support(core->hull, d, start) : abut_hull_support(core->hull, d, start);
    return (CoreVertex){ abut_hull_position(core->hull, vertex), vertex };
}

/// `start` is the vertex of the last support of this core, or any.
KERNEL_INLINE CoreVertex core_support(const AbutConvexCore* core, AbutDVec3 d, uint32_t start, bool exact)
{
    AbutDVec3 s = core->size;
    if (core->kind == ABUT_CONVEX_HULL)
    {
        if (core->lanes == NULL)
        {
            return hull_climb(core, d, start, exact);
        }
        uint32_t vertex = lanes_support_single(core->lanes, core->lane_count, core->count, d, core->extent);
        const float *x = core->lanes + vertex, *y = x + core->lane_count, *z = y + core->lane_count;
        return (CoreVertex){ abut_dvec3(*x, *y, *z), vertex };
    }
    switch (core->kind)
    {
    case ABUT_CONVEX_POINT:
        return (CoreVertex){ abut_dvec3_zero(), 0 };
    case ABUT_CONVEX_SEGMENT:
        return (CoreVertex){ abut_dvec3(0.0, side_of(d.y) * s.x, 0.0), d.y < 0.0 };
    case ABUT_CONVEX_BOX:
        return (CoreVertex){ abut_dvec3(side_of(d.x) * s.x, side_of(d.y) * s.y, side_of(d.z) * s.z),
                             (uint32_t)(d.x < 0.0) + 2u * (d.y < 0.0) + 4u * (d.z < 0.0) };
    case ABUT_CONVEX_CYLINDER:
        return (CoreVertex){ disc_support(d, s.x, side_of(d.y) * s.y), ABUT_CONVEX_ROUND };
    default:
        return cone_support(s, d);
    }
}

/// A point of the core of B in the frame of A.
KERNEL_INLINE AbutDVec3 pair_to_a(const AbutConvexPair* pair, AbutDVec3 b)
{
    return abut_dvec3_mul_add(pair->translation, pair->scale, abut_dmat3_transform(&pair->rotation, b));
}

/// The point of C with the smallest d · w.
KERNEL_INLINE AbutConvexVertex pair_support(const AbutConvexPair* pair, AbutDVec3 d, const uint32_t start[2])
{
    CoreVertex a = core_support(&pair->a, abut_dvec3_neg(d), start[0], pair->exact);
    CoreVertex b =
        core_support(&pair->b, abut_dmat3_transform_transposed(&pair->rotation, d), start[1], pair->exact);
    return (AbutConvexVertex){ abut_dvec3_sub(a.at, pair_to_a(pair, b.at)), a.at, a.id, b.id };
}

/// The vertex of a core with a number; false where it has none.
static bool core_vertex(const AbutConvexCore* core, uint32_t id, AbutDVec3* out)
{
    AbutDVec3 s = core->size;
    switch (core->kind)
    {
    case ABUT_CONVEX_POINT:
        *out = abut_dvec3_zero();
        return id == 0;
    case ABUT_CONVEX_SEGMENT:
        *out = abut_dvec3(0.0, id == 0 ? s.x : -s.x, 0.0);
        return id < 2;
    case ABUT_CONVEX_BOX:
        *out = abut_dvec3(id & 1u ? -s.x : s.x, id & 2u ? -s.y : s.y, id & 4u ? -s.z : s.z);
        return id < 8;
    case ABUT_CONVEX_HULL:
        if (id < core->count)
        {
            *out = abut_hull_position(core->hull, id);
            return true;
        }
        return false;
    default:
        return false;
    }
}

#endif
