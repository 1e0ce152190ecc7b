/// @file first_touch.h
/// The first contact of the points of a side with its shape.
#ifndef ABUT_TOI_POINTS_FIRST_TOUCH_H
#define ABUT_TOI_POINTS_FIRST_TOUCH_H

#include "toi/points/points.h"

/// The first contact of a side's points before a time limit.
typedef struct AbutFirstTouch
{
    double free_until; // no point touches before; 1 or more: none at all
    bool is_spent;     // the budget was spent there
    bool is_touching;  // at the start already
    uint32_t point;    // of the contact at free_until
    double gap;        // upper bound of its distance
    bool is_proved;
    double touch_time; // time of a proved contact
    double clearance;  // lower bound of the distance of all points, where all are free
} AbutFirstTouch;

/// Adds to *evaluations, up to `budget`.
AbutFirstTouch abut_toi_point_side_first(const AbutToiPointSide* side, double limit, uint64_t budget,
                                         uint64_t* evaluations);

#endif
