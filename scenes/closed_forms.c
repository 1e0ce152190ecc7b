#include "scenes/closed_forms.h"

#include <stddef.h>

static const double TAU = 6.283185307179586;

static double clamp_unit(double t)
{
    return t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
}

double scene_box_distance(Double3 half, Double3 p)
{
    Double3 q = double3(fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z);
    Double3 out = double3(fmax(q.x, 0.0), fmax(q.y, 0.0), fmax(q.z, 0.0));
    return double3_length(out) + fmin(fmax(q.x, fmax(q.y, q.z)), 0.0);
}

double scene_segment_segment_distance(Double3 p0, Double3 p1, Double3 q0, Double3 q1)
{
    Double3 u = double3_sub(p1, p0), v = double3_sub(q1, q0), w = double3_sub(p0, q0);
    double a = double3_dot(u, u), b = double3_dot(u, v), c = double3_dot(v, v);
    double d = double3_dot(u, w), e = double3_dot(v, w), determinant = a * c - b * b;
    double best = INFINITY;
    // The lines' nearest points when both are on the segments; else an end of one and the point nearest to it
    // on the other.
    if (determinant > 1e-14 * a * c)
    {
        double s = (b * e - c * d) / determinant, t = (a * e - b * d) / determinant;
        if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0)
        {
            Double3 apart = double3_add(w, double3_sub(double3_scale(u, s), double3_scale(v, t)));
            best = double3_length(apart);
        }
    }
    for (int end = 0; end < 2; ++end)
    {
        Double3 p = end == 0 ? p0 : p1, q = end == 0 ? q0 : q1;
        double t = c > 0.0 ? clamp_unit(double3_dot(v, double3_sub(p, q0)) / c) : 0.0;
        double s = a > 0.0 ? clamp_unit(double3_dot(u, double3_sub(q, p0)) / a) : 0.0;
        best = fmin(best, double3_length(double3_sub(p, double3_add(q0, double3_scale(v, t)))));
        best = fmin(best, double3_length(double3_sub(q, double3_add(p0, double3_scale(u, s)))));
    }
    return best;
}

// -----------------------------------------------------------------------------------------------------------
// Boxes
// -----------------------------------------------------------------------------------------------------------

/// Corner `i` of a box: bit k of i says on which side of axis k.
static Double3 corner(Double3 half, int i)
{
    return double3((i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                   (i & 4) != 0 ? half.z : -half.z);
}

/// How far two boxes are apart as seen along a direction of any length; −∞ for a direction that is none.
static double gap_along(Double3 half_a, Double3 half_b, const SceneRigid* b, Double3 direction)
{
    double length = double3_length(direction);
    if (length < 1e-9)
    {
        return -INFINITY;
    }
    Double3 n = double3_scale(direction, 1.0 / length);
    double projection_a = fabs(n.x) * half_a.x + fabs(n.y) * half_a.y + fabs(n.z) * half_a.z;
    double projection_b = fabs(double3_dot(n, b->axes[0])) * half_b.x +
                          fabs(double3_dot(n, b->axes[1])) * half_b.y +
                          fabs(double3_dot(n, b->axes[2])) * half_b.z;
    return fabs(double3_dot(n, b->origin)) - projection_a - projection_b;
}

/// The largest gap along the fifteen directions that can part two boxes: positive when they are apart, else
/// how far they overlap.
static double largest_gap_along(Double3 half_a, Double3 half_b, const SceneRigid* b)
{
    const Double3 axes[3] = { double3(1.0, 0.0, 0.0), double3(0.0, 1.0, 0.0), double3(0.0, 0.0, 1.0) };
    double best = -INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        best = fmax(best, gap_along(half_a, half_b, b, axes[i]));
        best = fmax(best, gap_along(half_a, half_b, b, b->axes[i]));
        for (int k = 0; k < 3; ++k)
        {
            best = fmax(best, gap_along(half_a, half_b, b, double3_cross(axes[i], b->axes[k])));
        }
    }
    return best;
}

/// Edge `i` of twelve: along axis i / 4 from a corner on its low side.
static void edge(Double3 half, int i, Double3 ends[2])
{
    int axis = i / 4, other = i % 4;
    int bits = axis == 0 ? other << 1 : (axis == 1 ? (other & 1) | (other & 2) << 1 : other);
    ends[0] = corner(half, bits);
    ends[1] = corner(half, bits | 1 << axis);
}

/// Of boxes that are apart: the nearest points are a corner and a face, or two edges.
static double distance_apart(Double3 half_a, Double3 half_b, const SceneRigid* b)
{
    double best = INFINITY;
    for (int i = 0; i < 8; ++i)
    {
        best = fmin(best, scene_box_distance(half_a, scene_rigid_point(b, corner(half_b, i))));
        best = fmin(best, scene_box_distance(half_b, scene_rigid_inverse_point(b, corner(half_a, i))));
    }
    for (int i = 0; i < 144; ++i)
    {
        Double3 p[2], q[2];
        edge(half_a, i / 12, p);
        edge(half_b, i % 12, q);
        best = fmin(best, scene_segment_segment_distance(p[0], p[1], scene_rigid_point(b, q[0]),
                                                         scene_rigid_point(b, q[1])));
    }
    return best;
}

double scene_box_box_gap(Double3 half_a, Double3 half_b, const SceneRigid* b)
{
    double along = largest_gap_along(half_a, half_b, b);
    return along > 0.0 ? distance_apart(half_a, half_b, b) : along;
}

// -----------------------------------------------------------------------------------------------------------
// One parameter
// -----------------------------------------------------------------------------------------------------------

/// Smallest value of `f` on [low, high], where it has one minimum.
static double minimum_between(double (*f)(const void* context, double t), const void* context, double low,
                              double high)
{
    const double golden = 0.6180339887498949;
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = f(context, a), at_b = f(context, b);
    for (int i = 0; i < 80; ++i)
    {
        if (at_a < at_b)
        {
            high = b;
            b = a;
            at_b = at_a;
            a = high - golden * (high - low);
            at_a = f(context, a);
        }
        else
        {
            low = a;
            a = b;
            at_a = at_b;
            b = low + golden * (high - low);
            at_b = f(context, b);
        }
    }
    return fmin(at_a, at_b);
}

typedef struct Line
{
    Double3 half;
    double length;
    const SceneRigid* b;
} Line;

static double box_distance_along(const void* context, double t)
{
    const Line* line = context;
    return scene_box_distance(line->half, scene_rigid_point(line->b, double3(0.0, t * line->length, 0.0)));
}

double scene_box_capsule_gap(Double3 half, double radius, double length, const SceneRigid* b)
{
    // The distance to a convex solid, negative inside, is convex along a line.
    Line line = { half, length, b };
    double ends = fmin(box_distance_along(&line, -0.5), box_distance_along(&line, 0.5));
    return fmin(ends, minimum_between(box_distance_along, &line, -0.5, 0.5)) - radius;
}

typedef struct Circles
{
    double radius;
    const SceneRigid* b;
} Circles;

static double circle_distance_at(const void* context, double angle)
{
    const Circles* circles = context;
    Double3 own = double3(circles->radius * cos(angle), 0.0, circles->radius * sin(angle));
    Double3 p = scene_rigid_point(circles->b, own);
    double across = sqrt(p.x * p.x + p.z * p.z) - circles->radius;
    return sqrt(across * across + p.y * p.y);
}

double scene_circle_circle_distance(double radius, const SceneRigid* b)
{
    enum
    {
        STEPS = 720
    };
    // Every local minimum of a dense row of samples is refined: two of the true ones between three samples
    // differ by less than the square of their step.
    Circles circles = { radius, b };
    double values[STEPS], best = INFINITY, step = TAU / STEPS;
    for (int i = 0; i < STEPS; ++i)
    {
        values[i] = circle_distance_at(&circles, step * i);
    }
    for (int i = 0; i < STEPS; ++i)
    {
        double before = values[(i + STEPS - 1) % STEPS], after = values[(i + 1) % STEPS];
        if (values[i] <= before && values[i] <= after)
        {
            best = fmin(best, minimum_between(circle_distance_at, &circles, step * (i - 1), step * (i + 1)));
        }
    }
    return best;
}
