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

/// Axes after an axis, in turn.
static const uint8_t after[4] = { 1, 2, 0, 1 };

enum
{
    MOST_CORNERS = ABUT_CLIP_VERTICES + 4
};

typedef struct Polygon
{
    int count;
    Corner corners[MOST_CORNERS];
} Polygon;

/// The axis of a core that a direction is most along.
static int axis_along(AbutDVec3 local)
{
    AbutDVec3 size = abut_dvec3_abs(local);
    int axis = size.y > size.x ? 1 : 0;
    return size.z > abut_dvec3_get(size, axis) ? 2 : axis;
}

/// The axes of a face: along it, then its normal.
typedef struct FaceAxes
{
    AbutDVec3 u, v, normal;
} FaceAxes;

static AbutDVec3 in_face(const FaceAxes* face, AbutDVec3 v)
{
    return abut_dvec3(abut_dvec3_dot(v, face->u), abut_dvec3_dot(v, face->v),
                      abut_dvec3_dot(v, face->normal));
}

static Corner corner_at(AbutDVec3 at, uint32_t edge)
{
    return (Corner){ at.x, at.y, at.z, edge };
}

static void incident_polygon(const AbutCore* reference, int axis, AbutDVec3 normal, const AbutCore* incident,
                             uint32_t* face, Polygon* polygon)
{
    const FaceAxes axes = { reference->axes[after[axis]], reference->axes[after[axis + 1]], normal };
    AbutDVec3 middle = in_face(&axes, abut_dvec3_sub(incident->center, reference->center));
    middle.z -= abut_dvec3_get(reference->half, axis);
    if (incident->kind == ABUT_CORE_SEGMENT)
    {
        AbutDVec3 along = abut_dvec3_scale(in_face(&axes, incident->axes[1]), incident->half.y);
        *face = 0;
        polygon->count = 2;
        polygon->corners[0] = corner_at(abut_dvec3_sub(middle, along), 0);
        polygon->corners[1] = corner_at(abut_dvec3_add(middle, along), 1);
        return;
    }
    AbutDVec3 local = abut_core_local(incident, normal);
    int own = axis_along(local), first = after[own], second = after[own + 1];
    double sign = abut_dvec3_get(local, own) > 0.0 ? -1.0 : 1.0;
    *face = (uint32_t)own * 2 + (sign > 0.0 ? 1 : 0);
    middle = abut_dvec3_mul_add(middle, sign * abut_dvec3_get(incident->half, own),
                                in_face(&axes, incident->axes[own]));
    AbutDVec3 p = abut_dvec3_scale(in_face(&axes, incident->axes[first]),
                                   abut_dvec3_get(incident->half, first)),
              q = abut_dvec3_scale(in_face(&axes, incident->axes[second]),
                                   abut_dvec3_get(incident->half, second));
    AbutDVec3 low = abut_dvec3_sub(middle, q), high = abut_dvec3_add(middle, q);
    polygon->count = 4;
    polygon->corners[0] = corner_at(abut_dvec3_sub(low, p), 0);
    polygon->corners[1] = corner_at(abut_dvec3_add(low, p), 1);
    polygon->corners[2] = corner_at(abut_dvec3_add(high, p), 2);
    polygon->corners[3] = corner_at(abut_dvec3_sub(high, p), 3);
}

/// Where an edge crosses a side, at the fraction t of it.
static Corner crossing(const Corner* p, const Corner* q, double t, uint32_t edge)
{
    return (Corner){ p->u + t * (q->u - p->u), p->v + t * (q->v - p->v),
                     p->height + t * (q->height - p->height), edge };
}

static double over_side(const Corner* corner, bool by_v, double sign, double limit)
{
    return sign * (by_v ? corner->v : corner->u) - limit;
}

/// A bit for each plane that cuts something off: at +u, −u, +v and −v.
static unsigned cutting_planes(const Polygon* polygon, const double limits[2])
{
    unsigned cut = 0;
    for (int i = 0; i < polygon->count; ++i)
    {
        double u = polygon->corners[i].u, v = polygon->corners[i].v;
        cut |= (unsigned)(u > limits[0]) | (unsigned)(u < -limits[0]) << 1 | (unsigned)(v > limits[1]) << 2 |
               (unsigned)(v < -limits[1]) << 3;
    }
    return cut;
}

/// Keeps the corners with sign · (u or v) ≤ limit. `closed`: the last corner is joined to the first.
static void clip_side(const Polygon* polygon, bool by_v, double sign, double limit, uint32_t side,
                      bool closed, Polygon* out)
{
    int count = 0;
    for (int i = 0; i < polygon->count; ++i)
    {
        int next = i + 1 < polygon->count ? i + 1 : 0;
        const Corner *p = &polygon->corners[i], *q = &polygon->corners[next];
        double over_p = over_side(p, by_v, sign, limit), over_q = over_side(q, by_v, sign, limit);
        out->corners[count] = *p;
        count = count + (over_p <= 0.0) < MOST_CORNERS ? count + (over_p <= 0.0) : MOST_CORNERS - 1;
        if ((closed || next != 0) && (over_p <= 0.0) != (over_q <= 0.0))
        {
            // Out of the side a new edge starts along it; into it the old edge goes on.
            double t = over_p / (over_p - over_q);
            Corner cut = crossing(p, q, t, over_p <= 0.0 ? side : p->edge);
            cut.u = by_v ? cut.u : sign * limit;
            cut.v = by_v ? sign * limit : cut.v;
            out->corners[count] = cut;
            count = count + 1 < MOST_CORNERS ? count + 1 : MOST_CORNERS - 1;
        }
    }
    out->count = count;
}

void abut_clip_incident(const AbutCore* reference, int axis, AbutDVec3 normal, const AbutCore* incident,
                        AbutClipPolygon* out)
{
    Polygon polygons[2], *polygon = &polygons[0], *other = &polygons[1];
    incident_polygon(reference, axis, normal, incident, &out->face, polygon);
    bool closed = incident->kind != ABUT_CORE_SEGMENT;
    double limits[2] = { abut_dvec3_get(reference->half, after[axis]),
                         abut_dvec3_get(reference->half, after[axis + 1]) };
    for (unsigned cut = cutting_planes(polygon, limits); cut != 0; cut &= cut - 1)
    {
        uint32_t side = (uint32_t)__builtin_ctz(cut);
        double sign = side % 2 == 0 ? 1.0 : -1.0, limit = limits[side / 2];
        Polygon* clipped = other;
        clip_side(polygon, side >= 2, sign, limit, 4 + side, closed && polygon->count > 2, clipped);
        other = polygon;
        polygon = clipped;
    }
    out->count = polygon->count < ABUT_CLIP_VERTICES ? polygon->count : ABUT_CLIP_VERTICES;
    for (int i = 0; i < out->count; ++i)
    {
        const Corner* p = &polygon->corners[i];
        const Corner* before = &polygon->corners[i > 0 ? i - 1 : polygon->count - 1];
        out->vertices[i] = (AbutClipVertex){ p->u, p->v, p->height, vertex_id(before->edge, p->edge) };
    }
}
