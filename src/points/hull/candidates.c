// Candidates start at the surface point nearest to a cell and go inwards along the normal. Where the solid is
// thick the ball through the surface point stays inside; where it is thin or has an edge, the depth of the
// center grows slower than the way to it, and the ball ends before the cell: a smaller one is tried.
#include "points/hull/candidates.h"

#include "math/dvec3.h"
#include "shape/shape.h"

#include <math.h>

enum
{
    NEWTON_STEPS = 2,
    CENTERING_STEPS = 4, // of a ball of given radius away from the surfaces that are too near
    MAX_RADII = 64
};

/// Ratio of one radius that is tried to the next.
static const double RADIUS_RATIO = 0.75;

/// Points on the surface with outward normals, one per cell, and scratch.
typedef struct SurfacePoints
{
    uint32_t count;
    uint32_t* cells; // of the points that are still without a ball
    AbutDVec3 *at, *normal;
    float *x, *y, *z;
    AbutSamples samples;
} SurfacePoints;

static bool allocate(SurfacePoints* points, uint32_t count, AbutArena* arena)
{
    float** columns[7] = { &points->x,
                           &points->y,
                           &points->z,
                           &points->samples.distance,
                           &points->samples.gradient_x,
                           &points->samples.gradient_y,
                           &points->samples.gradient_z };
    points->count = count;
    points->cells = abut_arena_allocate(arena, count, sizeof(uint32_t));
    points->at = abut_arena_allocate(arena, count, sizeof(AbutDVec3));
    points->normal = abut_arena_allocate(arena, count, sizeof(AbutDVec3));
    bool good = points->cells != NULL && points->at != NULL && points->normal != NULL;
    for (int i = 0; i < 7 && good; ++i)
    {
        *columns[i] = abut_arena_allocate(arena, count, sizeof(float));
        good = *columns[i] != NULL;
    }
    return good;
}

static AbutDVec3 middle_of(const AbutHullCells* cells, uint32_t i)
{
    return abut_dvec3((double)cells->x[i], (double)cells->y[i], (double)cells->z[i]);
}

static AbutDVec3 gradient_of(const AbutSamples* samples, uint32_t i)
{
    return abut_dvec3((double)samples->gradient_x[i], (double)samples->gradient_y[i],
                      (double)samples->gradient_z[i]);
}

/// One step of Newton's method to the surface; the normal is that of the last gradient that is not zero.
static void step_to_surface(SurfacePoints* points, uint32_t i, AbutDVec3 from, double f, AbutDVec3 gradient)
{
    double square = abut_dvec3_dot(gradient, gradient);
    bool usable = square > 0.0 && isfinite(square) && isfinite(f);
    points->at[i] = usable ? abut_dvec3_sub(from, abut_dvec3_scale(gradient, f / square)) : from;
    points->normal[i] = usable ? abut_dvec3_scale(gradient, 1.0 / sqrt(square)) : points->normal[i];
}

static void sample_at(SurfacePoints* points, uint32_t i, AbutDVec3 at)
{
    points->x[i] = (float)at.x;
    points->y[i] = (float)at.y;
    points->z[i] = (float)at.z;
}

static void sample(const AbutHullCells* cells, SurfacePoints* points, uint32_t count)
{
    AbutPoints at = { points->x, points->y, points->z };
    abut_shape_sample_parallel(cells->shape, NULL, at, count, points->samples, cells->host);
}

static void find_surface(const AbutHullCells* cells, SurfacePoints* points)
{
    for (uint32_t i = 0; i < cells->count; ++i)
    {
        points->cells[i] = i;
        points->normal[i] = abut_dvec3(1.0, 0.0, 0.0);
        step_to_surface(points, i, middle_of(cells, i), (double)cells->samples.distance[i],
                        gradient_of(&cells->samples, i));
    }
    for (int step = 0; step < NEWTON_STEPS; ++step)
    {
        for (uint32_t i = 0; i < cells->count; ++i)
        {
            sample_at(points, i, points->at[i]);
        }
        sample(cells, points, cells->count);
        for (uint32_t i = 0; i < cells->count; ++i)
        {
            AbutDVec3 last = points->at[i], normal = points->normal[i];
            step_to_surface(points, i, last, (double)points->samples.distance[i],
                            gradient_of(&points->samples, i));
            points->normal[i] = normal; // that of the middle: on an edge it is between those of the faces
        }
    }
}

/// Proved depth of a center: the radius of a ball around it that is in the solid; under 0 for one that may be
/// outside, by as much.
static double depth_of(const AbutHullPromise* promise, double f)
{
    double depth = -f - promise->error;
    if (depth >= 0.0)
    {
        return depth / promise->slope;
    }
    return promise->exact_outside ? depth : -INFINITY;
}

static bool covers(const AbutHullCells* cells, uint32_t cell, AbutDVec3 center, double radius, double error)
{
    double distance = abut_dvec3_length(abut_dvec3_sub(middle_of(cells, cell), center));
    return distance * (1.0 + 0x1p-40) + cells->radius <= radius + error;
}

/// A ball at the sampled center of point `i`, in floats that are inside of all bounds.
static AbutHullBall make_ball(const SurfacePoints* points, uint32_t i, double radius)
{
    AbutHullBall ball = { abut_vec3(points->x[i], points->y[i], points->z[i]), (float)radius };
    while ((double)ball.radius > radius)
    {
        ball.radius = nextafterf(ball.radius, 0.0f);
    }
    return ball;
}

/// Samples `inset` under the surface.
static void sample_inset(const AbutHullCells* cells, double inset, SurfacePoints* points, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        sample_at(points, i, abut_dvec3_sub(points->at[i], abut_dvec3_scale(points->normal[i], inset)));
    }
    sample(cells, points, count);
}

/// Balls at the sampled centers that cover their cells. Returns the count of points that stay without; they
/// move to the front.
static uint32_t take_sampled(const AbutHullCells* cells, double error, SurfacePoints* points, uint32_t count,
                             AbutHullBall* balls)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        double radius = depth_of(&cells->promise, (double)points->samples.distance[i]) + error;
        AbutDVec3 center = abut_dvec3((double)points->x[i], (double)points->y[i], (double)points->z[i]);
        AbutHullBall ball = radius > 0.0 ? make_ball(points, i, radius) : (AbutHullBall){ .radius = -1.0f };
        if (radius > 0.0 && covers(cells, points->cells[i], center, (double)ball.radius, error))
        {
            balls[points->cells[i]] = ball;
            continue;
        }
        points->cells[left] = points->cells[i];
        points->at[left] = points->at[i];
        points->normal[left] = points->normal[i];
        ++left;
    }
    return left;
}

static uint32_t try_inset(const AbutHullCells* cells, double error, double inset, SurfacePoints* points,
                          uint32_t count, AbutHullBall* balls)
{
    sample_inset(cells, inset, points, count);
    return take_sampled(cells, error, points, count, balls);
}

/// Depth of centers of the smallest balls, proved to be in the solid.
static double shallow_depth(const AbutHullPromise* promise, double error)
{
    return 0.05 * error + 2.0 * promise->error;
}

/// Moves sampled centers that are not deep enough away from the surface nearest to them.
static void center_once(const AbutHullCells* cells, double depth, SurfacePoints* points, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        double missing = depth + (double)points->samples.distance[i] + cells->promise.error;
        AbutDVec3 gradient = gradient_of(&points->samples, i);
        double square = abut_dvec3_dot(gradient, gradient);
        AbutDVec3 at = abut_dvec3((double)points->x[i], (double)points->y[i], (double)points->z[i]);
        if (missing > 0.0 && isfinite(missing) && square > 0.0 && isfinite(square))
        {
            at = abut_dvec3_sub(at, abut_dvec3_scale(gradient, missing / sqrt(square)));
        }
        sample_at(points, i, at);
    }
    sample(cells, points, count);
}

static void center_points(const AbutHullCells* cells, double depth, SurfacePoints* points, uint32_t count)
{
    for (int step = 0; step < CENTERING_STEPS; ++step)
    {
        center_once(cells, depth, points, count);
    }
}

AbutResult abut_hull_candidates(const AbutHullCells* cells, double error, AbutArena* arena,
                                AbutHullBall* balls)
{
    SurfacePoints points;
    if (!allocate(&points, cells->count, arena))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    find_surface(cells, &points);
    for (uint32_t i = 0; i < cells->count; ++i)
    {
        balls[i].radius = -1.0f;
    }
    AbutVec3 extents = abut_box_extents(cells->shape->info.bounds);
    double inset = 0.5 * (double)fminf(extents.x, fminf(extents.y, extents.z));
    uint32_t left = cells->count;
    for (int i = 0; i < MAX_RADII && left > 0 && inset > 0.25 * error; ++i, inset *= RADIUS_RATIO)
    {
        left = try_inset(cells, error, inset, &points, left, balls);
    }
    left = left > 0 ? try_inset(cells, error, 0.0, &points, left, balls) : 0;
    if (left > 0) // distances are bounds, and the surface is further away than they say
    {
        sample_inset(cells, shallow_depth(&cells->promise, error), &points, left);
        center_points(cells, shallow_depth(&cells->promise, error), &points, left);
        (void)take_sampled(cells, error, &points, left, balls);
    }
    return ABUT_OK;
}

AbutResult abut_hull_candidates_of_radius(const AbutHullCells* cells, double error, double radius,
                                          AbutArena* arena, AbutHullBall* balls, uint32_t* missing)
{
    SurfacePoints points;
    if (!allocate(&points, cells->count, arena))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    find_surface(cells, &points);
    double depth = abut_larger(radius - error, shallow_depth(&cells->promise, error));
    sample_inset(cells, depth, &points, cells->count);
    center_points(cells, depth, &points, cells->count);
    *missing = 0;
    for (uint32_t i = 0; i < cells->count; ++i)
    {
        AbutDVec3 center = abut_dvec3((double)points.x[i], (double)points.y[i], (double)points.z[i]);
        double limit = depth_of(&cells->promise, (double)points.samples.distance[i]) + error;
        balls[i] = make_ball(&points, i, radius);
        bool good =
            (double)balls[i].radius <= limit && covers(cells, i, center, (double)balls[i].radius, error);
        balls[i].radius = good ? balls[i].radius : -1.0f;
        *missing += good ? 0u : 1u;
    }
    return ABUT_OK;
}
