// Manifolds of round cores: points and segments with each other, with a box, and all cores with a half space.
#include "narrow/primitive/manifold.h"

#include <math.h>

void abut_primitive_add(const AbutPrimitiveQuery* query, AbutDVec3 at_a, AbutDVec3 at_b, AbutDVec3 normal,
                        double height, uint32_t id)
{
    AbutPrimitiveManifold* out = query->out;
    double radius_a = query->pair->a.radius, radius_b = query->pair->b.radius;
    double separation = height - radius_a - radius_b;
    if (separation <= query->margin && out->count < ABUT_PRIMITIVE_POINTS)
    {
        out->points[out->count++] =
            (AbutPrimitivePoint){ abut_dvec3_mul_sub(at_a, radius_a, normal),
                                  abut_dvec3_mul_add(at_b, radius_b, normal), normal, separation, id };
    }
}

// -----------------------------------------------------------------------------------------------------------
// Points and segments
// -----------------------------------------------------------------------------------------------------------

static double clamp(double x, double limit)
{
    return x < -limit ? -limit : x > limit ? limit : x;
}

/// Unit, perpendicular to a unit vector.
static AbutDVec3 perpendicular_to(AbutDVec3 v)
{
    AbutDVec3 x = fabs(v.x) < 0.6 ? abut_dvec3(1.0, 0.0, 0.0) : abut_dvec3(0.0, 1.0, 0.0);
    return abut_dvec3_normalize(abut_dvec3_cross(v, x));
}

/// The direction from B to A where the cores share a point: across both segments, or +x.
static AbutDVec3 normal_of_crossing(const AbutCorePair* pair)
{
    AbutDVec3 across = abut_dvec3_cross(pair->a.axes[1], pair->b.axes[1]);
    bool segments = pair->a.half.y > 0.0 && pair->b.half.y > 0.0;
    if (segments && abut_dvec3_squared_length(across) > 1e-12)
    {
        return abut_dvec3_normalize(across);
    }
    if (pair->a.half.y > 0.0 || pair->b.half.y > 0.0)
    {
        return perpendicular_to(pair->a.half.y > 0.0 ? pair->a.axes[1] : pair->b.axes[1]);
    }
    return abut_dvec3(1.0, 0.0, 0.0);
}

/// Positions along both segments where they are closest, of lines c + s·d with |s| ≤ half.
static void closest_on_segments(const AbutCorePair* pair, double* along_a, double* along_b)
{
    const AbutCore *a = &pair->a, *b = &pair->b;
    AbutDVec3 between = abut_dvec3_sub(b->center, a->center);
    double cosine = abut_dvec3_dot(a->axes[1], b->axes[1]);
    double t_a = abut_dvec3_dot(between, a->axes[1]), t_b = abut_dvec3_dot(between, b->axes[1]);
    double sine_squared = 1.0 - cosine * cosine;
    double s = sine_squared > 1e-14 ? (t_a - cosine * t_b) / sine_squared : 0.0;
    s = clamp(s, a->half.y);
    double t = clamp(cosine * s - t_b, b->half.y);
    *along_a = clamp(t_a + cosine * t, a->half.y);
    *along_b = clamp(cosine * *along_a - t_b, b->half.y);
}

static AbutDVec3 point_of_segment(const AbutCore* core, double along)
{
    return abut_dvec3_mul_add(core->center, along, core->axes[1]);
}

/// Adds the closest point of B to a position of A's segment.
static void add_across(const AbutPrimitiveQuery* query, double along_a, uint32_t id)
{
    const AbutCore *a = &query->pair->a, *b = &query->pair->b;
    AbutDVec3 at_a = point_of_segment(a, along_a);
    double along_b = clamp(abut_dvec3_dot(abut_dvec3_sub(at_a, b->center), b->axes[1]), b->half.y);
    AbutDVec3 at_b = point_of_segment(b, along_b), between = abut_dvec3_sub(at_a, at_b);
    double length = abut_dvec3_length(between);
    if (length > 0.0)
    {
        abut_primitive_add(query, at_a, at_b, abut_dvec3_div(between, length), length, id);
    }
}

/// Both ends of the common stretch of two nearly parallel segments. False where there is none.
static bool add_parallel(const AbutPrimitiveQuery* query)
{
    const AbutCore *a = &query->pair->a, *b = &query->pair->b;
    AbutDVec3 across = abut_dvec3_cross(a->axes[1], b->axes[1]);
    if (!(abut_dvec3_squared_length(across) < ABUT_PRIMITIVE_PARALLEL_SINE * ABUT_PRIMITIVE_PARALLEL_SINE))
    {
        return false;
    }
    double middle = abut_dvec3_dot(abut_dvec3_sub(b->center, a->center), a->axes[1]);
    double extent = b->half.y * fabs(abut_dvec3_dot(a->axes[1], b->axes[1]));
    double low = abut_larger(-a->half.y, middle - extent), high = abut_smaller(a->half.y, middle + extent);
    if (!(high - low > 1e-3 * (a->half.y + b->half.y)))
    {
        return false;
    }
    add_across(query, low, 1);
    add_across(query, high, 2);
    return true;
}

void abut_primitive_round(const AbutPrimitiveQuery* query)
{
    const AbutCorePair* pair = query->pair;
    double along_a = 0.0, along_b = 0.0;
    bool segments = pair->a.kind == ABUT_CORE_SEGMENT || pair->b.kind == ABUT_CORE_SEGMENT;
    if (segments)
    {
        closest_on_segments(pair, &along_a, &along_b);
    }
    AbutDVec3 at_a = segments ? point_of_segment(&pair->a, along_a) : pair->a.center;
    AbutDVec3 at_b = segments ? point_of_segment(&pair->b, along_b) : pair->b.center;
    AbutDVec3 between = abut_dvec3_sub(at_a, at_b);
    double length = abut_dvec3_length(between), radius = pair->a.radius + pair->b.radius;
    AbutDVec3 normal = length > pair->rounding ? abut_dvec3_div(between, length) : normal_of_crossing(pair);
    double low = segments ? abut_primitive_gap_along(pair, normal) : length;
    query->out->low = low - radius - pair->rounding;
    query->out->touching = length - radius + pair->rounding <= 0.0;
    if (!query->wants_points || query->out->low > query->margin)
    {
        return;
    }
    bool both = pair->a.kind == ABUT_CORE_SEGMENT && pair->b.kind == ABUT_CORE_SEGMENT;
    if (!both || !add_parallel(query) || query->out->count == 0)
    {
        abut_primitive_add(query, at_a, at_b, normal, length, 0);
    }
}

// -----------------------------------------------------------------------------------------------------------
// A point and a box
// -----------------------------------------------------------------------------------------------------------

/// The nearest face from inside, the first one of equals: its axis, and the distance (under 0).
static int nearest_face(AbutDVec3 out, double* distance)
{
    int axis = out.y > out.x ? 1 : 0;
    axis = out.z > abut_dvec3_get(out, axis) ? 2 : axis;
    *distance = abut_dvec3_get(out, axis);
    return axis;
}

/// Of a point in the axes of a box: its signed distance, the closest point of the surface, and the normal.
static double closest_on_box(const AbutCore* box, AbutDVec3 local, AbutDVec3* closest, AbutDVec3* normal)
{
    AbutDVec3 inside =
        abut_dvec3(clamp(local.x, box->half.x), clamp(local.y, box->half.y), clamp(local.z, box->half.z));
    AbutDVec3 away = abut_dvec3_sub(local, inside);
    double distance = abut_dvec3_length(away);
    *closest = inside;
    *normal = distance > 0.0 ? abut_dvec3_div(away, distance) : away;
    if (!(distance > 0.0))
    {
        int axis = nearest_face(abut_dvec3_sub(abut_dvec3_abs(local), box->half), &distance);
        double sign = abut_dvec3_get(local, axis) < 0.0 ? -1.0 : 1.0;
        *closest = abut_dvec3_with(local, axis, sign * abut_dvec3_get(box->half, axis));
        *normal = abut_dvec3_with(abut_dvec3_zero(), axis, sign);
    }
    return distance;
}

void abut_primitive_point_box(const AbutPrimitiveQuery* query)
{
    const AbutCorePair* pair = query->pair;
    bool box_is_b = pair->b.kind == ABUT_CORE_BOX;
    const AbutCore* box = box_is_b ? &pair->b : &pair->a;
    AbutDVec3 point = box_is_b ? pair->a.center : pair->b.center, closest, normal;
    double distance =
        closest_on_box(box, abut_core_local(box, abut_dvec3_sub(point, box->center)), &closest, &normal);
    double separation = distance - pair->a.radius - pair->b.radius;
    query->out->low = separation - pair->rounding;
    query->out->touching = separation + pair->rounding <= 0.0;
    if (query->wants_points && query->out->low <= query->margin)
    {
        AbutDVec3 on_box = abut_core_point(box, closest);
        AbutDVec3 outward = abut_dvec3_sub(abut_core_point(box, normal), box->center);
        if (box_is_b)
        {
            abut_primitive_add(query, point, on_box, outward, distance, 0);
        }
        else
        {
            abut_primitive_add(query, on_box, point, abut_dvec3_neg(outward), distance, 0);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Half spaces
// -----------------------------------------------------------------------------------------------------------

/// Corners of the core that face the plane: 1 of a point, 2 of a segment, 4 of a box. Returns their count.
static int facing_corners(const AbutCore* core, AbutDVec3 normal, AbutDVec3 corners[4])
{
    if (core->kind == ABUT_CORE_POINT)
    {
        corners[0] = core->center;
        return 1;
    }
    if (core->kind == ABUT_CORE_SEGMENT)
    {
        corners[0] = point_of_segment(core, -core->half.y);
        corners[1] = point_of_segment(core, core->half.y);
        return 2;
    }
    AbutDVec3 local = abut_core_local(core, normal), size = abut_dvec3_abs(local);
    int axis = size.y > size.x ? 1 : 0;
    axis = size.z > abut_dvec3_get(size, axis) ? 2 : axis;
    double sign = abut_dvec3_get(local, axis) > 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; ++i)
    {
        AbutDVec3 signs = abut_dvec3_with(abut_dvec3(1.0, 1.0, 1.0), axis, sign);
        signs = abut_dvec3_with(signs, (axis + 1) % 3, (i & 1) != 0 ? 1.0 : -1.0);
        signs = abut_dvec3_with(signs, (axis + 2) % 3, (i & 2) != 0 ? 1.0 : -1.0);
        corners[i] = abut_core_point(core, abut_dvec3_mul(signs, core->half));
    }
    return 4;
}

void abut_primitive_half_space(const AbutPrimitiveQuery* query)
{
    const AbutCorePair* pair = query->pair;
    bool plane_is_b = pair->b.kind == ABUT_CORE_HALF_SPACE;
    const AbutCore *plane = plane_is_b ? &pair->b : &pair->a, *core = plane_is_b ? &pair->a : &pair->b;
    AbutDVec3 normal = plane->axes[1];
    double lowest =
        abut_dvec3_dot(core->center, normal) - plane->plane_offset - abut_core_width(core, normal);
    query->out->low = lowest - core->radius - pair->rounding;
    query->out->touching = lowest - core->radius + pair->rounding <= 0.0;
    if (!query->wants_points || query->out->low > query->margin)
    {
        return;
    }
    AbutDVec3 corners[4];
    int count = facing_corners(core, normal, corners);
    for (int i = 0; i < count; ++i)
    {
        double height = abut_dvec3_dot(corners[i], normal) - plane->plane_offset;
        AbutDVec3 foot = abut_dvec3_mul_sub(corners[i], height, normal);
        if (plane_is_b)
        {
            abut_primitive_add(query, corners[i], foot, normal, height, (uint32_t)i);
        }
        else
        {
            abut_primitive_add(query, foot, corners[i], abut_dvec3_neg(normal), height, (uint32_t)i);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// All pairs
// -----------------------------------------------------------------------------------------------------------

void abut_primitive_collide(const AbutCorePair* pair, double margin, bool wants_points,
                            AbutPrimitiveManifold* out)
{
    out->low = -INFINITY;
    out->touching = false;
    out->close = false;
    out->count = 0;
    const AbutPrimitiveQuery query = { pair, margin, wants_points, out };
    AbutCoreKind a = pair->a.kind, b = pair->b.kind;
    if (a == ABUT_CORE_HALF_SPACE || b == ABUT_CORE_HALF_SPACE)
    {
        abut_primitive_half_space(&query);
    }
    else if (a != ABUT_CORE_BOX && b != ABUT_CORE_BOX)
    {
        abut_primitive_round(&query);
    }
    else if (a == ABUT_CORE_POINT || b == ABUT_CORE_POINT)
    {
        abut_primitive_point_box(&query);
    }
    else
    {
        abut_primitive_boxes(&query);
    }
}
