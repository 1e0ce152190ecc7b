/// @file queue.h
/// Boxes by the time until which they are free, the shortest first.
#ifndef ABUT_TOI_SOLIDS_QUEUE_H
#define ABUT_TOI_SOLIDS_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

enum
{
    ABUT_IMPACT_QUEUE = 4096
};

typedef struct AbutImpactBox
{
    double time;     // free until then
    float center[3]; // in the moving shape's frame
    uint8_t level;
    bool inside; // all of it is inside of the moving shape
    bool again;  // it pays to look at it again before it is divided
} AbutImpactBox;

typedef struct AbutImpactQueue
{
    uint32_t count;
    AbutImpactBox boxes[ABUT_IMPACT_QUEUE]; // a heap
} AbutImpactQueue;

/// There must be room.
void abut_impact_queue_push(AbutImpactQueue* queue, const AbutImpactBox* box);

/// False when it is empty.
bool abut_impact_queue_pop(AbutImpactQueue* queue, AbutImpactBox* box);

/// Leaves out boxes that are free until `limit`.
void abut_impact_queue_keep(AbutImpactQueue* queue, double limit);

#endif
