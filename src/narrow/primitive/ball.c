#include "narrow/primitive/ball.h"

#include "narrow/primitive/ball_field.h"

#include <math.h>

enum
{
    DIRECTIONS = 14, // faces and corners of a cube
    MOST_POINTS = 4,
    REFINE_STEPS = 10
};

/// Fraction of the radius within which a closest point is refined.
static const double REFINED = 1e-3;

/// Fraction of the way along the surface that the first step of a refinement takes.
static const double FIRST_FRACTION = 0.4;

/// Fraction of the radius within which a sample on the ball in a direction next to that of a contact may be
/// over the margin: 1 − the cosine of the largest angle to one of the directions, and a little more.
static const double NEXT_DIRECTION = 0.2;

/// Cosine of the angle within which two points are one.
static const double SAME_DIRECTION = 0.9;

/// Fractions of the way from the surface of the shape to that of the ball where a common point is tried: the
/// ball is exact, and a thin shape may end before it.
static const double WITNESSES[2] = { 0.95, 0.5 };

typedef struct BallSearch
{
    const AbutBallQuery* query;
    AbutPairSide side;
    AbutPairBatch batch; // samples of the shape are those of side 0
} BallSearch;

static void sample(BallSearch* self, bool gradient)
{
    AbutPairBatch* batch = &self->batch;
    AbutPoints points = { batch->at[0], batch->at[1], batch->at[2] };
    float(*g)[ABUT_PAIR_BATCH] = batch->gradient[0];
    AbutSamples out = { batch->distance[0], gradient ? g[0] : NULL, gradient ? g[1] : NULL,
                        gradient ? g[2] : NULL };
    abut_shape_sample_batch(self->query->shape, NULL, points, batch->count, out);
}

static void set_point(BallSearch* self, size_t i, AbutDVec3 at)
{
    abut_pair_batch_set(&self->batch, i, abut_dvec3_to_vec3(at));
}

static AbutDVec3 point_at(const BallSearch* self, size_t i)
{
    return abut_dvec3_from_vec3(abut_pair_batch_point(&self->batch, i));
}

/// The unit normal at a sample; zero where there is no gradient.
static AbutDVec3 normal_at(const BallSearch* self, size_t i)
{
    const AbutPairBatch* batch = &self->batch;
    return abut_dvec3_normalize(
        abut_dvec3(batch->gradient[0][0][i], batch->gradient[0][1][i], batch->gradient[0][2][i]));
}

/// Error of sample i.
static double error_at(const BallSearch* self, size_t i)
{
    if (!self->side.is_field)
    {
        return (double)self->side.error;
    }
    float own = abut_pair_field_error(&self->side, &self->batch, i);
    return (double)(own < self->side.error ? own : self->side.error);
}

/// Distance of sample i from the centre, as an upper bound.
static double away(const BallSearch* self, size_t i)
{
    return abut_dvec3_distance(point_at(self, i), self->query->center) * (1.0 + 1e-14) +
           self->query->rounding;
}

static bool is_common(const BallSearch* self, size_t i)
{
    return (double)self->batch.distance[0][i] + error_at(self, i) <= 0.0 &&
           away(self, i) <= self->query->radius;
}

static bool is_known_direction(const AbutPrimitiveManifold* out, AbutDVec3 normal)
{
    bool known = false;
    for (uint32_t i = 0; i < out->count; ++i)
    {
        known = known || abut_dvec3_dot(out->points[i].normal, normal) > SAME_DIRECTION;
    }
    return known;
}

/// Adds a point of the ball in the direction −normal, `gap` from the surface of the shape, unless there is a
/// closer one in nearly the same direction.
static void add_point(const BallSearch* self, AbutPrimitiveManifold* out, AbutDVec3 normal, double gap,
                      uint32_t id)
{
    const AbutBallQuery* query = self->query;
    if (!(gap <= query->margin) || !(abut_dvec3_squared_length(normal) > 0.0))
    {
        return;
    }
    if (is_known_direction(out, normal))
    {
        return; // the first one is the closest of all, and the others are local
    }
    AbutDVec3 on_ball = abut_dvec3_mul_sub(query->center, query->radius, normal);
    if (out->count < MOST_POINTS)
    {
        out->points[out->count++] =
            (AbutPrimitivePoint){ on_ball, abut_dvec3_mul_sub(on_ball, gap, normal), normal, gap, id };
    }
}

/// Samples of the ball's surface in all directions, and again in those of the normals found there.
static void add_other_directions(BallSearch* self, AbutPrimitiveManifold* out)
{
    static const float directions[DIRECTIONS][3] = {
        { 1, 0, 0 },
        { -1, 0, 0 },
        { 0, 1, 0 },
        { 0, -1, 0 },
        { 0, 0, 1 },
        { 0, 0, -1 },
        { 0.57f, 0.57f, 0.57f },
        { 0.57f, 0.57f, -0.57f },
        { 0.57f, -0.57f, 0.57f },
        { 0.57f, -0.57f, -0.57f },
        { -0.57f, 0.57f, 0.57f },
        { -0.57f, 0.57f, -0.57f },
        { -0.57f, -0.57f, 0.57f },
        { -0.57f, -0.57f, -0.57f },
    };
    const AbutBallQuery* query = self->query;
    AbutDVec3 normals[DIRECTIONS];
    uint32_t ids[DIRECTIONS];
    size_t count = 0;
    self->batch.count = DIRECTIONS;
    for (size_t i = 0; i < DIRECTIONS; ++i)
    {
        AbutDVec3 direction = abut_dvec3(directions[i][0], directions[i][1], directions[i][2]);
        set_point(self, i, abut_dvec3_mul_add(query->center, query->radius, direction));
    }
    sample(self, true);
    for (uint32_t i = 0; i < DIRECTIONS; ++i)
    {
        if ((double)self->batch.distance[0][i] <= query->margin + NEXT_DIRECTION * query->radius)
        {
            normals[count] = normal_at(self, i);
            ids[count] = i + 1;
            count += !is_known_direction(out, normals[count]);
        }
    }
    if (count == 0)
    {
        return;
    }
    self->batch.count = count;
    for (size_t i = 0; i < count; ++i)
    {
        set_point(self, i, abut_dvec3_mul_sub(query->center, query->radius, normals[i]));
    }
    sample(self, true);
    for (size_t i = 0; i < count; ++i)
    {
        // A normal that changed on the way belongs to another place of the surface.
        AbutDVec3 normal = normal_at(self, i);
        if (abut_dvec3_dot(normal, normals[i]) > SAME_DIRECTION)
        {
            add_point(self, out, normals[i], (double)self->batch.distance[0][i], ids[i]);
        }
    }
}

/// The closest point of the surface from a point close to it: its normal and distance, unless it is the
/// centre. Steps alternate onto the surface and along it towards the centre. Of the way to the foot of the
/// centre on the tangent plane they take a fraction, 1/(1 + height · curvature) where they converge at once,
/// which the change of that way over the last step shows.
static void refine(BallSearch* self, AbutDVec3 at, AbutDVec3* normal, double* distance)
{
    const AbutBallQuery* query = self->query;
    AbutDVec3 last = abut_dvec3_zero();
    double fraction = FIRST_FRACTION;
    self->batch.count = 1;
    for (int step = 0; step < REFINE_STEPS; ++step)
    {
        set_point(self, 0, at);
        sample(self, true);
        AbutDVec3 outward = normal_at(self, 0);
        at = abut_dvec3_mul_sub(point_at(self, 0), (double)self->batch.distance[0][0], outward);
        AbutDVec3 back = abut_dvec3_sub(query->center, at);
        AbutDVec3 along = abut_dvec3_mul_sub(back, abut_dvec3_dot(back, outward), outward);
        double length = abut_dvec3_length(along), before = abut_dvec3_squared_length(last);
        if (step + 1 == REFINE_STEPS || !(length > REFINED * query->radius))
        {
            break;
        }
        double change = step > 0 ? 1.0 - abut_dvec3_dot(along, last) / before : 1.0;
        fraction = change > 0.25 * fraction ? fraction / change : 4.0;
        fraction = abut_smaller(fraction, query->radius / length);
        at = abut_dvec3_mul_add(at, fraction, along);
        last = along;
    }
    AbutDVec3 back = abut_dvec3_sub(query->center, at);
    double length = abut_dvec3_length(back);
    if (length > REFINED * query->radius)
    {
        *normal = abut_dvec3_div(back, length);
        *distance = length;
    }
}

/// A point between the surfaces, where a sample proves that it is in both.
static bool prove_common(BallSearch* self, AbutDVec3 normal, double distance)
{
    const AbutBallQuery* query = self->query;
    bool common = false;
    for (int i = 0; i < 2 && !common; ++i)
    {
        double along = distance + WITNESSES[i] * (query->radius - distance);
        self->batch.count = 1;
        set_point(self, 0, abut_dvec3_mul_sub(query->center, along, normal));
        sample(self, false);
        common = is_common(self, 0);
    }
    return common;
}

/// Outside of its box a field is no more than a lower bound. A point that is not in the ball by the samples
/// may be none of the surface: the octree proves that it is not, or has a better one.
static void search_field(BallSearch* self, AbutDVec3* normal, double* distance, AbutPrimitiveManifold* out)
{
    const AbutBallQuery* query = self->query;
    AbutDVec3 closest;
    double low = abut_ball_field_low(&self->side, query->center, query->radius + query->rounding, &closest);
    out->low = abut_larger(out->low, low - query->radius - query->rounding);
    if (!(out->low > 0.0))
    {
        refine(self, closest, normal, distance);
        out->touching = *distance < query->radius && prove_common(self, *normal, *distance);
    }
}

/// True where the distance of the shape is that of its closest point.
static bool is_exact(const AbutShapeInfo* info)
{
    return info->distance_kind == ABUT_DISTANCE_EXACT && info->kind != ABUT_SHAPE_FIELD &&
           info->band == INFINITY;
}

float abut_ball_collide(const AbutBallQuery* query, AbutPrimitiveManifold* out)
{
    BallSearch self;
    double size = abut_dvec3_length(query->center) + 2.0 * query->radius;
    self.query = query;
    self.side = abut_pair_make_side(query->shape, (float)(size * (1.0 + 1e-6)));
    self.batch.count = 1;
    set_point(&self, 0, query->center);
    sample(&self, true);
    double distance = self.batch.distance[0][0], moved = away(&self, 0), error = error_at(&self, 0);
    AbutDVec3 normal = normal_at(&self, 0);
    out->count = 0;
    out->close = false;
    out->low = (distance - error) / (double)self.side.slope * (1.0 - 1e-14) - moved - query->radius;
    out->touching = distance <= query->radius && is_common(&self, 0);
    bool outside = distance - error > 0.0; // the centre
    if (!(out->low <= abut_larger(query->margin, 0.0)))
    {
        return self.side.error;
    }
    const AbutShapeInfo* info = &query->shape->info;
    if (!is_exact(info) && distance > 0.0)
    {
        refine(&self, abut_dvec3_mul_sub(query->center, distance, normal), &normal, &distance);
    }
    if (!out->touching && out->low <= 0.0 && distance < query->radius)
    {
        out->touching = prove_common(&self, normal, distance);
    }
    if (!out->touching && out->low <= 0.0 && outside && self.side.is_field && isfinite(self.side.growth))
    {
        search_field(&self, &normal, &distance, out);
    }
    out->close = fabs(distance - query->radius) <= (double)self.side.error;
    if (query->wants_points)
    {
        add_point(&self, out, normal, distance - query->radius, 0);
        if (!info->convex && distance > 0.0)
        {
            add_other_directions(&self, out);
        }
    }
    return self.side.error;
}
