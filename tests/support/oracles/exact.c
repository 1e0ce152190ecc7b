#include "support/oracles/exact.h"

#include <math.h>

enum
{
    MOST_VERTICES = 8,
    MOST_EDGES = 12
};

// -----------------------------------------------------------------------------------------------------------
// Numbers and vectors
// -----------------------------------------------------------------------------------------------------------

static Exact smaller(Exact a, Exact b)
{
    return a < b ? a : b;
}

static Exact larger(Exact a, Exact b)
{
    return a > b ? a : b;
}

static Exact magnitude(Exact a)
{
    return a < 0 ? -a : a;
}

Exact exact_sqrt(Exact x)
{
    double start = sqrt((double)x);
    if (!(start > 0.0))
    {
        return 0;
    }
    Exact root = (Exact)start; // 53 bits; each step of Newton's doubles them
    root = (root + x / root) / 2;
    return (root + x / root) / 2;
}

void exact_sine_cosine(Exact angle, Exact* sine, Exact* cosine)
{
    int halvings = 0;
    while (magnitude(angle) > (Exact)0.01)
    {
        angle /= 2;
        ++halvings;
    }
    // 1 − cos stands for cos, which would lose its digits while angles are doubled.
    Exact term = angle, s = angle, less = 0;
    for (int i = 2; i < 24; ++i)
    {
        term = term * angle / i;
        Exact sign = i % 4 < 2 ? 1 : -1;
        s += i % 2 == 1 ? sign * term : 0;
        less -= i % 2 == 0 ? sign * term : 0;
    }
    for (int i = 0; i < halvings; ++i)
    {
        Exact doubled = 2 * s * (1 - less);
        less = 2 * s * s;
        s = doubled;
    }
    *sine = s;
    *cosine = 1 - less;
}

ExactVec exact_vec(Exact x, Exact y, Exact z)
{
    return (ExactVec){ { x, y, z } };
}

ExactVec exact_add(ExactVec a, ExactVec b)
{
    return exact_vec(a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]);
}

ExactVec exact_subtract(ExactVec a, ExactVec b)
{
    return exact_vec(a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]);
}

ExactVec exact_scale(ExactVec v, Exact s)
{
    return exact_vec(v.x[0] * s, v.x[1] * s, v.x[2] * s);
}

ExactVec exact_cross(ExactVec a, ExactVec b)
{
    return exact_vec(a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                     a.x[0] * b.x[1] - a.x[1] * b.x[0]);
}

Exact exact_dot(ExactVec a, ExactVec b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

Exact exact_length(ExactVec v)
{
    return exact_sqrt(exact_dot(v, v));
}

/// `fallback` for the vector 0.
static ExactVec unit(ExactVec v, ExactVec fallback)
{
    Exact length = exact_length(v);
    return length > 0 ? exact_scale(v, 1 / length) : fallback;
}

static ExactVec any_direction(void)
{
    return exact_vec(0, 1, 0);
}

// -----------------------------------------------------------------------------------------------------------
// Frames
// -----------------------------------------------------------------------------------------------------------

static void rotation_of(Exact x, Exact y, Exact z, Exact w, Exact m[3][3])
{
    Exact n = x * x + y * y + z * z + w * w;
    m[0][0] = (n - 2 * (y * y + z * z)) / n;
    m[0][1] = 2 * (x * y - z * w) / n;
    m[0][2] = 2 * (x * z + y * w) / n;
    m[1][0] = 2 * (x * y + z * w) / n;
    m[1][1] = (n - 2 * (x * x + z * z)) / n;
    m[1][2] = 2 * (y * z - x * w) / n;
    m[2][0] = 2 * (x * z - y * w) / n;
    m[2][1] = 2 * (y * z + x * w) / n;
    m[2][2] = (n - 2 * (x * x + y * y)) / n;
}

ExactFrame exact_frame(const AbutPose* pose)
{
    ExactFrame frame;
    rotation_of((Exact)pose->rotation.x, (Exact)pose->rotation.y, (Exact)pose->rotation.z,
                (Exact)pose->rotation.w, frame.rotation);
    frame.position = exact_vec((Exact)pose->position.x, (Exact)pose->position.y, (Exact)pose->position.z);
    frame.scale = (Exact)pose->scale;
    return frame;
}

ExactVec exact_frame_rotate(const ExactFrame* frame, ExactVec v)
{
    ExactVec out;
    for (int row = 0; row < 3; ++row)
    {
        const Exact* m = frame->rotation[row];
        out.x[row] = m[0] * v.x[0] + m[1] * v.x[1] + m[2] * v.x[2];
    }
    return out;
}

ExactVec exact_frame_apply(const ExactFrame* frame, ExactVec v)
{
    return exact_add(exact_scale(exact_frame_rotate(frame, v), frame->scale), frame->position);
}

static void multiply_matrices(const Exact a[3][3], const Exact b[3][3], Exact out[3][3])
{
    for (int row = 0; row < 3; ++row)
    {
        for (int column = 0; column < 3; ++column)
        {
            out[row][column] = a[row][0] * b[0][column] + a[row][1] * b[1][column] + a[row][2] * b[2][column];
        }
    }
}

ExactFrame exact_frame_multiply(const ExactFrame* outer, const ExactFrame* inner)
{
    ExactFrame frame;
    multiply_matrices(outer->rotation, inner->rotation, frame.rotation);
    frame.position = exact_frame_apply(outer, inner->position);
    frame.scale = outer->scale * inner->scale;
    return frame;
}

ExactFrame exact_frame_move(const ExactFrame* start, const AbutMotion* motion, Exact time)
{
    ExactVec linear = exact_vec((Exact)motion->linear.x, (Exact)motion->linear.y, (Exact)motion->linear.z);
    ExactVec angular =
        exact_vec((Exact)motion->angular.x, (Exact)motion->angular.y, (Exact)motion->angular.z);
    ExactVec center = exact_vec((Exact)motion->center.x, (Exact)motion->center.y, (Exact)motion->center.z);
    Exact angle = exact_length(angular), sine, cosine, rotation[3][3];
    ExactVec axis = unit(angular, any_direction());
    exact_sine_cosine(angle * time / 2, &sine, &cosine);
    rotation_of(axis.x[0] * sine, axis.x[1] * sine, axis.x[2] * sine, cosine, rotation);
    ExactFrame frame = *start;
    multiply_matrices(rotation, start->rotation, frame.rotation);
    ExactVec moved = exact_add(exact_frame_apply(start, center), exact_scale(linear, time));
    frame.position = exact_subtract(moved, exact_scale(exact_frame_rotate(&frame, center), frame.scale));
    return frame;
}

// -----------------------------------------------------------------------------------------------------------
// Shapes
// -----------------------------------------------------------------------------------------------------------

AbutShape* exact_shape_create(const ExactShape* shape)
{
    const float* p = shape->parameters;
    AbutVec3 v = abut_vec3(p[0], p[1], p[2]);
    AbutShape* out = NULL;
    AbutResult result = ABUT_INVALID_ARGUMENT;
    switch (shape->kind)
    {
    case ABUT_SHAPE_SPHERE:
        result = abut_shape_create_sphere(p[0], NULL, &out);
        break;
    case ABUT_SHAPE_BOX:
        result = abut_shape_create_box(v, NULL, &out);
        break;
    case ABUT_SHAPE_ROUNDED_BOX:
        result = abut_shape_create_rounded_box(v, p[3], NULL, &out);
        break;
    case ABUT_SHAPE_CAPSULE:
        result = abut_shape_create_capsule(p[0], p[1], NULL, &out);
        break;
    case ABUT_SHAPE_CYLINDER:
        result = abut_shape_create_cylinder(p[0], p[1], NULL, &out);
        break;
    case ABUT_SHAPE_CONE:
        result = abut_shape_create_cone(p[0], p[1], p[2], NULL, &out);
        break;
    case ABUT_SHAPE_TORUS:
        result = abut_shape_create_torus(p[0], p[1], NULL, &out);
        break;
    case ABUT_SHAPE_PLANE:
        result = abut_shape_create_plane(v, p[3], NULL, &out);
        break;
    default:
        break;
    }
    test_assert_result(result, ABUT_OK);
    return out;
}

double exact_shape_size(const ExactShape* shape)
{
    const float* p = shape->parameters;
    switch (shape->kind)
    {
    case ABUT_SHAPE_SPHERE:
        return 2.0 * (double)p[0];
    case ABUT_SHAPE_BOX:
    case ABUT_SHAPE_ROUNDED_BOX:
        return fmax((double)p[0], fmax((double)p[1], (double)p[2]));
    case ABUT_SHAPE_CAPSULE:
        return 2.0 * (double)p[0] + (double)p[1];
    case ABUT_SHAPE_CYLINDER:
        return fmax(2.0 * (double)p[0], (double)p[1]);
    case ABUT_SHAPE_CONE:
        return fmax(2.0 * fmax((double)p[0], (double)p[1]), (double)p[2]);
    case ABUT_SHAPE_TORUS:
        return 2.0 * ((double)p[0] + (double)p[1]);
    default:
        return 0.0;
    }
}

static bool is_revolved(AbutShapeKind kind)
{
    return kind == ABUT_SHAPE_CYLINDER || kind == ABUT_SHAPE_CONE || kind == ABUT_SHAPE_TORUS;
}

bool exact_pair_is_known(AbutShapeKind a, AbutShapeKind b)
{
    if (a == ABUT_SHAPE_PLANE && b == ABUT_SHAPE_PLANE)
    {
        return false;
    }
    bool simple_a = a == ABUT_SHAPE_PLANE || a == ABUT_SHAPE_SPHERE;
    bool simple_b = b == ABUT_SHAPE_PLANE || b == ABUT_SHAPE_SPHERE;
    return (!is_revolved(a) || simple_b) && (!is_revolved(b) || simple_a);
}

/// A box, flat along none to all of its axes, and all that is nearer to it than the radius.
typedef struct Core
{
    ExactVec center;
    ExactVec axes[3]; // of unit length
    Exact half[3];
    Exact radius;
} Core;

static Core core_of(const ExactShape* shape, const ExactFrame* frame)
{
    const float* p = shape->parameters;
    Core core = { .center = frame->position };
    for (int axis = 0; axis < 3; ++axis)
    {
        core.axes[axis] =
            exact_vec(frame->rotation[0][axis], frame->rotation[1][axis], frame->rotation[2][axis]);
    }
    switch (shape->kind)
    {
    case ABUT_SHAPE_SPHERE:
        core.radius = (Exact)p[0];
        break;
    case ABUT_SHAPE_CAPSULE:
        core.radius = (Exact)p[0];
        core.half[1] = (Exact)p[1] / 2;
        break;
    default:
        core.radius = shape->kind == ABUT_SHAPE_ROUNDED_BOX ? (Exact)p[3] : 0;
        for (int axis = 0; axis < 3; ++axis)
        {
            core.half[axis] = (Exact)p[axis] / 2 - core.radius;
        }
        break;
    }
    core.radius *= frame->scale;
    for (int axis = 0; axis < 3; ++axis)
    {
        core.half[axis] *= frame->scale;
    }
    return core;
}

static int core_vertices(const Core* core, ExactVec out[MOST_VERTICES])
{
    int count = 1;
    out[0] = core->center;
    for (int axis = 0; axis < 3; ++axis)
    {
        if (core->half[axis] > 0)
        {
            ExactVec step = exact_scale(core->axes[axis], core->half[axis]);
            for (int i = 0; i < count; ++i)
            {
                out[count + i] = exact_add(out[i], step);
                out[i] = exact_subtract(out[i], step);
            }
            count *= 2;
        }
    }
    return count;
}

typedef struct Edge
{
    ExactVec from, along; // to the other end
} Edge;

static int core_edges(const Core* core, Edge out[MOST_EDGES])
{
    int count = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        if (core->half[axis] > 0)
        {
            Core flat = *core;
            flat.half[axis] = 0;
            flat.center = exact_subtract(core->center, exact_scale(core->axes[axis], core->half[axis]));
            ExactVec vertices[MOST_VERTICES];
            int starts = core_vertices(&flat, vertices);
            for (int i = 0; i < starts; ++i)
            {
                out[count++] = (Edge){ vertices[i], exact_scale(core->axes[axis], 2 * core->half[axis]) };
            }
        }
    }
    return count;
}

// -----------------------------------------------------------------------------------------------------------
// Cores
// -----------------------------------------------------------------------------------------------------------

/// The vector from the core to a point outside of it, as short as there is; 0 for points of the core.
static ExactVec from_core(const Core* core, ExactVec point)
{
    ExactVec d = exact_subtract(point, core->center), out = { { 0 } };
    for (int axis = 0; axis < 3; ++axis)
    {
        Exact t = exact_dot(d, core->axes[axis]);
        Exact over = t > core->half[axis]    ? t - core->half[axis]
                     : t < -core->half[axis] ? t + core->half[axis]
                                             : 0;
        out = exact_add(out, exact_scale(core->axes[axis], over));
    }
    return out;
}

static Exact clamp_unit(Exact t)
{
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

/// The shortest vector from edge a to edge b.
static ExactVec between_edges(const Edge* a, const Edge* b)
{
    ExactVec d = exact_subtract(a->from, b->from);
    Exact aa = exact_dot(a->along, a->along), bb = exact_dot(b->along, b->along);
    Exact ab = exact_dot(a->along, b->along), ad = exact_dot(a->along, d), bd = exact_dot(b->along, d);
    ExactVec normal = exact_cross(a->along, b->along);
    Exact determinant = exact_dot(normal, normal);
    // Parallel ones: any s will do that has a t within the edge; ends against edges are seen as vertices
    // against cores.
    Exact s = determinant > 0 ? clamp_unit((ab * bd - bb * ad) / determinant) : 0;
    Exact t = clamp_unit((ab * s + bd) / bb);
    s = clamp_unit((ab * t - ad) / aa);
    ExactVec on_a = exact_add(a->from, exact_scale(a->along, s));
    ExactVec on_b = exact_add(b->from, exact_scale(b->along, t));
    return exact_subtract(on_b, on_a);
}

static Exact core_radius_along(const Core* core, ExactVec axis)
{
    Exact sum = 0;
    for (int i = 0; i < 3; ++i)
    {
        sum += core->half[i] * magnitude(exact_dot(core->axes[i], axis));
    }
    return sum;
}

/// The largest distance of the projections on the fifteen axes that tell boxes apart: over 0 when the cores
/// are, and minus the shortest translation that parts them otherwise.
static Exact widest_axis(const Core* a, const Core* b, ExactVec* direction)
{
    ExactVec offset = exact_subtract(b->center, a->center);
    Exact widest = -1;
    bool any = false;
    for (int i = 0; i < 15; ++i)
    {
        ExactVec axis = i < 3   ? a->axes[i]
                        : i < 6 ? b->axes[i - 3]
                                : exact_cross(a->axes[(i - 6) / 3], b->axes[(i - 6) % 3]);
        Exact squared = exact_dot(axis, axis);
        if (squared < (Exact)1e-40)
        {
            continue;
        }
        axis = exact_scale(axis, 1 / exact_sqrt(squared));
        Exact along = exact_dot(axis, offset);
        Exact apart = magnitude(along) - core_radius_along(a, axis) - core_radius_along(b, axis);
        if (!any || apart > widest)
        {
            widest = apart;
            *direction = along < 0 ? exact_scale(axis, -1) : axis;
            any = true;
        }
    }
    return widest;
}

typedef struct Nearest
{
    ExactVec vector; // from a to b
    Exact squared;
} Nearest;

static void take_nearer(Nearest* nearest, ExactVec vector)
{
    Exact squared = exact_dot(vector, vector);
    if (nearest->squared < 0 || squared < nearest->squared)
    {
        *nearest = (Nearest){ vector, squared };
    }
}

/// Of edges: whether the balls around them are nearer than what has been found, told in double with room for
/// its rounding.
static bool may_be_nearer(const Edge* a, const Edge* b, Exact squared)
{
    double gap = 0.0, reach_a = 0.0, reach_b = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double d = (double)(a->from.x[i] + a->along.x[i] / 2 - b->from.x[i] - b->along.x[i] / 2);
        gap += d * d;
        reach_a += (double)(a->along.x[i] * a->along.x[i]) / 4.0;
        reach_b += (double)(b->along.x[i] * b->along.x[i]) / 4.0;
    }
    double reach = sqrt(reach_a) + sqrt(reach_b) + sqrt((double)squared);
    return sqrt(gap) <= reach * (1.0 + 1e-9);
}

/// The shortest vector from a to b, which are apart: between a vertex and the other core, or between two
/// edges.
static ExactVec between_cores(const Core* a, const Core* b)
{
    ExactVec vertices[MOST_VERTICES];
    Edge edges_a[MOST_EDGES], edges_b[MOST_EDGES];
    Nearest nearest = { .squared = -1 };
    int count = core_vertices(a, vertices);
    for (int i = 0; i < count; ++i)
    {
        take_nearer(&nearest, exact_scale(from_core(b, vertices[i]), -1));
    }
    count = core_vertices(b, vertices);
    for (int i = 0; i < count; ++i)
    {
        take_nearer(&nearest, from_core(a, vertices[i]));
    }
    int count_a = core_edges(a, edges_a), count_b = core_edges(b, edges_b);
    for (int i = 0; i < count_a; ++i)
    {
        for (int k = 0; k < count_b; ++k)
        {
            if (may_be_nearer(&edges_a[i], &edges_b[k], nearest.squared))
            {
                take_nearer(&nearest, between_edges(&edges_a[i], &edges_b[k]));
            }
        }
    }
    return nearest.vector;
}

static Exact gap_of_cores(const Core* a, const Core* b, ExactVec* direction)
{
    Exact gap = widest_axis(a, b, direction);
    if (gap > 0)
    {
        ExactVec shortest = between_cores(a, b);
        gap = exact_length(shortest);
        *direction = unit(shortest, *direction);
    }
    return gap - a->radius - b->radius;
}

// -----------------------------------------------------------------------------------------------------------
// Cylinders, cones and tori: in the half plane of a point, away from the axis (r) and along it (y)
// -----------------------------------------------------------------------------------------------------------

/// From the segment (r0, y0) – (r1, y1).
static Exact from_line(Exact r, Exact y, const Exact ends[4])
{
    Exact dr = ends[2] - ends[0], dy = ends[3] - ends[1];
    Exact squared = dr * dr + dy * dy;
    Exact t = squared > 0 ? clamp_unit(((r - ends[0]) * dr + (y - ends[1]) * dy) / squared) : 0;
    Exact to_r = r - ends[0] - t * dr, to_y = y - ends[1] - t * dy;
    return exact_sqrt(to_r * to_r + to_y * to_y);
}

static Exact trapezium_distance(Exact r, Exact y, Exact bottom, Exact top, Exact half)
{
    const Exact lines[3][4] = { { 0, -half, bottom, -half },
                                { bottom, -half, top, half },
                                { 0, half, top, half } };
    Exact nearest = from_line(r, y, lines[0]);
    nearest = smaller(nearest, from_line(r, y, lines[1]));
    nearest = smaller(nearest, from_line(r, y, lines[2]));
    bool inside = magnitude(y) <= half && (r - bottom) * (2 * half) <= (top - bottom) * (y + half);
    return inside ? -nearest : nearest;
}

static Exact revolved_distance(const ExactShape* shape, Exact r, Exact y)
{
    const float* p = shape->parameters;
    if (shape->kind == ABUT_SHAPE_TORUS)
    {
        Exact from_circle = r - (Exact)p[0];
        return exact_sqrt(from_circle * from_circle + y * y) - (Exact)p[1];
    }
    bool is_cone = shape->kind == ABUT_SHAPE_CONE;
    Exact top = (Exact)(is_cone ? p[1] : p[0]), half = (Exact)(is_cone ? p[2] : p[1]) / 2;
    return trapezium_distance(r, y, (Exact)p[0], top, half);
}

static Exact plane_distance(const ExactShape* shape, const ExactFrame* frame, ExactVec point,
                            ExactVec* normal)
{
    const float* p = shape->parameters;
    ExactVec n = unit(exact_vec((Exact)p[0], (Exact)p[1], (Exact)p[2]), any_direction());
    *normal = exact_frame_rotate(frame, n);
    return exact_dot(*normal, exact_subtract(point, frame->position)) - frame->scale * (Exact)p[3];
}

Exact exact_distance(const ExactShape* shape, const ExactFrame* frame, ExactVec point)
{
    ExactVec direction;
    if (shape->kind == ABUT_SHAPE_PLANE)
    {
        return plane_distance(shape, frame, point, &direction);
    }
    if (is_revolved(shape->kind))
    {
        ExactVec axis = exact_vec(frame->rotation[0][1], frame->rotation[1][1], frame->rotation[2][1]);
        ExactVec d = exact_scale(exact_subtract(point, frame->position), 1 / frame->scale);
        Exact y = exact_dot(d, axis);
        Exact r = exact_length(exact_subtract(d, exact_scale(axis, y)));
        return revolved_distance(shape, r, y) * frame->scale;
    }
    Core core = core_of(shape, frame), other = { .center = point };
    other.axes[0] = exact_vec(1, 0, 0);
    other.axes[1] = exact_vec(0, 1, 0);
    other.axes[2] = exact_vec(0, 0, 1);
    return gap_of_cores(&core, &other, &direction);
}

// -----------------------------------------------------------------------------------------------------------
// Pairs
// -----------------------------------------------------------------------------------------------------------

/// How far a cylinder, cone or torus reaches from its position along `direction`.
static Exact revolved_reach(const ExactShape* shape, const ExactFrame* frame, ExactVec direction)
{
    const float* p = shape->parameters;
    ExactVec axis = exact_vec(frame->rotation[0][1], frame->rotation[1][1], frame->rotation[2][1]);
    Exact along = exact_dot(axis, direction);
    Exact across = exact_length(exact_cross(axis, direction));
    Exact reach;
    if (shape->kind == ABUT_SHAPE_TORUS)
    {
        reach = across * (Exact)p[0] + (Exact)p[1];
    }
    else if (shape->kind == ABUT_SHAPE_CYLINDER)
    {
        reach = across * (Exact)p[0] + magnitude(along) * (Exact)p[1] / 2;
    }
    else
    {
        reach = larger(across * (Exact)p[0] - along * (Exact)p[2] / 2,
                       across * (Exact)p[1] + along * (Exact)p[2] / 2);
    }
    return reach * frame->scale;
}

/// `a` is the plane.
static Exact gap_to_plane(const ExactShape* a, const ExactFrame* frame_a, const ExactShape* b,
                          const ExactFrame* frame_b, ExactVec* normal)
{
    Exact middle = plane_distance(a, frame_a, frame_b->position, normal);
    if (is_revolved(b->kind))
    {
        return middle - revolved_reach(b, frame_b, exact_scale(*normal, -1));
    }
    Core core = core_of(b, frame_b);
    return middle - core_radius_along(&core, *normal) - core.radius;
}

/// The direction from a cylinder, cone or torus to a point, by differences: good enough to move along.
static ExactVec revolved_gradient(const ExactShape* shape, const ExactFrame* frame, ExactVec point)
{
    Exact step = (Exact)(exact_shape_size(shape) * 1e-12) * frame->scale;
    ExactVec out;
    for (int axis = 0; axis < 3; ++axis)
    {
        ExactVec low = point, high = point;
        low.x[axis] -= step;
        high.x[axis] += step;
        out.x[axis] = exact_distance(shape, frame, high) - exact_distance(shape, frame, low);
    }
    return unit(out, any_direction());
}

Exact exact_gap(const ExactShape* a, const ExactFrame* frame_a, const ExactShape* b,
                const ExactFrame* frame_b, ExactVec* direction)
{
    ExactVec found = any_direction();
    Exact gap;
    if (b->kind == ABUT_SHAPE_PLANE || (is_revolved(b->kind) && a->kind != ABUT_SHAPE_PLANE))
    {
        gap = exact_gap(b, frame_b, a, frame_a, &found);
        found = exact_scale(found, -1);
    }
    else if (a->kind == ABUT_SHAPE_PLANE)
    {
        gap = gap_to_plane(a, frame_a, b, frame_b, &found);
    }
    else if (is_revolved(a->kind))
    {
        gap = exact_distance(a, frame_a, frame_b->position) - frame_b->scale * (Exact)b->parameters[0];
        if (direction != NULL)
        {
            found = revolved_gradient(a, frame_a, frame_b->position);
        }
    }
    else
    {
        Core core_a = core_of(a, frame_a), core_b = core_of(b, frame_b);
        gap = gap_of_cores(&core_a, &core_b, &found);
    }
    if (direction != NULL)
    {
        *direction = found;
    }
    return gap;
}
