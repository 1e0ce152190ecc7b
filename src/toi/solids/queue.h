/// @file queue.h
/// Boxes by the time until which they are free, the shortest first.
#ifndef ABUT_TOI_SOLIDS_QUEUE_H
#define ABUT_TOI_SOLIDS_QUEUE_H

#include <abut/math.h>

#include <stdbool.h>
#include <stdint.h>

enum
{
    ABUT_TOI_QUEUE = 4096
};

typedef struct AbutToiBox
{
    double time;     // free until then
    AbutVec3 center; // in the moving shape's frame
    uint8_t level;
    bool inside; // all of it is inside of the moving shape
    bool retry;  // it pays to look at it again before it is divided
} AbutToiBox;

typedef struct AbutToiQueue
{
    uint32_t count;
    AbutToiBox boxes[ABUT_TOI_QUEUE]; // a heap
} AbutToiQueue;

/// There must be room.
void abut_toi_queue_push(AbutToiQueue* queue, const AbutToiBox* box);

/// False when it is empty.
bool abut_toi_queue_pop(AbutToiQueue* queue, AbutToiBox* box);

/// Leaves out boxes that are free until `limit`.
void abut_toi_queue_keep(AbutToiQueue* queue, double limit);

#endif
