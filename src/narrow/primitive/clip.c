#include "narrow/primitive/clip.h"

/// Edges are numbered by the vertex that they start from, and a vertex by the edge before it and its own.
static uint32_t vertex_id(uint32_t before, uint32_t after)
{
    return before * 8 + after;
}

/// A vertex with the edge that starts from it.
typedef struct Corner
{
    double u, v, height;
    uint32_t edge;
} Corner;

typedef struct Polygon
{
    int count;
    Corner corners[ABUT_CLIP_VERTICES + 4];
} Polygon;

static Corner corner_of(const AbutCore* reference, int axis, AbutDVec3 normal, AbutDVec3 at, uint32_t edge)
{
    AbutDVec3 from = abut_dvec3_sub(at, reference->center);
    return (Corner){ abut_dvec3_dot(from, reference->axes[(axis + 1) % 3]),
                     abut_dvec3_dot(from, reference->axes[(axis + 2) % 3]),
                     abut_dvec3_dot(from, normal) - abut_dvec3_get(reference->half, axis), edge };
}

/// The axis of a core that a direction is most along.
static int axis_along(AbutDVec3 local)
{
    AbutDVec3 size = abut_dvec3_abs(local);
    int axis = size.y > size.x ? 1 : 0;
    return size.z > abut_dvec3_get(size, axis) ? 2 : axis;
}

static void incident_polygon(const AbutCore* reference, int axis, AbutDVec3 normal, const AbutCore* incident,
                             uint32_t* face, Polygon* polygon)
{
    polygon->count = 0;
    if (incident->kind == ABUT_CORE_SEGMENT)
    {
        AbutDVec3 along = abut_dvec3_scale(incident->axes[1], incident->half.y);
        *face = 0;
        polygon->corners[polygon->count++] =
            corner_of(reference, axis, normal, abut_dvec3_sub(incident->center, along), 0);
        polygon->corners[polygon->count++] =
            corner_of(reference, axis, normal, abut_dvec3_add(incident->center, along), 1);
        return;
    }
    AbutDVec3 local = abut_core_local(incident, normal);
    int own = axis_along(local);
    double sign = abut_dvec3_get(local, own) > 0.0 ? -1.0 : 1.0;
    *face = (uint32_t)own * 2 + (sign > 0.0 ? 1 : 0);
    static const double around[4][2] = { { -1.0, -1.0 }, { 1.0, -1.0 }, { 1.0, 1.0 }, { -1.0, 1.0 } };
    for (uint32_t i = 0; i < 4; ++i)
    {
        AbutDVec3 at = abut_dvec3_with(abut_dvec3_zero(), own, sign);
        at = abut_dvec3_with(at, (own + 1) % 3, around[i][0]);
        at = abut_dvec3_with(at, (own + 2) % 3, around[i][1]);
        at = abut_core_point(incident, abut_dvec3_mul(at, incident->half));
        polygon->corners[polygon->count++] = corner_of(reference, axis, normal, at, i);
    }
}

/// Where an edge crosses a side, at the fraction t of it.
static Corner crossing(const Corner* p, const Corner* q, double t, uint32_t edge)
{
    return (Corner){ p->u + t * (q->u - p->u), p->v + t * (q->v - p->v),
                     p->height + t * (q->height - p->height), edge };
}

static void add_corner(Polygon* polygon, Corner corner)
{
    const int most = (int)(sizeof(polygon->corners) / sizeof(polygon->corners[0]));
    polygon->corners[polygon->count < most ? polygon->count++ : most - 1] = corner;
}

static double over_side(const Corner* corner, bool by_v, double sign, double limit)
{
    return sign * (by_v ? corner->v : corner->u) - limit;
}

/// True where a side cuts nothing off.
static bool is_within(const Polygon* polygon, bool by_v, double sign, double limit)
{
    bool within = true;
    for (int i = 0; i < polygon->count; ++i)
    {
        within = within && over_side(&polygon->corners[i], by_v, sign, limit) <= 0.0;
    }
    return within;
}

/// Keeps the corners with sign · (u or v) ≤ limit. `closed`: the last corner is joined to the first.
static void clip_side(const Polygon* polygon, bool by_v, double sign, double limit, uint32_t side,
                      bool closed, Polygon* out)
{
    out->count = 0;
    for (int i = 0; i < polygon->count; ++i)
    {
        int next = i + 1 < polygon->count ? i + 1 : 0;
        const Corner *p = &polygon->corners[i], *q = &polygon->corners[next];
        double over_p = over_side(p, by_v, sign, limit), over_q = over_side(q, by_v, sign, limit);
        if (over_p <= 0.0)
        {
            add_corner(out, *p);
        }
        if ((closed || next != 0) && (over_p <= 0.0) != (over_q <= 0.0))
        {
            // Out of the side a new edge starts along it; into it the old edge goes on.
            double t = over_p / (over_p - over_q);
            Corner cut = crossing(p, q, t, over_p <= 0.0 ? side : p->edge);
            cut.u = by_v ? cut.u : sign * limit;
            cut.v = by_v ? sign * limit : cut.v;
            add_corner(out, cut);
        }
    }
}

void abut_clip_incident(const AbutCore* reference, int axis, AbutDVec3 normal, const AbutCore* incident,
                        AbutClipPolygon* out)
{
    Polygon polygons[2], *polygon = &polygons[0], *other = &polygons[1];
    incident_polygon(reference, axis, normal, incident, &out->face, polygon);
    bool closed = incident->kind != ABUT_CORE_SEGMENT;
    double limits[2] = { abut_dvec3_get(reference->half, (axis + 1) % 3),
                         abut_dvec3_get(reference->half, (axis + 2) % 3) };
    for (uint32_t side = 0; side < 4 && polygon->count > 0; ++side)
    {
        double sign = side % 2 == 0 ? 1.0 : -1.0, limit = limits[side / 2];
        if (!is_within(polygon, side >= 2, sign, limit))
        {
            Polygon* clipped = other;
            clip_side(polygon, side >= 2, sign, limit, 4 + side, closed && polygon->count > 2, clipped);
            other = polygon;
            polygon = clipped;
        }
    }
    out->count = polygon->count < ABUT_CLIP_VERTICES ? polygon->count : ABUT_CLIP_VERTICES;
    for (int i = 0; i < out->count; ++i)
    {
        const Corner* p = &polygon->corners[i];
        const Corner* before = &polygon->corners[i > 0 ? i - 1 : polygon->count - 1];
        out->vertices[i] = (AbutClipVertex){ p->u, p->v, p->height, vertex_id(before->edge, p->edge) };
    }
}
