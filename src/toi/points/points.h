/// @file points.h
/// Points of one body against the shape of another: what both questions, the first touch and all intervals, share.
#ifndef ABUT_TOI_POINTS_POINTS_H
#define ABUT_TOI_POINTS_POINTS_H

#include <abut/toi.h>

#include "points/points.h"
#include "toi/points/safe_radius.h"
#include "toi/points/trajectory.h"

enum
{
    ABUT_TOI_POINT_BATCH = 128 // points that are sampled at once
};

/// A sphere of a tree by its number, or a point by its number and this bit.
#define ABUT_SPHERE_IS_POINT 0x80000000u

static inline void abut_sphere_load(const AbutPointSet* points, uint32_t ref, double center[3],
                                    double* radius)
{
    uint32_t i = ref & ~ABUT_SPHERE_IS_POINT;
    bool is_point = (ref & ABUT_SPHERE_IS_POINT) != 0;
    AbutVec3 at =
        is_point ? abut_vec3(points->at[0][i], points->at[1][i], points->at[2][i]) : points->nodes[i].center;
    center[0] = at.x;
    center[1] = at.y;
    center[2] = at.z;
    *radius = is_point ? 0.0 : (double)points->nodes[i].radius;
}

/// One role of the pair: points that move in the frame of a shape. Lengths are in units of the shape.
typedef struct AbutToiPointSide
{
    const AbutShape* shape;
    const AbutPointSet* points;
    AbutTrajectory path;
    AbutSafeRadius safe_radius;
    double tolerance;
    double error; // of a field's samples near its surface: dips that are less deep mean nothing
    double unit;  // in units of A's frame
    int side;     // 0: points of A against B's shape
} AbutToiPointSide;

/// The sides that have points and a shape, 0 to 2 of them. *count is −1 with a message for input that makes no sense.
void abut_toi_point_sides(const AbutToiInput* input, const AbutRelativeMotion* motion,
                          AbutToiPointSide sides[2], int* count);

/// Places that are sampled together.
typedef struct AbutToiPointBatch
{
    uint32_t count;
    float at[3][ABUT_TOI_POINT_BATCH];
    float distance[ABUT_TOI_POINT_BATCH];
} AbutToiPointBatch;

/// Fills batch->distance.
void abut_toi_point_batch_sample(const AbutToiPointSide* side, AbutToiPointBatch* batch);

/// The first touch of a side's points before `limit`, as far as it was found out.
typedef struct AbutFirstTouch
{
    double free_until; // no point touches before; 1 or more: at all
    bool is_spent;     // the budget ended there
    bool is_touching;  // at the start already
    uint32_t point;    // that is nearly touching at free_until
    double gap;        // and how far it is at most
    bool is_proved;
    double touch_time; // at which a point was seen to touch, where proved
    double clearance;  // no point comes nearer, where all are free
} AbutFirstTouch;

/// Adds to *evaluations, up to `budget`.
AbutFirstTouch abut_toi_point_side_first(const AbutToiPointSide* side, double limit, uint64_t budget,
                                         uint64_t* evaluations);

/// Fills place and normal of a touch of `point` at a time.
void abut_toi_point_side_describe(const AbutToiPointSide* side, uint32_t point, double time,
                                  AbutToiOutput* output);

/// abut_time_of_impact() by ABUT_TOI_POINTS: the first touch of a point. `motion` is that of `input`, which has been checked.
AbutToiOutput abut_toi_points_first(const AbutToiInput* input, const AbutRelativeMotion* motion);

/// abut_toi_intervals().
AbutToiOutput abut_toi_points_intervals(const AbutToiInput* input, const AbutRelativeMotion* motion,
                                        AbutPointInterval* intervals, uint32_t capacity);

#endif
