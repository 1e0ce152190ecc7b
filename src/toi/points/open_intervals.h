/// @file open_intervals.h
/// The windows of time in which spheres of a tree are open: neither outside nor inside of a solid as a whole.
#ifndef ABUT_TOI_POINTS_OPEN_INTERVALS_H
#define ABUT_TOI_POINTS_OPEN_INTERVALS_H

#include "toi/points/crossings.h"
#include "toi/points/points.h"

/// A node of the tree and what is known of it.
typedef struct AbutWindowTask
{
    uint32_t node;
    AbutWindows windows;
} AbutWindowTask;

enum
{
    ABUT_LOOK_DEPTH = 32 // parts of the time that a look remembers
};

/// A part of a window that is still to be looked at.
typedef struct AbutLookPart
{
    uint16_t begin, end;
    uint8_t before; // inside right before it, or ABUT_NOT_KNOWN: as was known already
} AbutLookPart;

/// Looks at a sphere through the windows of its parent, from the first to the last.
typedef struct AbutLook
{
    AbutWindowTask task; // what has been found out
    AbutWindows parent;
    double center[3], radius;
    double from[3], rate[3]; // straight paths: where it is at tick 0, and how it moves per tick
    double way;              // shorter parts are left open
    double gap;              // between windows that are one
    double speed;            // per tick, as last seen
    uint8_t window, depth;
    bool is_inside, is_done;
    AbutLookPart part;                   // that the next sample is taken in
    AbutLookPart parts[ABUT_LOOK_DEPTH]; // after it, from the last to the first
} AbutLook;

typedef struct AbutLooks
{
    const AbutPointSide* side;
    AbutKnots* knots;
    uint64_t* evaluations;
    uint32_t count;
    AbutLook looks[ABUT_SWEEP_BATCH];
} AbutLooks;

/// Adds a node whose parent has these windows.
void abut_looks_add(AbutLooks* looks, uint32_t node, const AbutWindows* parent);

/// Finds out what samples tell about all of them: looks[i].task.
void abut_looks_run(AbutLooks* looks);

#endif
