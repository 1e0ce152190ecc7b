/// @file solids.h
/// The first touch of two solids that move and turn, by division of space and time.
///
/// Everything is seen from one of them, the standing shape; the other one, the moving shape, is divided into boxes that are fixed to
/// it. A first touch of solids that are apart at the start is one of the moving shape's surface, so only boxes that may
/// hold some of it matter, and at the start those inside of it, too. A box looks at the standing shape from where it is at a time: what the solid
/// is away from its middle, less its radius, is a gap g, and no point of the box is faster than v, so that the box is free until g/v later. That
/// time is kept with the box. Always those boxes are looked at first that are free for the shortest time; they are looked at again from there, or
/// divided. A box that is small and gains no time is where the solids meet, for all that the tolerance can tell, and all
/// others are free until then.
///
/// Faces that meet as a whole would all have to be divided into smallest boxes. So every now and then the nearest points of both are followed from
/// the earliest box until they are proved to be near each other, which is as good as a touch; and boxes that are free until shortly before that
/// are done with. What these are free until is the answer.
///
/// Boxes between two surfaces that run side by side know more: see gap_bound.h.
///
/// Boxes wait in a queue of fixed size. When it is full, only a part of the step is looked at, so that boxes that are free for the length
/// of that are done with; and the rest of the step afterwards, from the beginning. Where that is not enough, one box at a time is
/// divided to the end, depth first. Nothing is dropped.
#ifndef ABUT_TOI_SOLIDS_SOLIDS_H
#define ABUT_TOI_SOLIDS_SOLIDS_H

#include <abut/toi.h>

#include "math/motion.h"
#include "search/pair.h"
#include "toi/solids/queue.h"

#include <math.h>

enum
{
    ABUT_TOI_LEVELS = 24,
    ABUT_TOI_GROUP = 4, // boxes that are looked at or divided together
    ABUT_TOI_BATCH = 8 * ABUT_TOI_GROUP
};

_Static_assert((int)ABUT_TOI_BATCH <= (int)ABUT_PAIR_BATCH, "parts are sampled in one piece");

typedef struct AbutToiSearch
{
    AbutPair pair;             // sides: the moving shape and the standing one, each in its own frame
    AbutRelativeMotion motion; // of the first, seen from the second
    AbutDVec3 origin;          // that the standing shape is seen about, in its own frame
    double unit;               // of the moving shape, in units of the standing one: all lengths are in those
    AbutVec3 low;              // corner of the moving shape's box
    uint32_t root_boxes[3];    // first parts along its sides
    AbutVec3 half;             // of first parts, in the moving shape's units
    double radius;             // of first parts
    uint32_t last_level;       // parts of this level are not divided
    double size;               // of the moving shape
    double max_radius;         // of its points from its centre of motion
    double close_distance;     // solids that are proved to be nearer than this are as good as touching
    double min_progress;       // small boxes that gain less way than this are where the solids meet
    double slack;              // an answer may be early by this way
    double gap_bound_radius;   // boxes of at most this radius are looked at as what lies between two surfaces
    double
        limit; // free until here is free enough: the end of what is looked at, or a little before they meet
    double least;         // boxes that are done with are free until here, those of this window at least
    bool is_close;        // they are known to meet, for all that can be told
    double close_time;    // then, at the latest
    double close_limit;   // `slack` before that
    AbutVec3 close_point; // there, in the moving shape's frame
    double gap;           // while nothing is met they are apart by so much, at least
    bool touched;         // a point was found to be in both
    double touch_time;
    uint64_t evaluations, budget;
    uint64_t next_probe; // when so many evaluations are spent
    AbutToiQueue queue;
} AbutToiSearch;

/// What a look at a box has told.
typedef struct AbutToiBound
{
    double speed, acceleration; // of all its points, at most, until the end of what is known of its moment
    double free_time;           // free for so much longer; under 0 where that is not proved at all
    double low;                 // what tells so says that they are so far apart now
    // At most how far the solids are apart, where that is little but for errors; under 0 they have a point in common.
    double separation;
} AbutToiBound;

/// Middles of boxes, each looked at at one of a few moments.
typedef struct AbutToiBatch
{
    size_t count, sample_count;
    AbutToiBox boxes[ABUT_TOI_BATCH];
    AbutToiBound box_bounds[ABUT_TOI_BATCH];
    size_t sample_of[ABUT_TOI_BATCH];
    AbutMotionSample samples[ABUT_TOI_GROUP];
    AbutMotionBounds bounds[ABUT_TOI_GROUP];
    double end[ABUT_TOI_GROUP];           // bounds hold until then
    AbutPairBatch in_moving, in_standing; // the middles in the frames of the moving and the standing shape
} AbutToiBatch;

/// Radius of the boxes of a level.
static inline double abut_toi_radius(const AbutToiSearch* toi, uint32_t level)
{
    return toi->radius / (double)(1u << level);
}

/// Rounding of coordinates in float and of what is computed from them, as a part of their size.
#define ABUT_TOI_ROUNDING 4e-6f

/// What points in float are off by, the more the further they are from the standing shape's origin.
static inline float abut_toi_rounding(const AbutToiBatch* batch, size_t i)
{
    const AbutPairBatch* in_standing = &batch->in_standing;
    return ABUT_TOI_ROUNDING *
           (fabsf(in_standing->at[0][i]) + fabsf(in_standing->at[1][i]) + fabsf(in_standing->at[2][i]));
}

/// Takes a box to be looked at, or its eight parts, at its time.
void abut_toi_batch_add(const AbutToiSearch* toi, AbutToiBatch* batch, const AbutToiBox* box);

/// Leaves out boxes that hold nothing of the moving shape, or, after the start, nothing of its surface; and sees what the distance
/// from the standing shape tells of the others.
void abut_toi_bound(AbutToiSearch* toi, AbutToiBatch* batch);

/// What the distances at the middle of a box may be off by, of both shapes.
double abut_toi_error(const AbutToiSearch* toi, const AbutToiBatch* batch, size_t i);

/// They meet at a time, at the latest, near a point of the moving shape's frame: nothing after that matters, and little before it.
void abut_toi_set_close(AbutToiSearch* toi, double time, AbutVec3 point);

/// Looks for the first touch until all is free, they are known to meet, or the budget is spent, in which case it is false. *until is the time
/// that all is free until, unless that is the whole step.
bool abut_toi_search(AbutToiSearch* toi, double* until);

/// abut_time_of_impact() by ABUT_TOI_SOLIDS. `motion` is that of `input`, which has been checked.
AbutToiOutput abut_toi_solids(const AbutToiInput* input, const AbutRelativeMotion* motion);

#endif
