// Stages of balls against a shape: samples at centres, refined closest points, common points.
#include "narrow/primitive/ball_search.h"

#include "base/assert.h"
#include "shape/resolve.h"

#include <math.h>

enum
{
    REFINE_STEPS = 10
};

/// Fraction of the radius within which a closest point is refined; one of a shape with an error only as far
/// as that can change the distance by half of the error, and at most to the second number.
static const double REFINED = 1e-3, COARSELY_REFINED = 2e-2;

/// Fraction of the way along the surface that the first step of a refinement takes.
static const double FIRST_FRACTION = 0.4;

/// Fractions of the way from the surface of the shape to that of the ball where a common point is tried: the
/// ball is exact, and a thin shape may end before it.
static const double WITNESSES[2] = { 0.95, 0.5 };

void abut_ball_search_init(AbutBallSearch* self, const AbutShape* shape)
{
    self->shape = shape;
    self->side = abut_pair_make_side(shape, 0.0f);
    self->has_octree = false;
    self->count = 0;
}

AbutBall* abut_ball_search_add(AbutBallSearch* self, const AbutBallQuery* query, AbutPrimitiveManifold* out,
                               uint32_t id)
{
    ABUT_ASSERT(self->count < ABUT_BALLS);
    AbutBall* ball = &self->balls[self->count++];
    double size = abut_dvec3_length(query->center) + 2.0 * query->radius;
    abut_pair_side_set_size(&self->side, (float)(size * (1.0 + 1e-6)));
    ball->query = query;
    ball->out = out;
    ball->id = id;
    ball->error = self->side.error;
    ball->rounding = self->side.rounding;
    return ball;
}

void abut_ball_search_sample(AbutBallSearch* self, bool gradient)
{
    AbutPairBatch* batch = &self->batch;
    AbutPoints points = { batch->at[0], batch->at[1], batch->at[2] };
    float(*g)[ABUT_PAIR_BATCH] = batch->gradient[0];
    AbutSamples out = { batch->distance[0], gradient ? g[0] : NULL, gradient ? g[1] : NULL,
                        gradient ? g[2] : NULL };
    abut_shape_sample_batch(self->shape, NULL, points, batch->count, out);
}

static void set_point(AbutBallSearch* self, size_t i, AbutDVec3 at)
{
    abut_pair_batch_set(&self->batch, i, abut_dvec3_to_vec3(at));
}

static AbutDVec3 point_at(const AbutBallSearch* self, size_t i)
{
    return abut_dvec3_from_vec3(abut_pair_batch_point(&self->batch, i));
}

/// The unit normal at a sample; zero where there is no gradient.
static AbutDVec3 normal_at(const AbutBallSearch* self, size_t i)
{
    const AbutPairBatch* batch = &self->batch;
    return abut_dvec3_normalize(
        abut_dvec3(batch->gradient[0][0][i], batch->gradient[0][1][i], batch->gradient[0][2][i]));
}

double abut_ball_error_at(AbutBallSearch* self, const AbutBall* ball, size_t i)
{
    if (!self->side.is_field)
    {
        return (double)ball->error;
    }
    self->side.rounding = ball->rounding;
    float own = abut_pair_field_error(&self->side, &self->batch, i);
    return (double)(own < ball->error ? own : ball->error);
}

double abut_ball_away(const AbutBallSearch* self, const AbutBall* ball, size_t i)
{
    return abut_dvec3_distance(point_at(self, i), ball->query->center) * (1.0 + 1e-14) +
           ball->query->rounding;
}

bool abut_ball_shape_is_exact(const AbutShape* shape)
{
    const AbutShapeInfo* info = &shape->info;
    return info->distance_kind == ABUT_DISTANCE_EXACT && info->kind != ABUT_SHAPE_FIELD &&
           info->band == INFINITY;
}

/// The point where a ball is sampled first: beyond its bounds a field is no more than a lower bound.
static AbutDVec3 start_of(const AbutShape* shape, AbutDVec3 center)
{
    if (abut_shape_leaf(shape)->info.kind != ABUT_SHAPE_FIELD)
    {
        return center;
    }
    AbutDVec3 low = abut_dvec3_from_vec3(shape->info.bounds.min),
              high = abut_dvec3_from_vec3(shape->info.bounds.max);
    return abut_dvec3_max(low, abut_dvec3_min(center, high));
}

/// What the sample of a ball proves.
static void prove_center(AbutBallSearch* self, AbutBall* ball, size_t i)
{
    AbutPrimitiveManifold* out = ball->out;
    double radius = ball->query->radius, distance = (double)self->batch.distance[0][i];
    double error = abut_ball_error_at(self, ball, i), away = abut_ball_away(self, ball, i),
           outside = ball->outside;
    double low = (distance - error) / (double)self->side.slope * (1.0 - 1e-14);
    if (outside > 0.0)
    {
        // The sample is within the rounding of a float of the point that it stands for.
        double rounding = ball->query->rounding + 0x1p-23 * abut_dvec3_taxicab(point_at(self, i));
        low = abut_larger(low - rounding, 0.0);
        out->low = sqrt(outside * outside + low * low) * (1.0 - 1e-14) - ball->query->rounding - radius;
    }
    else
    {
        out->low = low - away - radius;
    }
    ball->sharp_error = error;
    ball->is_outside = outside > ball->query->rounding || distance - error > 0.0;
    out->touching = distance <= radius && distance + error <= 0.0 && away <= radius;
    out->count = 0;
    out->close = false;
}

void abut_ball_search_measure(AbutBallSearch* self)
{
    for (size_t i = 0; i < self->count; ++i)
    {
        AbutBall* ball = &self->balls[i];
        AbutDVec3 start = start_of(self->shape, ball->query->center);
        ball->outside = abut_dvec3_distance(start, ball->query->center);
        set_point(self, i, start);
    }
    self->batch.count = self->count;
    abut_ball_search_sample(self, true);
    for (size_t i = 0; i < self->count; ++i)
    {
        AbutBall* ball = &self->balls[i];
        AbutDVec3 normal = normal_at(self, i), at = point_at(self, i);
        double distance = (double)self->batch.distance[0][i];
        prove_center(self, ball, i);
        ball->at = abut_dvec3_mul_sub(at, distance, normal);
        ball->normal = normal;
        ball->distance = distance;
        if (ball->outside > 0.0)
        {
            AbutDVec3 back = abut_dvec3_sub(ball->query->center, ball->at);
            ball->distance = abut_dvec3_length(back);
            ball->normal = abut_dvec3_div(back, ball->distance);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Closest points
// -----------------------------------------------------------------------------------------------------------

/// The last step of a refinement along the surface.
typedef struct Step
{
    AbutDVec3 along; // way to the foot of the centre on the tangent plane
    double length;   // of that
    double fraction; // of it that the step took
    // Where that way has reversed: distance to the last point beyond the closest one, and the length of the
    // way there; else 0.
    double width, beyond;
} Step;

/// Fraction of the way `along` to take: 1/(1 + height · curvature) where steps converge at once, which the
/// change of the way over the last step shows. Interpolants have edges, at which the way reverses without
/// becoming short: the closest point stays between the last points on either side.
static double fraction_of(Step* last, AbutDVec3 along, double length)
{
    double before = last->length, cosine = abut_dvec3_dot(along, last->along) / (before * length);
    if (cosine < -0.5)
    {
        last->width = last->fraction * before;
        last->beyond = before;
    }
    else
    {
        last->width = cosine > 0.5 ? last->width - last->fraction * before : 0.0;
        last->beyond *= 0.5;
    }
    if (last->width > 0.0)
    {
        return last->width / (length + last->beyond);
    }
    double change = 1.0 - cosine * length / before;
    return change > 0.25 * last->fraction ? last->fraction / change : 4.0;
}

/// True when another step would change position and distance too little: `along` is the displacement to the
/// foot of the centre, `step` the length of the next step.
static bool is_refined(const AbutBall* ball, double along, double step)
{
    double radius = ball->query->radius, coarse = COARSELY_REFINED * COARSELY_REFINED * radius * radius,
           error = (double)ball->error * radius;
    double least = abut_larger(REFINED * REFINED * radius * radius, abut_smaller(coarse, error));
    return !(along * along > least) || (4.0 * step * step <= coarse && step * along <= error);
}

/// One step from sample i, onto the surface and along it towards the centre. False at the closest point.
static bool advance(const AbutBallSearch* self, AbutBall* ball, size_t i, Step* last, int step)
{
    const AbutBallQuery* query = ball->query;
    AbutDVec3 outward = normal_at(self, i);
    ball->at = abut_dvec3_mul_sub(point_at(self, i), (double)self->batch.distance[0][i], outward);
    AbutDVec3 back = abut_dvec3_sub(query->center, ball->at);
    AbutDVec3 along = abut_dvec3_mul_sub(back, abut_dvec3_dot(back, outward), outward);
    double length = abut_dvec3_length(along);
    if (step > 0 && length > 0.0)
    {
        last->fraction = fraction_of(last, along, length);
    }
    last->fraction = abut_smaller(last->fraction, query->radius / length);
    if (step + 1 == REFINE_STEPS || is_refined(ball, length, last->fraction * length))
    {
        return false;
    }
    last->along = along;
    last->length = length;
    ball->at = abut_dvec3_mul_add(ball->at, last->fraction, along);
    return true;
}

static void set_closest(AbutBall* ball)
{
    AbutDVec3 back = abut_dvec3_sub(ball->query->center, ball->at);
    double length = abut_dvec3_length(back);
    if (length > REFINED * ball->query->radius)
    {
        ball->normal = abut_dvec3_div(back, length);
        ball->distance = length;
    }
}

void abut_balls_refine(AbutBallSearch* self, const AbutBallList* list)
{
    Step steps[ABUT_BALLS];
    AbutBallList open = *list;
    for (size_t i = 0; i < open.count; ++i)
    {
        steps[open.items[i]] = (Step){ .fraction = FIRST_FRACTION };
    }
    for (int step = 0; step < REFINE_STEPS && open.count > 0; ++step)
    {
        self->batch.count = open.count;
        for (size_t i = 0; i < open.count; ++i)
        {
            set_point(self, i, self->balls[open.items[i]].at);
        }
        abut_ball_search_sample(self, true);
        size_t kept = 0;
        for (size_t i = 0; i < open.count; ++i)
        {
            uint8_t k = open.items[i];
            open.items[kept] = k;
            kept += advance(self, &self->balls[k], i, &steps[k], step) ? 1 : 0;
        }
        open.count = kept;
    }
    for (size_t i = 0; i < list->count; ++i)
    {
        set_closest(&self->balls[list->items[i]]);
    }
}

void abut_balls_prove_common(AbutBallSearch* self, const AbutBallList* list)
{
    self->batch.count = 2 * list->count;
    for (size_t i = 0; i < self->batch.count; ++i)
    {
        const AbutBall* ball = &self->balls[list->items[i / 2]];
        double along = ball->distance + WITNESSES[i % 2] * (ball->query->radius - ball->distance);
        set_point(self, i, abut_dvec3_mul_sub(ball->query->center, along, ball->normal));
    }
    if (list->count > 0)
    {
        abut_ball_search_sample(self, false);
    }
    for (size_t i = 0; i < self->batch.count; ++i)
    {
        AbutBall* ball = &self->balls[list->items[i / 2]];
        float distance = self->batch.distance[0][i];
        bool inside =
            !ball->out->touching && distance <= 0.0f &&
            abut_ball_away(self, ball, i) <= ball->query->radius &&
            (distance + ball->error <= 0.0f || (double)distance + abut_ball_error_at(self, ball, i) <= 0.0);
        ball->out->touching = ball->out->touching || inside;
    }
}
