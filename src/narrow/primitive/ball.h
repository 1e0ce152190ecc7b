/// @file ball.h
/// Balls and any shape with a distance: one sample at each centre, then a few to refine. A capsule is a ball
/// that is swept along a segment.
#ifndef ABUT_NARROW_PRIMITIVE_BALL_H
#define ABUT_NARROW_PRIMITIVE_BALL_H

#include "narrow/primitive/manifold.h"

enum
{
    ABUT_BALLS = 16 // of a call
};

/// In the frame and unit of the shape.
typedef struct AbutBallQuery
{
    AbutDVec3 center;
    double radius;   // over 0
    double rounding; // of the centre
    double margin;
    bool wants_points;
} AbutBallQuery;

/// Up to ABUT_BALLS balls and a shape of any kind, in the frame and unit of the shape, as if that were B:
/// normals are its own. Concave shapes have a point in each direction that their surface is in, up to the
/// capacity of the manifold. The answers are those of one ball at a time. `errors` are bounds of the errors
/// of the samples.
void abut_balls_collide(const AbutShape* shape, const AbutBallQuery* queries, size_t count,
                        AbutPrimitiveManifold* out, float* errors);

#endif
