#include "support/oracles/hull_pairs.h"

#include "math/dvec3.h"

#include <math.h>

/// A hull in the frame of A.
typedef struct Body
{
    uint32_t vertex_count, face_count, edge_count;
    AbutDVec3 vertices[HULL_PAIR_VERTICES];
    ExactVec exact[HULL_PAIR_VERTICES];
    uint32_t faces[HULL_PAIR_FACES][HULL_PAIR_VERTICES]; // corners
    uint32_t corner_counts[HULL_PAIR_FACES];
    uint32_t edges[HULL_PAIR_EDGES][2];
} Body;

static double to_double(Exact x)
{
    return (double)x;
}

static void add_edge(Body* body, uint32_t tail, uint32_t head)
{
    if (tail < head)
    {
        assert_true(body->edge_count < HULL_PAIR_EDGES);
        body->edges[body->edge_count][0] = tail;
        body->edges[body->edge_count++][1] = head;
    }
}

/// In the frame of `pose_a`, in quad precision.
static void set_body(Body* body, const AbutHull* hull, const AbutPose* pose, const AbutPose* pose_a)
{
    AbutHullInfo info = abut_hull_info(hull);
    ExactFrame frame = exact_frame(pose), outer = exact_frame(pose_a);
    assert_true(info.vertex_count <= HULL_PAIR_VERTICES);
    body->vertex_count = info.vertex_count;
    body->face_count = info.face_count;
    body->edge_count = 0;
    for (uint32_t i = 0; i < info.vertex_count; ++i)
    {
        AbutVec3 p = abut_hull_points(hull)[i];
        ExactVec at = exact_subtract(exact_frame_apply(&frame, exact_vec((Exact)p.x, (Exact)p.y, (Exact)p.z)),
                                     outer.position);
        // The frame of A moved, not rotated: lengths and signs are the same.
        body->exact[i] = at;
        body->vertices[i] = abut_dvec3(to_double(at.x[0]), to_double(at.x[1]), to_double(at.x[2]));
    }
    for (uint32_t f = 0; f < info.face_count; ++f)
    {
        uint32_t* corners = body->faces[f];
        uint32_t n = abut_hull_face_vertices(hull, f, corners, HULL_PAIR_VERTICES);
        body->corner_counts[f] = n;
        for (uint32_t i = 0; i < n; ++i)
        {
            add_edge(body, corners[i], corners[(i + 1) % n]);
        }
    }
    if (info.dimension == 1)
    {
        add_edge(body, 0, 1);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Axes
// -----------------------------------------------------------------------------------------------------------

/// An axis by its two edges: a pair of points of each.
typedef struct Axis
{
    const Body *u_body, *v_body;
    uint32_t u[2], v[2];
} Axis;

typedef struct Search
{
    const Body *a, *b;
    double best; // largest separation in double
    Exact best_exact;
    bool exact; // evaluates axes near the best one in quad precision
} Search;

static double separation_along(const Search* self, AbutDVec3 n)
{
    double low_a = INFINITY, high_a = -INFINITY, low_b = INFINITY, high_b = -INFINITY;
    for (uint32_t i = 0; i < self->a->vertex_count; ++i)
    {
        double at = abut_dvec3_dot(n, self->a->vertices[i]);
        low_a = at < low_a ? at : low_a;
        high_a = at > high_a ? at : high_a;
    }
    for (uint32_t i = 0; i < self->b->vertex_count; ++i)
    {
        double at = abut_dvec3_dot(n, self->b->vertices[i]);
        low_b = at < low_b ? at : low_b;
        high_b = at > high_b ? at : high_b;
    }
    return fmax(low_a - high_b, low_b - high_a);
}

static void exact_interval(const Body* body, ExactVec n, Exact* low, Exact* high)
{
    *low = *high = exact_dot(n, body->exact[0]);
    for (uint32_t i = 1; i < body->vertex_count; ++i)
    {
        Exact at = exact_dot(n, body->exact[i]);
        *low = at < *low ? at : *low;
        *high = at > *high ? at : *high;
    }
}

static void add_exact(Search* self, const Axis* axis)
{
    ExactVec u = exact_subtract(axis->u_body->exact[axis->u[1]], axis->u_body->exact[axis->u[0]]);
    ExactVec v = exact_subtract(axis->v_body->exact[axis->v[1]], axis->v_body->exact[axis->v[0]]);
    ExactVec n = exact_cross(u, v);
    n = exact_scale(n, 1 / exact_length(n));
    Exact low_a, high_a, low_b, high_b;
    exact_interval(self->a, n, &low_a, &high_a);
    exact_interval(self->b, n, &low_b, &high_b);
    Exact separation = low_a - high_b > low_b - high_a ? low_a - high_b : low_b - high_a;
    self->best_exact = separation > self->best_exact ? separation : self->best_exact;
}

static void consider(Search* self, const Axis* axis)
{
    AbutDVec3 u = abut_dvec3_sub(axis->u_body->vertices[axis->u[1]], axis->u_body->vertices[axis->u[0]]);
    AbutDVec3 v = abut_dvec3_sub(axis->v_body->vertices[axis->v[1]], axis->v_body->vertices[axis->v[0]]);
    AbutDVec3 n = abut_dvec3_cross(u, v);
    double length = abut_dvec3_length(n), size = abut_dvec3_length(u) * abut_dvec3_length(v);
    if (!(length > 1e-13 * size))
    {
        return; // parallel: no axis, or one that faces have
    }
    double separation = separation_along(self, abut_dvec3_div(n, length));
    double slack = 1e-13 * (size / length) * (fabs(self->best) + sqrt(size));
    if (self->exact && separation > self->best - 1e-9 * sqrt(size) - slack)
    {
        add_exact(self, axis);
    }
    self->best = !self->exact && separation > self->best ? separation : self->best;
}

static void consider_faces(Search* self, const Body* body)
{
    for (uint32_t i = 0; i < body->face_count; ++i)
    {
        const uint32_t *c = body->faces[i], n = body->corner_counts[i];
        Axis axis = { body, body, { c[0], c[n / 3] }, { c[0], c[2 * n / 3] } };
        consider(self, &axis);
    }
}

static void consider_all(Search* self)
{
    consider_faces(self, self->a);
    consider_faces(self, self->b);
    for (uint32_t i = 0; i < self->a->edge_count; ++i)
    {
        for (uint32_t j = 0; j < self->b->edge_count; ++j)
        {
            Axis axis = { self->a,
                          self->b,
                          { self->a->edges[i][0], self->a->edges[i][1] },
                          { self->b->edges[j][0], self->b->edges[j][1] } };
            consider(self, &axis);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Distance of separated hulls
// -----------------------------------------------------------------------------------------------------------

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double segment_distance(AbutDVec3 p, AbutDVec3 p1, AbutDVec3 q, AbutDVec3 q1)
{
    AbutDVec3 u = abut_dvec3_sub(p1, p), v = abut_dvec3_sub(q1, q), r = abut_dvec3_sub(p, q);
    double a = abut_dvec3_dot(u, u), e = abut_dvec3_dot(v, v), f = abut_dvec3_dot(v, r),
           c = abut_dvec3_dot(u, r);
    double b = abut_dvec3_dot(u, v), d = a * e - b * b;
    double s = d > 0.0 ? clamp((b * f - c * e) / d, 0.0, 1.0) : 0.0;
    double t = clamp((b * s + f) / e, 0.0, 1.0);
    s = clamp((b * t - c) / a, 0.0, 1.0);
    AbutDVec3 between = abut_dvec3_add(r, abut_dvec3_sub(abut_dvec3_scale(u, s), abut_dvec3_scale(v, t)));
    return abut_dvec3_length(between);
}

/// From vertices of one to the insides of faces of the other; infinite where none projects into one.
static double vertex_face_distance(const Body* points, const Body* body)
{
    double least = INFINITY;
    for (uint32_t f = 0; f < body->face_count; ++f)
    {
        const uint32_t *c = body->faces[f], n = body->corner_counts[f];
        AbutDVec3 a = body->vertices[c[0]];
        AbutDVec3 normal = abut_dvec3_normalize(abut_dvec3_cross(
            abut_dvec3_sub(body->vertices[c[n / 3]], a), abut_dvec3_sub(body->vertices[c[2 * n / 3]], a)));
        for (uint32_t i = 0; i < points->vertex_count; ++i)
        {
            AbutDVec3 p = points->vertices[i];
            bool inside = true;
            for (uint32_t k = 0; k < n && inside; ++k)
            {
                AbutDVec3 from = body->vertices[c[k]],
                          along = abut_dvec3_sub(body->vertices[c[(k + 1) % n]], from);
                inside = abut_dvec3_dot(abut_dvec3_cross(normal, along), abut_dvec3_sub(p, from)) >= 0.0;
            }
            least = inside ? fmin(least, fabs(abut_dvec3_dot(normal, abut_dvec3_sub(p, a)))) : least;
        }
    }
    return least;
}

static double feature_distance(const Body* a, const Body* b)
{
    double least = fmin(vertex_face_distance(a, b), vertex_face_distance(b, a));
    for (uint32_t i = 0; i < a->edge_count; ++i)
    {
        for (uint32_t j = 0; j < b->edge_count; ++j)
        {
            least = fmin(least, segment_distance(a->vertices[a->edges[i][0]], a->vertices[a->edges[i][1]],
                                                 b->vertices[b->edges[j][0]], b->vertices[b->edges[j][1]]));
        }
    }
    return least;
}

double hull_pair_gap(const AbutHull* a, const AbutPose* pose_a, const AbutHull* b, const AbutPose* pose_b)
{
    static Body bodies[2];
    set_body(&bodies[0], a, pose_a, pose_a);
    set_body(&bodies[1], b, pose_b, pose_a);
    Search search = { .a = &bodies[0], .b = &bodies[1], .best = -INFINITY };
    consider_all(&search);
    double size = 0.0;
    for (int k = 0; k < 2; ++k)
    {
        for (uint32_t i = 0; i < bodies[k].vertex_count; ++i)
        {
            size = fmax(size, abut_dvec3_length(bodies[k].vertices[i]));
        }
    }
    if (fabs(search.best) < 1e-8 * size)
    {
        search.exact = true;
        search.best_exact = (Exact)-INFINITY;
        consider_all(&search);
        double gap = (double)search.best_exact;
        // Within the rounding of quad precision the hulls touch.
        return fabs(gap) < 1e-28 * size ? 0.0
               : gap > 0.0              ? fmin(feature_distance(&bodies[0], &bodies[1]), 1e300)
                                        : gap;
    }
    return search.best > 0.0 ? feature_distance(&bodies[0], &bodies[1]) : search.best;
}
