#include "narrow/primitive/swept_ball.h"

#include "narrow/primitive/ball_search.h"

#include <math.h>

enum
{
    INTERVALS = 8,             // of the first level
    POSITIONS = INTERVALS + 2, // their middles and both ends
    MOST_OPEN = 64,
    AT_ONCE = 8, // positions
    MOST_SAMPLES = 1024,
    BRACKET_STEPS = 3, // of the position of a contact, each to a ninth of the interval between two samples
    BRACKET = 8
};

/// Share of the smallest gap that samples show which is proved before the search ends.
static const double PROVED_SHARE = 0.75;

/// Fraction of the radius by which a position may be farther from the surface than the next one and count as
/// equal.
static const double LEVEL = 1e-3;

/// Cosine of the angle between normal and segment beyond which a point of a ball is one inside of the
/// capsule.
static const double INSIDE = 0.3;

/// Fraction of the radius within which two points are one.
static const double SAME_POINT = 0.05;

typedef struct Sweep
{
    const AbutShape* shape;
    const AbutSweptBallQuery* query;
    AbutPrimitiveManifold* out;
    AbutBallSearch search;
    AbutBallQuery balls[AT_ONCE];
    AbutPrimitiveManifold manifolds[AT_ONCE];
    double length; // of the segment
    double at[POSITIONS], distance[POSITIONS];
    double nearest, sharp_error; // least distance of a sample, and its error
    double nearest_at;
    float error; // of all samples
    uint32_t samples;
} Sweep;

/// Intervals of one level: all of the same length.
typedef struct Intervals
{
    size_t count;
    double half; // of the length of each, as a fraction of the segment
    double middle[MOST_OPEN];
} Intervals;

// -----------------------------------------------------------------------------------------------------------
// Samples along the segment
// -----------------------------------------------------------------------------------------------------------

static AbutBallQuery ball_at(const Sweep* self, double at)
{
    const AbutSweptBallQuery* query = self->query;
    return (AbutBallQuery){
        .center = abut_dvec3_lerp(query->ends[0], query->ends[1], at),
        .radius = query->radius,
        .rounding = query->rounding,
        .margin = query->margin,
        .wants_points = query->wants_points,
    };
}

/// Balls at up to AT_ONCE positions: their answers are in the search and in the manifolds.
static void sample(Sweep* self, const double* at, size_t count)
{
    self->search.count = 0;
    for (size_t i = 0; i < count; ++i)
    {
        self->balls[i] = ball_at(self, at[i]);
        abut_ball_search_add(&self->search, &self->balls[i], &self->manifolds[i], 0);
    }
    abut_ball_search_measure(&self->search);
    self->samples += (uint32_t)count;
    for (size_t i = 0; i < count; ++i)
    {
        const AbutBall* ball = &self->search.balls[i];
        self->out->touching = self->out->touching || self->manifolds[i].touching;
        if (ball->distance < self->nearest)
        {
            self->nearest = ball->distance;
            self->nearest_at = at[i];
            self->sharp_error = ball->sharp_error;
        }
        self->error = fmaxf(self->error, ball->error);
    }
}

/// Distances at all positions of the first level.
static void sample_positions(Sweep* self)
{
    for (int i = 0; i < POSITIONS; ++i)
    {
        double at = ((double)i - 0.5) / INTERVALS;
        self->at[i] = i == 0 ? 0.0 : i == POSITIONS - 1 ? 1.0 : at;
    }
    const int middle = POSITIONS / 2;
    for (int begin = 0; begin < POSITIONS; begin += middle)
    {
        sample(self, self->at + begin, (size_t)middle);
        for (int i = 0; i < middle; ++i)
        {
            self->distance[begin + i] = self->search.balls[i].distance;
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// The proof
// -----------------------------------------------------------------------------------------------------------

/// Halves the intervals whose bound is not enough; the others have their say in `low`. False when there are
/// too many, whose bounds count as they are.
static bool divide(Sweep* self, Intervals* intervals, double* low)
{
    Intervals next = { .count = 0, .half = 0.5 * intervals->half };
    double open_low = INFINITY, width = intervals->half * self->length * (1.0 + 1e-12);
    for (size_t begin = 0; begin < intervals->count; begin += AT_ONCE)
    {
        size_t n = intervals->count - begin < AT_ONCE ? intervals->count - begin : AT_ONCE;
        sample(self, intervals->middle + begin, n);
        double enough = abut_larger(0.0, PROVED_SHARE * (self->nearest - self->query->radius));
        for (size_t i = 0; i < n; ++i)
        {
            double bound = self->manifolds[i].low - width;
            if (bound > 0.0 && bound >= enough)
            {
                *low = abut_smaller(*low, bound);
                continue;
            }
            open_low = abut_smaller(open_low, bound);
            if (next.count + 2 <= MOST_OPEN)
            {
                next.middle[next.count] = intervals->middle[begin + i] - next.half;
                next.middle[next.count + 1] = intervals->middle[begin + i] + next.half;
            }
            next.count += 2;
        }
    }
    bool whole = next.count <= MOST_OPEN && self->samples < MOST_SAMPLES;
    if (!whole)
    {
        *low = abut_smaller(*low, open_low);
    }
    *intervals = next;
    return whole;
}

/// Lower bound of the gap, as far as it may be over 0.
static double prove_gap(Sweep* self)
{
    Intervals intervals = { .count = INTERVALS, .half = 0.5 / INTERVALS };
    for (size_t i = 0; i < INTERVALS; ++i)
    {
        intervals.middle[i] = self->at[i + 1];
    }
    double low = INFINITY;
    while (intervals.count > 0)
    {
        // Too close to tell from contact.
        if (self->out->touching || self->nearest - self->sharp_error <= self->query->radius)
        {
            return -INFINITY;
        }
        if (!divide(self, &intervals, &low))
        {
            break;
        }
    }
    return low;
}

// -----------------------------------------------------------------------------------------------------------
// Contacts
// -----------------------------------------------------------------------------------------------------------

/// True for a position that is no farther from the surface than the next ones, at an end of those that are
/// equal.
static bool is_lowest(const Sweep* self, int i)
{
    double level = LEVEL * self->query->radius, own = self->distance[i];
    double before = i > 0 ? self->distance[i - 1] : INFINITY;
    double after = i + 1 < POSITIONS ? self->distance[i + 1] : INFINITY;
    bool flat = fabs(before - own) <= level && fabs(after - own) <= level;
    return own <= before + level && own <= after + level && !flat;
}

/// The position with the least distance in the intervals around position i.
static double find_lowest(Sweep* self, int i)
{
    double low = self->at[i > 0 ? i - 1 : 0], high = self->at[i + 1 < POSITIONS ? i + 1 : i];
    double best = self->at[i], distance = self->distance[i];
    for (int step = 0; step < BRACKET_STEPS; ++step)
    {
        double at[BRACKET], spacing = (high - low) / (BRACKET + 1);
        for (int k = 0; k < BRACKET; ++k)
        {
            at[k] = low + (k + 1) * spacing;
        }
        sample(self, at, BRACKET);
        for (int k = 0; k < BRACKET; ++k)
        {
            bool lower = self->search.balls[k].distance < distance;
            best = lower ? at[k] : best;
            distance = lower ? self->search.balls[k].distance : distance;
        }
        low = abut_larger(0.0, best - spacing);
        high = abut_smaller(1.0, best + spacing);
    }
    return best;
}

static bool is_known(const AbutPrimitiveManifold* out, const AbutPrimitivePoint* point, double radius)
{
    bool known = false;
    for (uint32_t i = 0; i < out->count; ++i)
    {
        known = known || abut_dvec3_distance(out->points[i].on_a, point->on_a) < SAME_POINT * radius;
    }
    return known;
}

/// True for a point of a ball, at a fraction of the segment, that is inside of the capsule.
static bool is_inside(const Sweep* self, double at, const AbutPrimitivePoint* point)
{
    AbutDVec3 segment = abut_dvec3_sub(self->query->ends[1], self->query->ends[0]);
    double along = abut_dvec3_dot(point->normal, segment), limit = INSIDE * self->length;
    return (along > limit && at > 0.0) || (along < -limit && at < 1.0);
}

/// Adds the points of a ball; in the place of the least deep one when there are too many.
static void add_points(Sweep* self, double at, const AbutPrimitiveManifold* ball, uint32_t id)
{
    AbutPrimitiveManifold* out = self->out;
    for (uint32_t i = 0; i < ball->count; ++i)
    {
        AbutPrimitivePoint point = ball->points[i];
        point.id += id;
        bool hidden = is_inside(self, at, &point) && (out->count > 0 || i + 1 < ball->count);
        if (hidden || is_known(out, &point, self->query->radius))
        {
            continue;
        }
        uint32_t slot = out->count;
        if (slot == ABUT_PRIMITIVE_POINTS)
        {
            slot = 0;
            for (uint32_t k = 1; k < ABUT_PRIMITIVE_POINTS; ++k)
            {
                slot = out->points[k].separation > out->points[slot].separation ? k : slot;
            }
        }
        if (slot == out->count || point.separation < out->points[slot].separation)
        {
            out->points[slot] = point;
            out->count += slot == out->count ? 1 : 0;
        }
    }
}

static void sort_points(AbutPrimitiveManifold* out)
{
    for (uint32_t i = 1; i < out->count; ++i)
    {
        if (out->points[i - 1].id <= out->points[i].id)
        {
            continue;
        }
        AbutPrimitivePoint point = out->points[i];
        uint32_t k = i;
        for (; k > 0 && out->points[k - 1].id > point.id; --k)
        {
            out->points[k] = out->points[k - 1];
        }
        out->points[k] = point;
    }
}

/// Balls at the positions that are closest to the surface, for points and for a proof of contact.
static void collide_positions(Sweep* self)
{
    AbutPrimitiveManifold manifold;
    double at[POSITIONS + 1];
    uint32_t ids[POSITIONS + 1];
    size_t count = 0;
    double most = self->query->radius + self->query->margin + self->length / INTERVALS;
    for (int i = 0; i < POSITIONS; ++i)
    {
        if (self->distance[i] <= most && is_lowest(self, i))
        {
            ids[count] = 16 * (uint32_t)i;
            at[count++] = find_lowest(self, i);
        }
    }
    ids[count] = 16 * POSITIONS; // wherever a sample was nearest
    at[count++] = self->nearest_at;
    for (size_t i = 0; i < count; ++i)
    {
        float error;
        AbutBallQuery ball = ball_at(self, at[i]);
        abut_balls_collide(self->shape, &ball, 1, &manifold, &error);
        self->out->touching = self->out->touching || manifold.touching;
        if (self->query->wants_points)
        {
            add_points(self, at[i], &manifold, ids[i]);
        }
    }
    sort_points(self->out);
}

AbutSweptBallResult abut_swept_ball_collide(const AbutShape* shape, const AbutSweptBallQuery* query,
                                            AbutPrimitiveManifold* out)
{
    Sweep self = { .shape = shape, .query = query, .out = out, .nearest = INFINITY };
    self.length = abut_dvec3_distance(query->ends[0], query->ends[1]);
    abut_ball_search_init(&self.search, shape);
    out->touching = out->close = false;
    out->count = 0;
    sample_positions(&self);
    out->low = prove_gap(&self);
    if (!(out->low > abut_larger(query->margin, 0.0)))
    {
        collide_positions(&self);
        out->close = !(out->low > 0.0) && fabs(self.nearest - query->radius) <= self.sharp_error;
    }
    out->low = out->touching ? abut_smaller(out->low, 0.0) : out->low;
    return (AbutSweptBallResult){ self.error, self.samples };
}
