/// @file open_intervals.h
/// The windows of time in which spheres of a tree are open: neither outside nor inside of a solid as a whole.
#ifndef ABUT_TOI_POINTS_OPEN_INTERVALS_H
#define ABUT_TOI_POINTS_OPEN_INTERVALS_H

#include "toi/points/crossings.h"
#include "toi/points/points.h"

/// A node of the tree and what is known of it.
typedef struct AbutOpenNode
{
    uint32_t node;
    AbutOpenIntervals open_intervals;
} AbutOpenNode;

enum
{
    ABUT_SPHERE_QUERY_DEPTH = 32 // parts of the time that a look remembers
};

/// A part of a window that is still to be looked at.
typedef struct AbutTickRange
{
    uint16_t begin, end;
    uint8_t before; // inside right before it, or ABUT_NOT_KNOWN: as was known already
} AbutTickRange;

/// Looks at a sphere through the windows of its parent, from the first to the last.
typedef struct AbutSphereQuery
{
    AbutOpenNode task; // what has been found out
    AbutOpenIntervals parent;
    AbutDVec3 center;
    double radius;
    AbutDVec3 start, velocity; // straight trajectories: the position at tick 0 and the velocity per tick
    double path_length;        // shorter parts are left open
    double gap;                // between windows that are one
    double speed;              // per tick, as last seen
    uint8_t open_interval, depth;
    bool is_inside, is_done;
    AbutTickRange range;                           // that the next sample is taken in
    AbutTickRange ranges[ABUT_SPHERE_QUERY_DEPTH]; // after it, from the last to the first
} AbutSphereQuery;

typedef struct AbutSphereQueue
{
    const AbutToiPointSide* side;
    AbutTrajectorySamples* trajectory_samples;
    uint64_t* evaluations;
    uint32_t count;
    AbutSphereQuery queries[ABUT_TOI_POINT_BATCH];
} AbutSphereQueue;

/// Adds a node whose parent has these windows.
void abut_sphere_queue_add(AbutSphereQueue* queries, uint32_t node, const AbutOpenIntervals* parent);

/// Finds out what samples tell about all of them: looks[i].task.
void abut_sphere_queue_flush(AbutSphereQueue* queries);

#endif
