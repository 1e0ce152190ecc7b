/// @file solids.h
/// The first contact of two solids that move and rotate, by branch and bound over space and time.
///
/// All is in the frame of one of them, the standing shape; the other one, the moving shape, is divided into
/// boxes that are fixed to it. The first contact of solids that are apart at the start is one of the moving
/// shape's surface, so only boxes with a part of the surface matter, and at the start boxes inside of it,
/// too. At a time, the distance of the standing solid from the middle of a box, less the box's radius, is a
/// gap g, and no point of the box is faster than v, so the box is free for a time g/v. The end of that time
/// is stored with the box. The search takes the boxes with the earliest end first, and bounds them again from
/// there or divides them. A small box without progress is a contact within the tolerance, and all other boxes
/// are free until then.
///
/// Faces in contact as a whole would all be divided into smallest boxes. So at intervals the search follows
/// the closest points of both solids from the earliest box until their distance is proved to be small, which
/// counts as a contact; and drops boxes that are free until shortly before it. The least of their times is
/// the result.
///
/// Boxes between two parallel surfaces have a sharper bound: see gap_bound.h.
///
/// Boxes are in a queue of fixed size. When it is full, the search is limited to a fraction of the step, so
/// that boxes that are free in that fraction can be dropped; the rest of the step follows, from the
/// beginning. Where that is not enough, one box at a time is divided to the end, depth first. No box is lost.
#ifndef ABUT_TOI_SOLIDS_SOLIDS_H
#define ABUT_TOI_SOLIDS_SOLIDS_H

#include <abut/toi.h>

#include "math/motion.h"
#include "search/pair.h"
#include "toi/solids/queue.h"

enum
{
    ABUT_TOI_LEVELS = 24
};

/// Lengths are in units of the standing shape.
typedef struct AbutToiSearch
{
    AbutPair pair;             // sides: the moving shape and the standing one, each in its own frame
    AbutRelativeMotion motion; // of the moving shape in the frame of the standing one
    AbutDVec3 origin;          // of the frame of the standing side, in the standing shape's own frame
    double unit;               // scale of the moving shape, in units of the standing one
    AbutVec3 low;              // corner of the moving shape's box
    uint32_t root_boxes[3];    // along its sides
    AbutVec3 half;             // of root boxes, in the moving shape's units
    double radius;             // of root boxes
    uint32_t last_level;       // boxes of this level are not divided
    double size;               // of the moving shape
    double max_radius;         // of its points from its centre of motion
    double close_distance;     // solids that are proved to be closer than this count as touching
    double min_progress;       // displacement below which a small box is a contact
    double slack;              // displacement by which a result may be early
    double gap_bound_radius;   // largest radius of boxes with a gap bound
    double limit;         // boxes that are free until here are dropped: end of the fraction, or close_limit
    double least;         // earliest end of the dropped boxes, within this fraction
    bool is_close;        // a contact within the tolerance is known
    double close_time;    // its time, an upper bound
    double close_limit;   // `slack` before that
    AbutVec3 close_point; // the contact in the moving shape's frame
    double gap;           // lower bound of the separation before any contact
    bool touched;         // a common point of both solids is proved
    double touch_time;
    uint64_t evaluations, budget;
    uint64_t next_probe; // number of evaluations at the next probe
    AbutToiQueue queue;
} AbutToiSearch;

/// Radius of the boxes of a level.
static inline double abut_toi_radius(const AbutToiSearch* toi, uint32_t level)
{
    return toi->radius / (double)(1u << level);
}

/// Relative rounding of coordinates in float and of distances at them.
#define ABUT_TOI_ROUNDING 4e-6f

/// abut_time_of_impact() by ABUT_TOI_SOLIDS. `motion` is that of `input`, which has been checked.
AbutToiOutput abut_toi_solids(const AbutToiInput* input, const AbutRelativeMotion* motion);

#endif
