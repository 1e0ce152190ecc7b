/// @file swept_ball.h
/// A capsule and any shape with a distance: branch and bound along its segment, then balls at a few
/// positions.
#ifndef ABUT_NARROW_PRIMITIVE_SWEPT_BALL_H
#define ABUT_NARROW_PRIMITIVE_SWEPT_BALL_H

#include "narrow/primitive/manifold.h"

/// In the frame and unit of the shape.
typedef struct AbutSweptBallQuery
{
    AbutDVec3 ends[2];
    double radius;   // over 0
    double rounding; // of the ends
    double margin;
    bool wants_points;
} AbutSweptBallQuery;

typedef struct AbutSweptBallResult
{
    float error;      // bound of the errors of samples
    uint32_t samples; // of the shape, but for those of contacts
} AbutSweptBallResult;

/// As abut_balls_collide() for a ball that is swept along a segment. The bound: no point of the segment
/// within h of a sample is closer to the solid than the proved distance there less h.
AbutSweptBallResult abut_swept_ball_collide(const AbutShape* shape, const AbutSweptBallQuery* query,
                                            AbutPrimitiveManifold* out);

#endif
