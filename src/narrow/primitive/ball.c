#include "narrow/primitive/ball.h"

#include "base/assert.h"
#include "narrow/primitive/ball_field.h"
#include "narrow/primitive/ball_search.h"

#include <math.h>

/// Outside of its box a field is no more than a lower bound. A point that is not in the ball by the samples
/// may be none of the surface: the octree proves that it is not, or has a better one.
static void search_field(AbutBallSearch* self, size_t index)
{
    AbutBall* ball = &self->balls[index];
    const AbutBallQuery* query = ball->query;
    AbutPrimitiveManifold* out = ball->out;
    if (!self->has_octree)
    {
        abut_octree_side_init(&self->octree, &self->side);
        self->octree.unit = 1.0f;
        self->has_octree = true;
    }
    double limit = query->radius + query->rounding;
    double low = abut_ball_field_low(&self->octree, query->center, limit, &ball->at);
    out->low = abut_larger(out->low, low - query->radius - query->rounding);
    if (!(out->low > 0.0))
    {
        const AbutBallList list = { 1, { (uint8_t)index } };
        abut_balls_refine(self, &list);
        if (ball->distance < query->radius)
        {
            abut_balls_prove_common(self, &list);
        }
    }
}

/// Balls whose closest point may be within the margin.
static AbutBallList find_open(const AbutBallSearch* self)
{
    AbutBallList open = { 0 };
    for (size_t i = 0; i < self->count; ++i)
    {
        const AbutBall* ball = &self->balls[i];
        if (ball->out->low <= abut_larger(ball->query->margin, 0.0))
        {
            abut_ball_list_add(&open, i);
        }
    }
    return open;
}

/// Closest points of a shape whose samples are no distances.
static void refine(AbutBallSearch* self, const AbutBallList* open)
{
    AbutBallList list = { 0 };
    for (size_t i = 0; i < open->count && !abut_ball_shape_is_exact(self->shape); ++i)
    {
        if (self->balls[open->items[i]].distance > 0.0)
        {
            abut_ball_list_add(&list, open->items[i]);
        }
    }
    abut_balls_refine(self, &list);
}

static void prove(AbutBallSearch* self, const AbutBallList* open)
{
    AbutBallList list = { 0 };
    for (size_t i = 0; i < open->count; ++i)
    {
        const AbutBall* ball = &self->balls[open->items[i]];
        if (!ball->out->touching && ball->out->low <= 0.0 && ball->distance < ball->query->radius)
        {
            abut_ball_list_add(&list, open->items[i]);
        }
    }
    abut_balls_prove_common(self, &list);
    for (size_t i = 0; i < open->count && self->side.is_field && isfinite(self->side.growth); ++i)
    {
        uint8_t k = open->items[i];
        const AbutPrimitiveManifold* out = self->balls[k].out;
        if (!out->touching && out->low <= 0.0 && self->balls[k].is_outside)
        {
            search_field(self, k);
        }
    }
}

void abut_balls_collide(const AbutShape* shape, const AbutBallQuery* queries, size_t count,
                        AbutPrimitiveManifold* out, float* errors)
{
    AbutBallSearch self;
    ABUT_ASSERT(count <= ABUT_BALLS);
    abut_ball_search_init(&self, shape);
    for (size_t i = 0; i < count; ++i)
    {
        errors[i] = abut_ball_search_add(&self, &queries[i], &out[i], 0)->error;
    }
    abut_ball_search_measure(&self);
    AbutBallList open = find_open(&self), points = { 0 };
    refine(&self, &open);
    prove(&self, &open);
    for (size_t i = 0; i < open.count; ++i)
    {
        AbutBall* ball = &self.balls[open.items[i]];
        ball->out->close = fabs(ball->distance - ball->query->radius) <= (double)ball->error;
        if (ball->query->wants_points)
        {
            abut_ball_list_add(&points, open.items[i]);
        }
    }
    abut_balls_add_points(&self, &points);
}
