/// @file queue.h
/// Boxes of a search by the time until which they are free: a binary heap of fixed size.
#ifndef ABUT_TOI_SOLIDS_QUEUE_H
#define ABUT_TOI_SOLIDS_QUEUE_H

#include <abut/math.h>

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
    bool retry;  // another bound comes before a division
} AbutToiBox;

typedef struct AbutToiQueue
{
    uint32_t count;
    AbutToiBox boxes[ABUT_TOI_QUEUE]; // a heap
} AbutToiQueue;

/// The queue must not be full.
void abut_toi_queue_push(AbutToiQueue* queue, const AbutToiBox* box);

/// The earliest box; false when the queue is empty.
bool abut_toi_queue_pop(AbutToiQueue* queue, AbutToiBox* box);

/// Drops boxes that are free until `limit`.
void abut_toi_queue_keep(AbutToiQueue* queue, double limit);

#endif
