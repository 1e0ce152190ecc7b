// Contacts of balls with a shape: the closest point, and points in other directions of concave shapes.
#include "narrow/primitive/ball_search.h"

#include <math.h>

enum
{
    DIRECTIONS = 14, // faces and corners of a cube
    MOST_POINTS = 4
};

_Static_assert(DIRECTIONS* ABUT_BALLS <= ABUT_PAIR_BATCH, "all directions of all balls are one batch");

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

/// `first`: of the points of this ball in the manifold.
static bool is_known_direction(const AbutBall* ball, uint32_t first, AbutDVec3 normal)
{
    const AbutPrimitiveManifold* out = ball->out;
    bool known = false;
    for (uint32_t i = first; i < out->count; ++i)
    {
        known = known || abut_dvec3_dot(out->points[i].normal, normal) > SAME_DIRECTION;
    }
    return known;
}

/// Adds a point of the ball in the direction −normal, `gap` from the surface of the shape, unless there is a
/// closer one in nearly the same direction.
static void add_point(AbutBall* ball, uint32_t first, AbutDVec3 normal, double gap, uint32_t direction)
{
    const AbutBallQuery* query = ball->query;
    AbutPrimitiveManifold* out = ball->out;
    if (!(gap <= query->margin) || !(abut_dvec3_squared_length(normal) > 0.0) ||
        is_known_direction(ball, first, normal) || out->count - first >= MOST_POINTS ||
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

/// Samples of the surfaces of balls in all directions.
static void sample_directions(AbutBallSearch* self, const AbutBallList* list)
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
    self->batch.count = 0;
    for (size_t i = 0; i < list->count; ++i)
    {
        const AbutBallQuery* query = self->balls[list->items[i]].query;
        AbutVec3 center = abut_dvec3_to_vec3(query->center);
        float radius = (float)query->radius;
        for (size_t k = 0; k < DIRECTIONS; ++k)
        {
            AbutVec3 direction = abut_vec3(directions[k][0], directions[k][1], directions[k][2]);
            abut_pair_batch_set(&self->batch, self->batch.count++,
                                abut_vec3_add(center, abut_vec3_scale(direction, radius)));
        }
    }
    abut_ball_search_sample(self, true);
}

/// Directions in which the surface is close to the ball, by those samples.
static size_t find_candidates(AbutBallSearch* self, const AbutBallList* list, const uint32_t* first,
                              Candidate* candidates)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; ++i)
    {
        AbutBall* ball = &self->balls[list->items[i]];
        float limit = (float)(ball->query->margin + NEXT_DIRECTION * ball->query->radius);
        for (uint32_t k = 0; k < DIRECTIONS; ++k)
        {
            size_t sample = i * DIRECTIONS + k;
            if (self->batch.distance[0][sample] <= limit)
            {
                candidates[count] = (Candidate){ ball, normal_at(&self->batch, sample), k + 1 };
                count += is_known_direction(ball, first[i], candidates[count].normal) ? 0 : 1;
            }
        }
    }
    return count;
}

/// Samples of the ball's surface in all directions, and again in those of the normals found there.
static void add_other_directions(AbutBallSearch* self, const AbutBallList* list, const uint32_t* first)
{
    Candidate candidates[DIRECTIONS * ABUT_BALLS];
    sample_directions(self, list);
    size_t count = find_candidates(self, list, first, candidates);
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
    size_t member = 0;
    for (size_t i = 0; i < count; ++i)
    {
        AbutBall* ball = candidates[i].ball;
        while (&self->balls[list->items[member]] != ball)
        {
            ++member;
        }
        // A normal that changed on the way belongs to another place of the surface.
        double gap = (double)self->batch.distance[0][i];
        if (gap <= ball->query->margin &&
            abut_dvec3_dot(normal_at(&self->batch, i), candidates[i].normal) > SAME_DIRECTION)
        {
            add_point(ball, first[member], candidates[i].normal, gap, candidates[i].direction);
        }
    }
}

void abut_balls_add_points(AbutBallSearch* self, const AbutBallList* list)
{
    AbutBallList others = { 0 };
    uint32_t first[ABUT_BALLS];
    for (size_t i = 0; i < list->count; ++i)
    {
        AbutBall* ball = &self->balls[list->items[i]];
        uint32_t before = ball->out->count;
        add_point(ball, before, ball->normal, ball->distance - ball->query->radius, 0);
        if (!self->shape->info.convex && ball->distance > 0.0)
        {
            first[others.count] = before;
            abut_ball_list_add(&others, list->items[i]);
        }
    }
    if (others.count > 0)
    {
        add_other_directions(self, &others, first);
    }
}
