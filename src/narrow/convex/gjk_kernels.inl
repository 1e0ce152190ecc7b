// The distance of the origin from the difference of two cores: Gilbert, Johnson and Keerthi (1988), with
// proofs (narrow/convex/convex.h).
#ifndef ABUT_NARROW_CONVEX_GJK_KERNELS_INL
#define ABUT_NARROW_CONVEX_GJK_KERNELS_INL

#include "hull/simplex.h"
#include "narrow/convex/core_lanes.inl"
#include "narrow/convex/kernels.h"

enum
{
    GJK_STEPS = 256
};

/// Relative progress of the squared distance below which the closest point has been found.
#define GJK_PROGRESS 1e-13

typedef struct Gjk
{
    const AbutConvexPair* pair;
    AbutConvexQuestion question;
    AbutGjkResult* out;
    AbutDVec3 points[4]; // of the simplex
    double squared;      // |v|²; infinite before the first simplex
    double target;       // a plane farther than this proves that the solids are apart
    double far;          // one farther than this ends the iteration
} Gjk;

/// The plane of `v` with n·w ≥ along / length.
KERNEL_INLINE void gjk_keep_plane(AbutGjkResult* out, AbutDVec3 v, double along, double length)
{
    double low = along / length;
    if (low > out->low)
    {
        out->low = low;
        out->normal = abut_dvec3_div(v, length);
    }
}

/// Balls inside of both cores, and balls around them.
KERNEL_INLINE bool gjk_balls_prove(Gjk* self, AbutDVec3 between)
{
    const AbutConvexPair* pair = self->pair;
    double squared = abut_dvec3_squared_length(between);
    double enclosing = pair->a.enclosing + pair->scale * pair->b.enclosing;
    double inscribed = pair->a.inscribed + pair->scale * pair->b.inscribed + pair->radius - pair->rounding;
    double apart = enclosing + self->target;
    if (squared > apart * apart)
    {
        double length = sqrt(squared);
        self->out->state = ABUT_GJK_SEPARATED;
        gjk_keep_plane(self->out, between, squared - enclosing * length, length);
        return true;
    }
    if (inscribed > 0.0 && squared < inscribed * inscribed)
    {
        self->out->state = ABUT_GJK_CONTACT;
        return true;
    }
    return false;
}

/// The origin in the cone from the inscribed ball about `between` to a point of C.
KERNEL_INLINE bool gjk_cone_contains(const Gjk* self, AbutDVec3 between, AbutDVec3 w)
{
    const AbutConvexPair* pair = self->pair;
    double radius = pair->a.inscribed + pair->scale * pair->b.inscribed + pair->radius;
    AbutDVec3 along = abut_dvec3_sub(w, between);
    double t = -abut_dvec3_dot(between, along) / abut_dvec3_squared_length(along);
    if (!(t > 0.0 && t < 1.0))
    {
        return false;
    }
    double left = radius * (1.0 - t) - 2.0 * pair->rounding;
    return left > 0.0 && abut_dvec3_squared_length(abut_dvec3_mul_add(between, t, along)) < left * left;
}

/// Six times the volume of the origin and three points.
KERNEL_INLINE double gjk_volume(AbutDVec3 a, AbutDVec3 b, AbutDVec3 c)
{
    return abut_dvec3_dot(a, abut_dvec3_cross(b, c));
}

/// Upper bound of the change of gjk_volume() when its points are rounded, and of its own rounding.
static double gjk_volume_error(AbutDVec3 a, AbutDVec3 b, AbutDVec3 c, double rounding)
{
    double areas = abut_dvec3_length(abut_dvec3_cross(a, b)) + abut_dvec3_length(abut_dvec3_cross(b, c)) +
                   abut_dvec3_length(abut_dvec3_cross(c, a));
    double lengths = abut_dvec3_length(a) + abut_dvec3_length(b) + abut_dvec3_length(c);
    return 2.0 * rounding * (areas + 2.0 * rounding * lengths) +
           0x1p-49 * sqrt(abut_dvec3_squared_length(a) * abut_dvec3_squared_length(b) *
                          abut_dvec3_squared_length(c));
}

/// The origin is strictly on the inner side of a, b, c, counter-clockwise from outside, whatever the rounding
/// of the points. `far` is the squared distance of the farthest point, for a bound that needs no root.
KERNEL_INLINE bool gjk_face_proves(AbutDVec3 a, AbutDVec3 b, AbutDVec3 c, double rounding, double far)
{
    double volume = gjk_volume(a, b, c);
    return volume > 8.0 * rounding * far || (volume > 0.0 && volume > gjk_volume_error(a, b, c, rounding));
}

/// The origin is in the tetrahedron, whatever the rounding of its corners.
KERNEL_INLINE bool gjk_tetrahedron_proves(const AbutDVec3* p, double rounding)
{
    double far = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        far = abut_larger(far, abut_dvec3_squared_length(p[i]));
    }
    bool swap = gjk_volume(p[0], p[1], p[2]) < 0.0;
    AbutDVec3 a = p[0], b = swap ? p[2] : p[1], c = swap ? p[1] : p[2], d = p[3];
    return gjk_face_proves(a, b, c, rounding, far) && gjk_face_proves(a, d, b, rounding, far) &&
           gjk_face_proves(b, d, c, rounding, far) && gjk_face_proves(c, d, a, rounding, far);
}

KERNEL_INLINE void gjk_choose(Gjk* self, const AbutSimplexChoice* choice)
{
    AbutGjkResult* out = self->out;
    for (uint32_t i = 0; i < choice->count; ++i)
    {
        uint32_t from = choice->indices[i];
        out->simplex[i] = out->simplex[from];
        out->weights[i] = choice->weights[i];
        self->points[i] = self->points[from];
    }
    out->count = choice->count;
    out->v = choice->point;
    self->squared = abut_dvec3_squared_length(choice->point);
}

/// The simplex has this point already: no point of C is closer.
KERNEL_INLINE bool gjk_has(const Gjk* self, const AbutConvexVertex* vertex)
{
    bool found = false;
    for (uint32_t i = 0; i < self->out->count; ++i)
    {
        AbutDVec3 p = self->points[i];
        found = found || (p.x == vertex->w.x && p.y == vertex->w.y && p.z == vertex->w.z);
    }
    return found;
}

/// Adds a point to the simplex and reduces it. False when that ends the iteration.
KERNEL_INLINE bool gjk_advance(Gjk* self, const AbutConvexVertex* vertex)
{
    AbutGjkResult* out = self->out;
    const AbutConvexPair* pair = self->pair;
    self->points[out->count] = vertex->w;
    out->simplex[out->count] = *vertex;
    uint32_t count = out->count + 1;
    AbutSimplexChoice choice = abut_simplex_closest(self->points, count);
    if (choice.count == 4 && out->low > 0.0)
    {
        choice =
            abut_simplex_closest_of_all(self->points, count); // a plane says otherwise: flat within rounding
    }
    if (choice.count == 4)
    {
        out->count = 4;
        out->v = abut_dvec3_zero();
        self->squared = 0.0;
        out->state =
            gjk_tetrahedron_proves(self->points, pair->rounding) ? ABUT_GJK_CONTACT : ABUT_GJK_INSIDE;
        return false;
    }
    if (!(abut_dvec3_squared_length(choice.point) < self->squared))
    {
        choice = abut_simplex_closest_of_all(self->points, count);
        if (!(abut_dvec3_squared_length(choice.point) < self->squared))
        {
            out->state = ABUT_GJK_STALLED;
            return false;
        }
    }
    gjk_choose(self, &choice);
    if (self->squared <= pair->rounding * pair->rounding)
    {
        out->state = ABUT_GJK_INSIDE;
        return false;
    }
    double close = pair->radius - 2.0 * pair->rounding;
    if (self->question == ABUT_CONVEX_ASK_STATE && close > 0.0 && self->squared < close * close)
    {
        out->state = ABUT_GJK_CONTACT;
        return false;
    }
    return true;
}

KERNEL_INLINE AbutDVec3 gjk_center_difference(const AbutConvexPair* pair)
{
    return abut_dvec3_sub(pair->a.center, pair_to_a(pair, pair->b.center));
}

/// The simplex of the cache with the present positions of its vertices. False when it answers the question.
static bool gjk_restore(Gjk* self, const AbutGjkStart* start)
{
    const AbutConvexPair* pair = self->pair;
    AbutGjkResult* out = self->out;
    for (uint32_t i = 0; i < start->count; ++i)
    {
        AbutDVec3 a, b;
        if (!core_vertex(&pair->a, start->ids[i][0], &a) || !core_vertex(&pair->b, start->ids[i][1], &b))
        {
            return true;
        }
        self->points[i] = abut_dvec3_sub(a, pair_to_a(pair, b));
        out->simplex[i] = (AbutConvexVertex){ self->points[i], a, start->ids[i][0], start->ids[i][1] };
    }
    if (start->count == 4 && gjk_tetrahedron_proves(self->points, pair->rounding))
    {
        out->count = 4;
        out->state = ABUT_GJK_CONTACT;
        return false;
    }
    AbutSimplexChoice choice = start->count == 4 ? abut_simplex_closest_of_all(self->points, 4)
                                                 : abut_simplex_closest(self->points, start->count);
    if (abut_dvec3_squared_length(choice.point) > pair->rounding * pair->rounding)
    {
        gjk_choose(self, &choice);
    }
    return true;
}

/// The first direction. False when the question is answered.
KERNEL_INLINE bool gjk_begin(Gjk* self, AbutDVec3 between, const AbutGjkStart* start)
{
    AbutGjkResult* out = self->out;
    // The simplex has no vertices yet: they stay as they are.
    out->state = ABUT_GJK_STALLED;
    out->count = out->steps = 0;
    out->distance = 0.0;
    out->normal = abut_dvec3_zero();
    out->low = -INFINITY;
    out->v = abut_dvec3_zero();
    self->squared = INFINITY;
    self->target = self->pair->radius + 2.0 * self->pair->rounding;
    self->far = self->target + (self->question == ABUT_CONVEX_ASK_STATE ? 0.0 : self->pair->margin);
    if (self->question == ABUT_CONVEX_ASK_STATE && gjk_balls_prove(self, between))
    {
        return false;
    }
    out->v = abut_dvec3_squared_length(between) > 0.0 ? between : abut_dvec3(1.0, 0.0, 0.0);
    if (start->has_direction)
    {
        out->v = start->direction;
    }
    return start->count == 0 || gjk_restore(self, start);
}

static void gjk_kernel(const AbutConvexPair* pair, AbutConvexQuestion question, const AbutGjkStart* start,
                       AbutGjkResult* out)
{
    Gjk self = { .pair = pair, .question = question, .out = out };
    AbutDVec3 between = gjk_center_difference(pair);
    bool asks_state = question == ABUT_CONVEX_ASK_STATE;
    if (!gjk_begin(&self, between, start))
    {
        return;
    }
    uint32_t last[2] = { 0, 0 };
    for (; out->steps < GJK_STEPS; ++out->steps)
    {
        AbutConvexVertex vertex = pair_support(pair, out->v, last);
        double along = abut_dvec3_dot(out->v, vertex.w), squared = abut_dvec3_squared_length(out->v);
        if (along > 0.0 && along * along > self.far * self.far * squared)
        {
            gjk_keep_plane(out, out->v, along, sqrt(squared));
            out->state = ABUT_GJK_SEPARATED;
            return;
        }
        if (out->count > 0 && (squared - along <= GJK_PROGRESS * squared || gjk_has(&self, &vertex)))
        {
            gjk_keep_plane(out, out->v, along, sqrt(squared));
            break;
        }
        if (asks_state && out->steps == 0 && gjk_cone_contains(&self, between, vertex.w))
        {
            out->state = ABUT_GJK_CONTACT;
            return;
        }
        if (!asks_state && along > 0.0)
        {
            gjk_keep_plane(out, out->v, along, sqrt(squared));
        }
        last[0] = vertex.id_a == ABUT_CONVEX_ROUND ? 0 : vertex.id_a;
        last[1] = vertex.id_b == ABUT_CONVEX_ROUND ? 0 : vertex.id_b;
        if (!gjk_advance(&self, &vertex))
        {
            break;
        }
    }
    out->distance = sqrt(self.squared);
    if (out->low > self.target)
    {
        out->state = ABUT_GJK_SEPARATED;
    }
}

#endif
