// Closest points of two finite cores by the algorithm of Gilbert, Johnson and Keerthi. The pairs of kinds
// prove what they take from here: two points bound the distance from above, their direction from below.
#include "narrow/primitive/manifold.h"

#include <math.h>

enum
{
    STEPS = 48,
    MOST = 4
};

/// Relative progress under which the search ends.
static const double PROGRESS = 1e-14;

typedef struct Vertex
{
    AbutDVec3 on_a, on_b, at; // at: the difference of both
} Vertex;

typedef struct Simplex
{
    int count;
    Vertex vertices[MOST];
    double weights[MOST];
} Simplex;

static Vertex support(const AbutCorePair* pair, AbutDVec3 direction)
{
    Vertex vertex = { .on_a = abut_core_support(&pair->a, abut_dvec3_neg(direction)),
                      .on_b = abut_core_support(&pair->b, direction) };
    vertex.at = abut_dvec3_sub(vertex.on_a, vertex.on_b);
    return vertex;
}

static AbutDVec3 point_of(const Simplex* simplex)
{
    AbutDVec3 at = abut_dvec3_zero();
    for (int i = 0; i < simplex->count; ++i)
    {
        at = abut_dvec3_mul_add(at, simplex->weights[i], simplex->vertices[i].at);
    }
    return at;
}

/// Weights of the point of the affine hull that is closest to the origin, by the normal equations of its
/// edges. False for vertices in a smaller hull, or a point outside of the simplex.
static bool solve_weights(Simplex* simplex)
{
    int n = simplex->count - 1;
    double g[3][4] = { { 0.0 } };
    AbutDVec3 first = simplex->vertices[0].at, edges[3];
    for (int i = 0; i < n; ++i)
    {
        edges[i] = abut_dvec3_sub(simplex->vertices[i + 1].at, first);
    }
    for (int i = 0; i < n; ++i)
    {
        for (int j = 0; j < n; ++j)
        {
            g[i][j] = abut_dvec3_dot(edges[i], edges[j]);
        }
        g[i][n] = -abut_dvec3_dot(edges[i], first);
    }
    for (int i = 0; i < n; ++i) // positive definite: no pivots
    {
        if (!(g[i][i] > 1e-14 * abut_dvec3_squared_length(edges[i])))
        {
            return false;
        }
        for (int row = 0; row < n; ++row)
        {
            double factor = row != i ? g[row][i] / g[i][i] : 0.0;
            for (int column = i; column <= n && factor != 0.0; ++column)
            {
                g[row][column] -= factor * g[i][column];
            }
        }
    }
    double rest = 1.0;
    bool inside = true;
    for (int i = 0; i < n; ++i)
    {
        simplex->weights[i + 1] = g[i][n] / g[i][i];
        rest -= simplex->weights[i + 1];
        inside = inside && simplex->weights[i + 1] >= 0.0;
    }
    simplex->weights[0] = rest;
    return inside && rest >= 0.0;
}

/// The face of the simplex whose closest point to the origin is the closest of all.
static Simplex reduce(const Simplex* simplex)
{
    Simplex best = { 0 };
    double least = INFINITY;
    for (unsigned set = 1; set < 1u << simplex->count; ++set)
    {
        Simplex face = { 0 };
        for (int i = 0; i < simplex->count; ++i)
        {
            if ((set >> i & 1u) != 0)
            {
                face.vertices[face.count++] = simplex->vertices[i];
            }
        }
        if (solve_weights(&face))
        {
            double squared = abut_dvec3_squared_length(point_of(&face));
            if (squared < least)
            {
                least = squared;
                best = face;
            }
        }
    }
    return best;
}

void abut_primitive_closest(const AbutCorePair* pair, AbutDVec3* on_a, AbutDVec3* on_b)
{
    AbutDVec3 v = abut_dvec3_sub(pair->a.center, pair->b.center);
    Simplex simplex = { .count = 1, .vertices = { support(pair, v) }, .weights = { 1.0 } };
    v = simplex.vertices[0].at;
    for (int step = 0; step < STEPS; ++step)
    {
        double squared = abut_dvec3_squared_length(v);
        Vertex vertex = support(pair, v);
        if (simplex.count == MOST || !(squared - abut_dvec3_dot(v, vertex.at) > PROGRESS * squared))
        {
            break;
        }
        simplex.vertices[simplex.count++] = vertex;
        Simplex next = reduce(&simplex);
        AbutDVec3 closer = point_of(&next);
        bool progress = next.count > 0 && abut_dvec3_squared_length(closer) < squared;
        simplex.count -= progress ? 0 : 1;
        if (!progress)
        {
            break;
        }
        simplex = next;
        v = closer;
    }
    *on_a = *on_b = abut_dvec3_zero();
    for (int i = 0; i < simplex.count; ++i)
    {
        *on_a = abut_dvec3_mul_add(*on_a, simplex.weights[i], simplex.vertices[i].on_a);
        *on_b = abut_dvec3_mul_add(*on_b, simplex.weights[i], simplex.vertices[i].on_b);
    }
}
