/// @file ball_search.h
/// Balls and one shape: what balls (ball.c) and capsules (swept_ball.c) share. Every stage takes many balls,
/// so that their samples are one batch; no ball's answer depends on the others.
#ifndef ABUT_NARROW_PRIMITIVE_BALL_SEARCH_H
#define ABUT_NARROW_PRIMITIVE_BALL_SEARCH_H

#include "narrow/primitive/ball.h"
#include "search/octree_side.h"

/// A ball on its way to a manifold.
typedef struct AbutBall
{
    const AbutBallQuery* query;
    AbutPrimitiveManifold* out;
    uint32_t id;           // of its first point; those of other directions follow
    float error, rounding; // of samples of the shape
    double distance;       // of the centre; after refinement from the closest point
    AbutDVec3 normal;      // there; zero where there is no gradient
    double outside;        // of the centre from the bounds, or 0
    bool is_outside;       // proved of the centre: it is not in the solid
    double sharp_error;    // of the sample at the centre
    AbutDVec3 at;          // of a refinement: a point close to the surface
    uint32_t first;        // of its points in the manifold
} AbutBall;

typedef struct AbutBallSearch
{
    const AbutShape* shape;
    AbutPairSide side;   // error and rounding are those of the ball in use
    AbutPairBatch batch; // samples of the shape are those of side 0
    bool has_octree;
    AbutOctreeSide octree; // of a field, once it is needed
    size_t count;
    AbutBall balls[ABUT_BALLS];
} AbutBallSearch;

/// A set of balls of a search.
typedef struct AbutBallList
{
    size_t count;
    uint8_t items[ABUT_BALLS];
} AbutBallList;

static inline void abut_ball_list_add(AbutBallList* list, size_t ball)
{
    list->items[list->count++] = (uint8_t)ball;
}

/// No ball yet.
void abut_ball_search_init(AbutBallSearch* self, const AbutShape* shape);

/// A ball, without its sample.
AbutBall* abut_ball_search_add(AbutBallSearch* self, const AbutBallQuery* query, AbutPrimitiveManifold* out,
                               uint32_t id);

/// Samples the points of the batch.
void abut_ball_search_sample(AbutBallSearch* self, bool gradient);

/// Bound of the error of a sample of a ball.
double abut_ball_error_at(AbutBallSearch* self, const AbutBall* ball, size_t i);

/// Distance of a sample from the centre of a ball, as an upper bound.
double abut_ball_away(const AbutBallSearch* self, const AbutBall* ball, size_t i);

/// Distances and normals at the centres of all balls, and what they prove: `low` and `touching`. A centre
/// outside of the bounds of a field is moved to them: with the distance h of the centre from the bounds and d
/// of the new point from the solid, the centre is at least √(h² + d²) from it, since the whole solid lies
/// beyond the plane through the new point across the way there.
void abut_ball_search_measure(AbutBallSearch* self);

/// The closest points of the surface, from points `at` close to it: normals and distances, unless a centre is
/// on the surface.
void abut_balls_refine(AbutBallSearch* self, const AbutBallList* list);

/// `touching` where a sample between the surfaces proves a common point.
void abut_balls_prove_common(AbutBallSearch* self, const AbutBallList* list);

/// Points of the manifold: the closest one, then those in other directions where the shape is not convex.
void abut_balls_add_points(AbutBallSearch* self, const AbutBallList* list);

/// True where the distance of the shape is that of its closest point.
bool abut_ball_shape_is_exact(const AbutShape* shape);

#endif
