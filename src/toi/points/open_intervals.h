/// @file open_intervals.h
/// The open intervals of spheres of a tree: times at which a sphere is neither outside nor inside of a solid
/// as a whole.
#ifndef ABUT_TOI_POINTS_OPEN_INTERVALS_H
#define ABUT_TOI_POINTS_OPEN_INTERVALS_H

#include "toi/points/crossings.h"
#include "toi/points/points.h"

/// A node of the tree and its open intervals.
typedef struct AbutOpenNode
{
    uint32_t node;
    AbutOpenIntervals open_intervals;
} AbutOpenNode;

enum
{
    ABUT_SPHERE_QUERY_DEPTH = 32 // ranges on the stack of a query
};

/// A range of an open interval that is not yet decided.
typedef struct AbutTickRange
{
    uint16_t begin, end;
    uint8_t before; // inside right before it, or ABUT_NOT_KNOWN: unchanged
} AbutTickRange;

/// A sphere in the open intervals of its parent, from the first to the last.
typedef struct AbutSphereQuery
{
    AbutOpenNode task; // the result
    AbutOpenIntervals parent;
    AbutDVec3 center;
    double radius;
    AbutDVec3 start, velocity; // straight trajectories: the position at tick 0 and the velocity per tick
    double path_length;        // ranges with less displacement are left open
    double gap;                // displacement between intervals that are joined
    double speed;              // per tick, of the last sample
    uint8_t open_interval, depth;
    bool is_inside, is_done;
    AbutTickRange range;                           // of the next sample
    AbutTickRange ranges[ABUT_SPHERE_QUERY_DEPTH]; // later ones, from the last to the first
} AbutSphereQuery;

typedef struct AbutSphereQueue
{
    const AbutToiPointSide* side;
    AbutTrajectorySamples* trajectory_samples;
    uint64_t* evaluations;
    uint32_t count;
    AbutSphereQuery queries[ABUT_TOI_POINT_BATCH];
} AbutSphereQueue;

/// Adds a node whose parent has these open intervals.
void abut_sphere_queue_add(AbutSphereQueue* queries, uint32_t node, const AbutOpenIntervals* parent);

/// Samples all queries until their open intervals are known: queries[i].task.
void abut_sphere_queue_flush(AbutSphereQueue* queries);

#endif
