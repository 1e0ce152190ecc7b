// Cores of shapes, and pairs of them in the frame of the first.
#include "narrow/convex/convex.h"

#include "hull/kernels.h"
#include "hull/support.h"
#include "shape/convex.h"
#include "shape/resolve.h"

/// Roundings of a point of C, in units of ABUT_TRANSFORM_ROUNDING times all lengths: those of resolved
/// shapes and of the relative pose.
static const double ROUNDINGS = 4.0;

bool abut_convex_has_core(const AbutShape* shape)
{
    const AbutShape* leaf = abut_shape_leaf(shape);
    switch (leaf->info.kind)
    {
    case ABUT_SHAPE_SPHERE:
    case ABUT_SHAPE_BOX:
    case ABUT_SHAPE_ROUNDED_BOX:
    case ABUT_SHAPE_CAPSULE:
    case ABUT_SHAPE_CYLINDER:
    case ABUT_SHAPE_CONE:
    case ABUT_SHAPE_CONVEX:
        return leaf == shape || abut_shape_resolve(shape).offset >= 0.0;
    default:
        return false;
    }
}

static void set_hull(AbutConvexCore* core, const AbutHull* hull)
{
    core->kind = ABUT_CONVEX_HULL;
    core->hull = hull;
    core->count = hull->vertex_count;
    core->lane_count = hull->lane_count;
    core->lanes = hull->vertex_count <= ABUT_HULL_SCAN ? abut_hull_lanes(hull, 0) : NULL;
    core->center = hull->center;
    core->inscribed = hull->inner_radius;
    core->enclosing = hull->outer_radius;
    core->extent = hull->radius;
}

/// A core about the origin.
static void set_core(AbutConvexCore* core, AbutConvexKind kind, AbutDVec3 size, double inscribed,
                     double enclosing)
{
    core->kind = kind;
    core->size = size;
    core->inscribed = inscribed;
    core->enclosing = core->extent = enclosing * (1.0 + 0x1p-50);
}

/// A ball about the middle of the axis, in a cone with these radii: the distance from the side, or less.
static double cone_inner(double low, double high, double half)
{
    double slope = (high - low) / (2.0 * half);
    double to_side = 0.5 * (low + high) / sqrt(1.0 + slope * slope);
    return abut_smaller(half, to_side) * (1.0 - 1e-12);
}

static void set_primitive(AbutConvexCore* core, const AbutShape* leaf)
{
    const double* p = abut_shape_parameters(leaf);
    AbutDVec3 size = abut_dvec3_from_array(p);
    switch (leaf->info.kind)
    {
    case ABUT_SHAPE_SPHERE:
        set_core(core, ABUT_CONVEX_POINT, abut_dvec3_zero(), 0.0, 0.0);
        core->radius = p[0];
        return;
    case ABUT_SHAPE_CAPSULE:
        set_core(core, ABUT_CONVEX_SEGMENT, abut_dvec3(p[1], 0.0, 0.0), 0.0, p[1]);
        core->radius = p[0];
        return;
    case ABUT_SHAPE_CYLINDER:
        set_core(core, ABUT_CONVEX_CYLINDER, size, abut_smaller(p[0], p[1]), sqrt(p[0] * p[0] + p[1] * p[1]));
        return;
    case ABUT_SHAPE_CONE:
    {
        double widest = abut_larger(p[0], p[1]);
        set_core(core, ABUT_CONVEX_CONE, size, cone_inner(p[0], p[1], p[2]),
                 sqrt(widest * widest + p[2] * p[2]));
        return;
    }
    default:
        set_core(core, ABUT_CONVEX_BOX, size, abut_smaller(p[0], abut_smaller(p[1], p[2])),
                 abut_dvec3_length(size));
        core->radius = p[3];
        return;
    }
}

/// All members but the size, which hulls do not have.
static void set_leaf(AbutConvexCore* core, const AbutShape* leaf)
{
    core->center = abut_dvec3_zero();
    core->radius = 0.0;
    core->hull = NULL;
    core->lanes = NULL;
    core->count = core->lane_count = 0;
    if (leaf->info.kind == ABUT_SHAPE_CONVEX)
    {
        set_hull(core, abut_convex_hull(leaf));
    }
    else
    {
        set_primitive(core, leaf);
    }
}

/// The inverse of `frame` after `other`.
static AbutTransform relative_to(const AbutTransform* frame, const AbutTransform* other)
{
    AbutTransform out = *other;
    out.rotation = abut_dmat3_multiply_transposed(&frame->rotation, &other->rotation);
    out.translation = abut_transform_inverse_point(frame, other->translation);
    out.scale = other->scale / frame->scale;
    return out;
}

/// Lengths and levels of placed and offset shapes.
typedef struct Wrapping
{
    double length;
    double levels;
} Wrapping;

/// Core and frame of a shape; the frame of a leaf is the identity and stays as it is.
static Wrapping set_core_of(AbutConvexCore* core, const AbutShape* shape, AbutTransform* frame)
{
    if (!abut_shape_is_wrapper(shape))
    {
        set_leaf(core, shape);
        return (Wrapping){ 0.0, 0.0 };
    }
    AbutResolvedShape resolved = abut_shape_resolve(shape);
    set_leaf(core, resolved.leaf);
    core->radius += resolved.offset / resolved.frame.scale;
    *frame = resolved.frame;
    return (Wrapping){ resolved.length, resolved.levels };
}

void abut_convex_pair_init(const AbutShape* a, const AbutShape* b, const AbutTransform* relative,
                           double length, AbutConvexPair* pair, AbutTransform* frame)
{
    AbutTransform b_in_a = *relative, inner_b;
    *frame = abut_transform_identity();
    Wrapping around_a = set_core_of(&pair->a, a, frame), around_b = set_core_of(&pair->b, b, &inner_b);
    if (around_b.levels > 0.0)
    {
        b_in_a = abut_transform_multiply(relative, &inner_b);
    }
    if (around_a.levels > 0.0)
    {
        b_in_a = relative_to(frame, &b_in_a);
    }
    pair->rotation = b_in_a.rotation;
    pair->translation = b_in_a.translation;
    pair->scale = b_in_a.scale;
    pair->radius = pair->a.radius + pair->scale * pair->b.radius;
    pair->unit = frame->scale;
    pair->margin = INFINITY;
    pair->exact = false;
    double lengths = (length + around_a.length + around_b.length * relative->scale) / pair->unit +
                     (1.0 + around_a.levels + around_b.levels) *
                         (pair->a.extent + pair->a.radius + pair->scale * (pair->b.extent + pair->b.radius) +
                          abut_dvec3_length(pair->translation));
    pair->rounding = ROUNDINGS * ABUT_TRANSFORM_ROUNDING * lengths;
    double size_a = pair->a.enclosing + pair->a.radius,
           size_b = pair->scale * (pair->b.enclosing + pair->b.radius);
    pair->size = 2.0 * abut_smaller(size_a, size_b);
}

double abut_convex_support_distance(const AbutConvexCore* core, AbutDVec3 direction)
{
    AbutDVec3 s = core->size;
    AbutDVec3 d = direction;
    double across = sqrt(d.x * d.x + d.z * d.z);
    switch (core->kind)
    {
    case ABUT_CONVEX_POINT:
        return 0.0;
    case ABUT_CONVEX_SEGMENT:
        return s.x * fabs(d.y);
    case ABUT_CONVEX_BOX:
        return s.x * fabs(d.x) + s.y * fabs(d.y) + s.z * fabs(d.z);
    case ABUT_CONVEX_CYLINDER:
        return s.x * across + s.y * fabs(d.y);
    case ABUT_CONVEX_CONE:
        return abut_larger(s.x * across - s.z * d.y, s.y * across + s.z * d.y);
    case ABUT_CONVEX_HULL:
        break;
    }
    uint32_t vertex = abut_hull_exact_support(core->hull, d, abut_hull_start(core->hull, d));
    return abut_dvec3_dot(d, abut_hull_position(core->hull, vertex));
}

double abut_convex_depth_at(const AbutConvexCore* core, AbutDVec3 point)
{
    AbutDVec3 s = core->size;
    AbutDVec3 size = abut_dvec3_abs(point);
    double height = 1.0;
    switch (core->kind)
    {
    case ABUT_CONVEX_BOX:
        return abut_smaller(s.x - size.x, abut_smaller(s.y - size.y, s.z - size.z));
    case ABUT_CONVEX_CYLINDER:
        return abut_smaller(s.x - sqrt(point.x * point.x + point.z * point.z), s.y - size.y);
    case ABUT_CONVEX_HULL:
        if (core->hull->dimension == 3)
        {
            abut_hull_kernels()->highest_plane(abut_hull_plane_lanes(core->hull),
                                               core->hull->plane_lane_count, point, &height);
            return -height - core->hull->plane_error;
        }
        return -1.0;
    default:
        return -1.0;
    }
}

/// Rounded cylinders, cones and hulls have no formula here.
bool abut_convex_has_heights(const AbutShape* shape)
{
    AbutShapeKind kind = abut_shape_leaf(shape)->info.kind;
    bool has_corners = kind == ABUT_SHAPE_CONVEX || kind == ABUT_SHAPE_CYLINDER || kind == ABUT_SHAPE_CONE;
    if (kind == ABUT_SHAPE_CONVEX && abut_convex_hull(abut_shape_leaf(shape))->dimension < 3)
    {
        return false;
    }
    return abut_convex_has_core(shape) && (!has_corners || abut_shape_resolve(shape).offset == 0.0);
}

/// Distance of a point from a box, under 0 inside.
static double box_height(AbutDVec3 half, AbutDVec3 point)
{
    AbutDVec3 out = abut_dvec3_sub(abut_dvec3_abs(point), half);
    double inside = abut_larger(out.x, abut_larger(out.y, out.z));
    return inside <= 0.0 ? inside : abut_dvec3_length(abut_dvec3_max(out, abut_dvec3_zero()));
}

double abut_convex_height_at(const AbutConvexCore* core, AbutDVec3 point)
{
    AbutDVec3 s = core->size;
    double around = sqrt(point.x * point.x + point.z * point.z), height = 0.0;
    switch (core->kind)
    {
    case ABUT_CONVEX_POINT:
        return abut_dvec3_length(point) - core->radius;
    case ABUT_CONVEX_SEGMENT:
        return box_height(abut_dvec3(0.0, s.x, 0.0), point) - core->radius;
    case ABUT_CONVEX_BOX:
        return box_height(s, point) - core->radius;
    case ABUT_CONVEX_CYLINDER:
        return abut_larger(around - s.x, fabs(point.y) - s.y);
    case ABUT_CONVEX_CONE:
    {
        // The side passes through (bottom radius, −half) and (top radius, half).
        double width = s.x - s.y, length = sqrt(width * width + 4.0 * s.z * s.z);
        double side = (2.0 * s.z * (around - s.x) + width * (point.y + s.z)) / length;
        return abut_larger(side, fabs(point.y) - s.z);
    }
    case ABUT_CONVEX_HULL:
        break;
    }
    abut_hull_kernels()->highest_plane(abut_hull_plane_lanes(core->hull), core->hull->plane_lane_count, point,
                                       &height);
    return height;
}
