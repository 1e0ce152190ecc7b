/// @file ball.h
/// A ball and any shape with a distance: one sample at the centre, then a few to refine.
#ifndef ABUT_NARROW_PRIMITIVE_BALL_H
#define ABUT_NARROW_PRIMITIVE_BALL_H

#include "narrow/primitive/manifold.h"

typedef struct AbutBallQuery
{
    const AbutShape* shape; // the other one, of any kind
    AbutDVec3 center;       // of the ball, in the frame and unit of the shape
    double radius;          // over 0
    double rounding;        // of the centre
    double margin;
    bool wants_points;
} AbutBallQuery;

/// In the frame and unit of the shape, as if it were B: normals are its own. Concave shapes have a point in
/// each direction that their surface is in, up to the capacity of the manifold. Returns the error bound of
/// the samples.
float abut_ball_collide(const AbutBallQuery* query, AbutPrimitiveManifold* out);

#endif
