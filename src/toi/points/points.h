/// @file points.h
/// Points of one body against the shape of another: the sides of a pair, for first contacts and intervals.
#ifndef ABUT_TOI_POINTS_POINTS_H
#define ABUT_TOI_POINTS_POINTS_H

#include <abut/toi.h>

#include "points/points.h"
#include "toi/points/safe_radius.h"
#include "toi/points/trajectory.h"

enum
{
    ABUT_TOI_POINT_BATCH = 128 // points sampled at once
};

/// Marks the index of a point, against the index of a sphere of the tree.
#define ABUT_SPHERE_IS_POINT 0x80000000u

/// The centre of a sphere; the radius of a point is 0.
static inline AbutDVec3 abut_sphere_load(const AbutPointSet* points, uint32_t ref, double* radius)
{
    uint32_t i = ref & ~ABUT_SPHERE_IS_POINT;
    bool is_point = (ref & ABUT_SPHERE_IS_POINT) != 0;
    *radius = is_point ? 0.0 : (double)points->nodes[i].radius;
    return is_point ? abut_dvec3(points->at[0][i], points->at[1][i], points->at[2][i])
                    : abut_dvec3_from_vec3(points->nodes[i].center);
}

/// One side of the pair: points that move in the frame of a shape. Lengths are in units of the shape.
typedef struct AbutToiPointSide
{
    const AbutShape* shape;
    const AbutPointSet* points;
    AbutTrajectory path;
    AbutSafeRadius safe_radius;
    double tolerance;
    double error; // of a field's samples at its surface: penetrations of less depth are ignored
    double unit;  // of the shape, in units of A's frame
    int side;     // 0: points of A against B's shape
} AbutToiPointSide;

/// The sides with points and a shape, 0 to 2 of them. *count is −1 with a message for invalid input.
void abut_toi_point_sides(const AbutToiInput* input, const AbutRelativeMotion* motion,
                          AbutToiPointSide sides[2], int* count);

/// Positions that are sampled together.
typedef struct AbutToiPointBatch
{
    uint32_t count;
    float at[3][ABUT_TOI_POINT_BATCH];
    float distance[ABUT_TOI_POINT_BATCH];
} AbutToiPointBatch;

static inline void abut_toi_point_batch_set(AbutToiPointBatch* batch, uint32_t i, AbutDVec3 at)
{
    batch->at[0][i] = (float)at.x;
    batch->at[1][i] = (float)at.y;
    batch->at[2][i] = (float)at.z;
}

/// Fills batch->distance.
void abut_toi_point_batch_sample(const AbutToiPointSide* side, AbutToiPointBatch* batch);

/// Fills position and normal of a contact of `point` at a time.
void abut_toi_point_side_describe(const AbutToiPointSide* side, uint32_t point, double time,
                                  AbutToiOutput* output);

/// abut_time_of_impact() by ABUT_TOI_POINTS: the first contact of a point. `motion` is that of `input`, which
/// has been checked.
AbutToiOutput abut_toi_points_first(const AbutToiInput* input, const AbutRelativeMotion* motion);

#endif
