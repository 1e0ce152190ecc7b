// Contacts of balls with a shape: the closest point, and points in other directions of concave shapes.
#include "narrow/primitive/ball_search.h"

#include <math.h>

enum
{
    DIRECTIONS = 14,                                // faces and corners of a cube
    BALLS_PER_BATCH = ABUT_PAIR_BATCH / DIRECTIONS, // with all directions of each
    MOST_POINTS = 4
};

/// Fraction of the radius within which a sample on the ball in a direction next to that of a contact may be
/// over the margin: 1 − the cosine of the largest angle to one of the directions, and a little more.
static const double NEXT_DIRECTION = 0.2;

/// Cosine of the angle within which two points are one.
static const double SAME_DIRECTION = 0.9;

/// A direction in which a ball may touch.
typedef struct Candidate
{
    AbutBall* ball;
    AbutDVec3 normal;
    uint32_t direction;
} Candidate;

static bool is_known_direction(const AbutBall* ball, AbutDVec3 normal)
{
    const AbutPrimitiveManifold* out = ball->out;
    bool known = false;
    for (uint32_t i = ball->first; i < out->count; ++i)
    {
        known = known || abut_dvec3_dot(out->points[i].normal, normal) > SAME_DIRECTION;
    }
    return known;
}

/// Adds a point of the ball in the direction −normal, `gap` from the surface of the shape, unless there is a
/// closer one in nearly the same direction.
static void add_point(AbutBall* ball, AbutDVec3 normal, double gap, uint32_t direction)
{
    const AbutBallQuery* query = ball->query;
    AbutPrimitiveManifold* out = ball->out;
    if (!(gap <= query->margin) || !(abut_dvec3_squared_length(normal) > 0.0) ||
        is_known_direction(ball, normal) || out->count - ball->first >= MOST_POINTS ||
        out->count == ABUT_PRIMITIVE_POINTS)
    {
        return; // the first one is the closest of all, and the others are local
    }
    AbutDVec3 on_ball = abut_dvec3_mul_sub(query->center, query->radius, normal);
    out->points[out->count++] = (AbutPrimitivePoint){ on_ball, abut_dvec3_mul_sub(on_ball, gap, normal),
                                                      normal, gap, ball->id + direction };
}

static AbutDVec3 normal_at(const AbutPairBatch* batch, size_t i)
{
    return abut_dvec3_normalize(
        abut_dvec3(batch->gradient[0][0][i], batch->gradient[0][1][i], batch->gradient[0][2][i]));
}

static AbutVec3 point_in_direction(const AbutBall* ball, uint32_t direction)
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
    const float* d = directions[direction];
    AbutVec3 at = abut_vec3_scale(abut_vec3(d[0], d[1], d[2]), (float)ball->query->radius);
    return abut_vec3_add(abut_dvec3_to_vec3(ball->query->center), at);
}

/// Directions in which the surface is close to the ball, by samples of distances.
static size_t find_close(AbutBallSearch* self, const AbutBallList* list, Candidate* candidates)
{
    size_t count = 0;
    self->batch.count = 0;
    for (size_t i = 0; i < list->count; ++i)
    {
        for (uint32_t k = 0; k < DIRECTIONS; ++k)
        {
            AbutVec3 at = point_in_direction(&self->balls[list->items[i]], k);
            abut_pair_batch_set(&self->batch, self->batch.count++, at);
        }
    }
    abut_ball_search_sample(self, false);
    for (size_t i = 0; i < list->count; ++i)
    {
        AbutBall* ball = &self->balls[list->items[i]];
        float limit = (float)(ball->query->margin + NEXT_DIRECTION * ball->query->radius);
        for (uint32_t k = 0; k < DIRECTIONS; ++k)
        {
            candidates[count].ball = ball;
            candidates[count].direction = k + 1;
            count += self->batch.distance[0][i * DIRECTIONS + k] <= limit ? 1 : 0;
        }
    }
    return count;
}

/// Their normals; those without a point of the ball in nearly the same direction stay.
static size_t find_candidates(AbutBallSearch* self, Candidate* candidates, size_t count)
{
    size_t kept = 0;
    self->batch.count = count;
    for (size_t i = 0; i < count; ++i)
    {
        abut_pair_batch_set(&self->batch, i,
                            point_in_direction(candidates[i].ball, candidates[i].direction - 1));
    }
    abut_ball_search_sample(self, true);
    for (size_t i = 0; i < count; ++i)
    {
        Candidate candidate = candidates[i];
        candidate.normal = normal_at(&self->batch, i);
        candidates[kept] = candidate;
        kept += is_known_direction(candidate.ball, candidate.normal) ? 0 : 1;
    }
    return kept;
}

/// Samples of the ball's surface in all directions, and again in those of the normals found there; at most
/// BALLS_PER_BATCH balls.
static void add_other_directions(AbutBallSearch* self, const AbutBallList* list)
{
    Candidate candidates[DIRECTIONS * BALLS_PER_BATCH + 1];
    size_t count = find_close(self, list, candidates);
    count = count > 0 ? find_candidates(self, candidates, count) : 0;
    self->batch.count = count;
    for (size_t i = 0; i < count; ++i)
    {
        const AbutBallQuery* query = candidates[i].ball->query;
        AbutDVec3 at = abut_dvec3_mul_sub(query->center, query->radius, candidates[i].normal);
        abut_pair_batch_set(&self->batch, i, abut_dvec3_to_vec3(at));
    }
    if (count > 0)
    {
        abut_ball_search_sample(self, true);
    }
    for (size_t i = 0; i < count; ++i)
    {
        AbutBall* ball = candidates[i].ball;
        // A normal that changed on the way belongs to another place of the surface.
        double gap = (double)self->batch.distance[0][i];
        if (gap <= ball->query->margin &&
            abut_dvec3_dot(normal_at(&self->batch, i), candidates[i].normal) > SAME_DIRECTION)
        {
            add_point(ball, candidates[i].normal, gap, candidates[i].direction);
        }
    }
}

void abut_balls_add_points(AbutBallSearch* self, const AbutBallList* list)
{
    AbutBallList others = { 0 };
    for (size_t i = 0; i < list->count; ++i)
    {
        AbutBall* ball = &self->balls[list->items[i]];
        ball->first = ball->out->count;
        add_point(ball, ball->normal, ball->distance - ball->query->radius, 0);
        if (!self->shape->info.convex && ball->distance > 0.0)
        {
            abut_ball_list_add(&others, list->items[i]);
        }
        if (others.count == BALLS_PER_BATCH || (i + 1 == list->count && others.count > 0))
        {
            add_other_directions(self, &others);
            others.count = 0;
        }
    }
}
