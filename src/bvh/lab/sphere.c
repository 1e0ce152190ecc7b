// Smallest enclosing spheres: Welzl's algorithm in the form of Gärtner ("Fast and Robust Smallest Enclosing
// Balls", 1999). The point furthest outside joins the at most four points on the sphere, and the smallest
// sphere of these five takes over; its radius grows each time.
#include "bvh/lab/volume.h"

#include "base/assert.h"
#include "mesh/triangle/closest_point.h"

#include <float.h>
#include <math.h>

enum
{
    MOST_SUPPORT = 4,
    MOST_PIVOTS = 100, // seldom over 12; the radius is that of the furthest point whatever the centre
};

/// Of squared distances.
static const double TOLERANCE = 1e-12;

typedef struct Sphere
{
    AbutDVec3 center;
    double radius;
} Sphere;

_Static_assert(sizeof(Sphere) == 4 * sizeof(double), "a sphere is 4 doubles");

typedef struct Support
{
    AbutDVec3 points[MOST_SUPPORT + 1];
    int count;
} Support;

typedef struct Ball
{
    AbutDVec3 center;
    double squared;
} Ball;

// -----------------------------------------------------------------------------------------------------------
// The sphere of up to five points
// -----------------------------------------------------------------------------------------------------------

/// c with e[i] · c = |e[i]|²/2 in the span of one, two or three vectors, by Cramer's rule. False where they
/// are dependent.
static bool solve_center(const AbutDVec3* e, int count, AbutDVec3* out)
{
    if (count == 1)
    {
        *out = abut_dvec3_scale(e[0], 0.5);
        return true;
    }
    AbutDVec3 third = count == 3 ? e[2] : abut_dvec3_cross(e[0], e[1]);
    double last = count == 3 ? 0.5 * abut_dvec3_squared_length(e[2]) : 0.0;
    AbutDVec3 xy = abut_dvec3_cross(e[0], e[1]), yz = abut_dvec3_cross(e[1], third),
              zx = abut_dvec3_cross(third, e[0]);
    double determinant = abut_dvec3_dot(xy, third);
    double lengths =
        abut_dvec3_squared_length(e[0]) * abut_dvec3_squared_length(e[1]) * abut_dvec3_squared_length(third);
    if (!(determinant * determinant > 1e-24 * lengths))
    {
        return false;
    }
    AbutDVec3 sum = abut_dvec3_scale(yz, 0.5 * abut_dvec3_squared_length(e[0]));
    sum = abut_dvec3_mul_add(sum, 0.5 * abut_dvec3_squared_length(e[1]), zx);
    sum = abut_dvec3_mul_add(sum, last, xy);
    *out = abut_dvec3_div(sum, determinant);
    return true;
}

/// The sphere through the last point and those of `subset`, bits of the others.
static bool ball_through(const Support* support, unsigned subset, Ball* out)
{
    AbutDVec3 origin = support->points[support->count - 1], edges[MOST_SUPPORT], center = abut_dvec3_zero();
    int count = 0;
    for (int i = 0; i < support->count - 1; ++i)
    {
        if ((subset >> i & 1u) != 0)
        {
            edges[count++] = abut_dvec3_sub(support->points[i], origin);
        }
    }
    if (count == 0 || count > 3 || !solve_center(edges, count, &center))
    {
        return false;
    }
    *out = (Ball){ abut_dvec3_add(origin, center), abut_dvec3_squared_length(center) };
    return true;
}

static bool contains_all(const Ball* ball, const Support* support)
{
    for (int i = 0; i < support->count; ++i)
    {
        double squared = abut_dvec3_squared_length(abut_dvec3_sub(support->points[i], ball->center));
        if (squared > ball->squared * (1.0 + TOLERANCE))
        {
            return false;
        }
    }
    return true;
}

static void keep_subset(Support* support, unsigned subset)
{
    int count = 0;
    for (int i = 0; i < support->count; ++i)
    {
        if (i == support->count - 1 || (subset >> i & 1u) != 0)
        {
            support->points[count++] = support->points[i];
        }
    }
    support->count = count;
}

/// The smallest sphere of the support, whose last point is outside of the sphere of the others and so on the
/// new one. False where rounding leaves none.
static bool update_ball(Support* support, Ball* ball)
{
    Ball best = { abut_dvec3_zero(), DBL_MAX };
    unsigned best_subset = 0;
    for (unsigned subset = 1; subset < 1u << (support->count - 1); ++subset)
    {
        Ball candidate;
        if (ball_through(support, subset, &candidate) && candidate.squared < best.squared &&
            contains_all(&candidate, support))
        {
            best = candidate;
            best_subset = subset;
        }
    }
    if (best_subset == 0)
    {
        return false;
    }
    keep_subset(support, best_subset);
    *ball = best;
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Volumes
// -----------------------------------------------------------------------------------------------------------

static AbutDVec3 corner_of(const AbutBvhItem* items, uint32_t i)
{
    return abut_dvec3_from_vec3(items[i / 3].corners[i % 3]);
}

static AbutDVec3 furthest_from(const AbutBvhItem* items, uint32_t count, AbutDVec3 center, double* squared)
{
    AbutDVec3 furthest = corner_of(items, 0);
    *squared = -1.0;
    for (uint32_t i = 0; i < 3 * count; ++i)
    {
        AbutDVec3 p = corner_of(items, i);
        double s = abut_dvec3_squared_length(abut_dvec3_sub(p, center));
        furthest = s > *squared ? p : furthest;
        *squared = abut_larger(s, *squared);
    }
    return furthest;
}

static void fit(uint32_t half, const AbutBvhItem* items, uint32_t count, double* out)
{
    (void)half;
    Ball ball = { corner_of(items, 0), 0.0 };
    Support support = { .points = { ball.center }, .count = 1 };
    double squared = 0.0;
    AbutDVec3 furthest = furthest_from(items, count, ball.center, &squared);
    for (int pivot = 0; pivot < MOST_PIVOTS && squared > ball.squared * (1.0 + TOLERANCE); ++pivot)
    {
        ABUT_ASSERT(support.count <= MOST_SUPPORT);
        support.points[support.count++] = furthest;
        if (!update_ball(&support, &ball))
        {
            break;
        }
        furthest = furthest_from(items, count, ball.center, &squared);
    }
    furthest_from(items, count, ball.center, &squared);
    *(Sphere*)out = (Sphere){ ball.center, sqrt(squared) * (1.0 + 0x1p-50) };
}

/// Of two spheres: the larger where it contains the other, else between their far ends.
static Sphere join(const Sphere* a, const Sphere* b)
{
    double distance = abut_dvec3_distance(a->center, b->center);
    if (distance + b->radius <= a->radius)
    {
        return *a;
    }
    if (distance + a->radius <= b->radius)
    {
        return *b;
    }
    double radius = 0.5 * (distance + a->radius + b->radius);
    AbutDVec3 center = abut_dvec3_lerp(a->center, b->center, (radius - a->radius) / distance);
    // The far ends as they are with the rounded centre.
    radius = abut_larger(abut_dvec3_distance(center, a->center) + a->radius,
                         abut_dvec3_distance(center, b->center) + b->radius);
    return (Sphere){ center, radius * (1.0 + 0x1p-50) };
}

static void merge(uint32_t half, const double* children, uint32_t count, double* out)
{
    (void)half;
    const Sphere* child = (const Sphere*)children;
    Sphere sum = child[0];
    for (uint32_t i = 1; i < count; ++i)
    {
        sum = join(&sum, &child[i]);
    }
    *(Sphere*)out = sum;
}

static double overlap(uint32_t half, const AbutBvhFrame* frame, const double* a, const double* b)
{
    (void)half;
    const Sphere *first = (const Sphere*)a, *second = (const Sphere*)b;
    AbutDVec3 center = abut_transform_point(&frame->transform, second->center);
    return first->radius + frame->transform.scale * second->radius -
           abut_dvec3_distance(first->center, center);
}

static bool is_apart(uint32_t half, const double* volume, const AbutDTriangle* triangle, double slack)
{
    (void)half;
    const Sphere* sphere = (const Sphere*)volume;
    AbutDVec3 closest = abut_triangle_closest_feature(triangle->corners, sphere->center).at;
    AbutDVec3 direction = abut_dvec3_sub(closest, sphere->center);
    double limit = (sphere->radius + slack) * abut_dvec3_length(direction) * (1.0 + 0x1p-40);
    for (int i = 0; i < 3; ++i)
    {
        // All corners beyond the plane there: right for slivers, too, whatever their closest point.
        AbutDVec3 corner = abut_dvec3_sub(triangle->corners[i], sphere->center);
        if (!(abut_dvec3_dot(direction, corner) > limit))
        {
            return false;
        }
    }
    return true;
}

static double area(uint32_t half, const double* volume)
{
    (void)half;
    double radius = ((const Sphere*)volume)->radius;
    return 2.0 * 3.14159265358979 * radius * radius;
}

const AbutVolumeTable abut_bvh_sphere = { .name = "sphere",
                                          .size = 4,
                                          .fit = fit,
                                          .merge = merge,
                                          .overlap = overlap,
                                          .is_apart = is_apart,
                                          .area = area };
