/// @file bounds.h
/// Boxes of the moving shape, each at a time: for how long they are free of the standing shape, from
/// distances alone.
#ifndef ABUT_TOI_SOLIDS_BOUNDS_H
#define ABUT_TOI_SOLIDS_BOUNDS_H

#include "toi/solids/solids.h"

#include <math.h>

enum
{
    ABUT_TOI_GROUP = 4, // boxes that are bounded or divided together
    ABUT_TOI_BATCH = 8 * ABUT_TOI_GROUP
};

_Static_assert((int)ABUT_TOI_BATCH <= (int)ABUT_PAIR_BATCH, "a batch is sampled at once");

typedef struct AbutToiBound
{
    double speed, acceleration; // upper bounds for all points of the box, until the end of its motion bounds
    double free_time;           // the box is free for this time; negative where nothing is proved
    double low;                 // lower bound of the separation now, from the bound behind free_time
    // Upper bound of the distance of the solids, where it is small; 0 or less for a common point; else
    // infinite.
    double separation;
} AbutToiBound;

/// Middles of boxes, each at the time of one of a few motion samples.
typedef struct AbutToiBatch
{
    size_t count, sample_count;
    AbutToiBox boxes[ABUT_TOI_BATCH];
    AbutToiBound box_bounds[ABUT_TOI_BATCH];
    size_t sample_of[ABUT_TOI_BATCH]; // motion sample of a box
    AbutMotionSample samples[ABUT_TOI_GROUP];
    AbutMotionBounds bounds[ABUT_TOI_GROUP];
    double end[ABUT_TOI_GROUP];           // of the validity of the bounds
    AbutPairBatch in_moving, in_standing; // the middles in the frames of the moving and the standing shape
} AbutToiBatch;

/// Rounding of the position of box i in the frame of the standing shape, which grows with the distance from
/// its origin.
static inline float abut_toi_rounding(const AbutToiBatch* batch, size_t i)
{
    const AbutPairBatch* in_standing = &batch->in_standing;
    return ABUT_TOI_ROUNDING *
           (fabsf(in_standing->at[0][i]) + fabsf(in_standing->at[1][i]) + fabsf(in_standing->at[2][i]));
}

/// Adds a box at its time, or its eight children.
void abut_toi_batch_add(const AbutToiSearch* toi, AbutToiBatch* batch, const AbutToiBox* box);

/// Removes boxes without a part of the moving shape or, after the start, of its surface, and bounds the
/// others by the distance from the standing shape.
void abut_toi_bound(AbutToiSearch* toi, AbutToiBatch* batch);

/// Error bound of the distances of both shapes at the middle of a box.
double abut_toi_error(const AbutToiSearch* toi, const AbutToiBatch* batch, size_t i);

#endif
