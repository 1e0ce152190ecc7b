/// @file simplex.h
/// The point of a simplex of one to four points that is closest to the origin, with its weights.
///
/// The regions follow C. Ericson, "Real-Time Collision Detection" (2005), 5.1. Rounding may choose a region
/// next to the right one; the weights are never negative and sum to 1, so that the point is always one of
/// the simplex, and callers compare lengths to see progress.
#ifndef ABUT_HULL_SIMPLEX_H
#define ABUT_HULL_SIMPLEX_H

#include "math/dvec3.h"

/// The chosen points and their weights: indices into the simplex, in increasing order.
typedef struct AbutSimplexChoice
{
    uint32_t count;
    uint32_t indices[4];
    double weights[4];
    AbutDVec3 point;
} AbutSimplexChoice;

static inline AbutSimplexChoice abut_simplex_vertex(const AbutDVec3* p, uint32_t i)
{
    return (AbutSimplexChoice){ 1, { i }, { 1.0 }, p[i] };
}

/// At the fraction `along` / `length` from point i to j.
static inline AbutSimplexChoice abut_simplex_on_edge(const AbutDVec3* p, uint32_t i, uint32_t j, double along,
                                                     double length)
{
    double t = along / length;
    return (AbutSimplexChoice){ 2, { i, j }, { 1.0 - t, t }, abut_dvec3_lerp(p[i], p[j], t) };
}

static inline AbutSimplexChoice abut_simplex_segment(const AbutDVec3* p, uint32_t i, uint32_t j)
{
    AbutDVec3 ab = abut_dvec3_sub(p[j], p[i]);
    double along = -abut_dvec3_dot(p[i], ab), length = abut_dvec3_squared_length(ab);
    if (!(along > 0.0))
    {
        return abut_simplex_vertex(p, i);
    }
    return along < length ? abut_simplex_on_edge(p, i, j, along, length) : abut_simplex_vertex(p, j);
}

static inline AbutSimplexChoice abut_simplex_triangle(const AbutDVec3* p, uint32_t i, uint32_t j, uint32_t k)
{
    AbutDVec3 a = p[i], b = p[j], c = p[k];
    AbutDVec3 ab = abut_dvec3_sub(b, a), ac = abut_dvec3_sub(c, a);
    double d1 = -abut_dvec3_dot(ab, a), d2 = -abut_dvec3_dot(ac, a);
    double d3 = -abut_dvec3_dot(ab, b), d4 = -abut_dvec3_dot(ac, b);
    double d5 = -abut_dvec3_dot(ab, c), d6 = -abut_dvec3_dot(ac, c);
    if (d1 <= 0.0 && d2 <= 0.0)
    {
        return abut_simplex_vertex(p, i);
    }
    if (d3 >= 0.0 && d4 <= d3)
    {
        return abut_simplex_vertex(p, j);
    }
    if (d6 >= 0.0 && d5 <= d6)
    {
        return abut_simplex_vertex(p, k);
    }
    double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3)
    {
        return abut_simplex_on_edge(p, i, j, d1, d1 - d3);
    }
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6)
    {
        return abut_simplex_on_edge(p, i, k, d2, d2 - d6);
    }
    if (va <= 0.0 && d4 >= d3 && d5 >= d6 && (d4 - d3) + (d5 - d6) > 0.0)
    {
        return abut_simplex_on_edge(p, j, k, d4 - d3, (d4 - d3) + (d5 - d6));
    }
    double sum = va + vb + vc;
    if (!(sum > 0.0) || va < 0.0 || vb < 0.0 || vc < 0.0)
    {
        return abut_simplex_vertex(p, i); // collinear points: callers see no progress
    }
    double v = vb / sum, w = vc / sum;
    AbutDVec3 point = abut_dvec3_mul_add(abut_dvec3_mul_add(a, v, ab), w, ac);
    return (AbutSimplexChoice){ 3, { i, j, k }, { abut_larger(0.0, 1.0 - v - w), v, w }, point };
}

/// The triangle of a face with its plane through the origin's side; `apex` is the fourth point. True when the
/// origin is on the other side than the apex, or the four points are in one plane.
static inline bool abut_simplex_is_beyond(AbutDVec3 a, AbutDVec3 b, AbutDVec3 c, AbutDVec3 apex)
{
    AbutDVec3 n = abut_dvec3_cross(abut_dvec3_sub(b, a), abut_dvec3_sub(c, a));
    double origin = -abut_dvec3_dot(n, a), interior = abut_dvec3_dot(n, abut_dvec3_sub(apex, a));
    return !(origin * interior > 0.0);
}

/// Of four points, the last of which is new: the closest point of the others is inside of their triangle, and
/// the new one is on the side of the origin, so that the triangle is not beyond. A count of 4 says that the
/// origin is inside, and has no weights.
static inline AbutSimplexChoice abut_simplex_tetrahedron(const AbutDVec3* p)
{
    static const uint8_t faces[3][4] = { { 0, 1, 3, 2 }, { 0, 2, 3, 1 }, { 1, 2, 3, 0 } };
    AbutSimplexChoice best = { 4, { 0, 1, 2, 3 }, { 0.0 }, abut_dvec3_zero() };
    double best_squared = INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        const uint8_t* f = faces[i];
        if (abut_simplex_is_beyond(p[f[0]], p[f[1]], p[f[2]], p[f[3]]))
        {
            AbutSimplexChoice choice = abut_simplex_triangle(p, f[0], f[1], f[2]);
            double squared = abut_dvec3_squared_length(choice.point);
            if (squared < best_squared)
            {
                best = choice;
                best_squared = squared;
            }
        }
    }
    return best;
}

static inline AbutSimplexChoice abut_simplex_closest(const AbutDVec3* p, uint32_t count)
{
    switch (count)
    {
    case 1:
        return abut_simplex_vertex(p, 0);
    case 2:
        return abut_simplex_segment(p, 0, 1);
    case 3:
        return abut_simplex_triangle(p, 0, 1, 2);
    default:
        return abut_simplex_tetrahedron(p);
    }
}

/// The best of all vertices, edges and triangles: slower, for simplices whose regions rounding has confused.
AbutSimplexChoice abut_simplex_closest_of_all(const AbutDVec3* p, uint32_t count);

#endif
