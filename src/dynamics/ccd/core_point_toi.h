/// @file core_point_toi.h
/// Distance and time of impact of core points against another solid.
#ifndef ABUT_DYNAMICS_CCD_CORE_POINT_TOI_H
#define ABUT_DYNAMICS_CCD_CORE_POINT_TOI_H

#include "dynamics/state/body.h"

#include <abut/toi.h>

/// Least distance of the core points of a body from the other solid at these poses, or `most` if that is
/// less; in world units. `nearest`: that core point, UINT32_MAX for none.
double abut_core_points_clearance(const AbutBody* core_body, const AbutPose* pose, const AbutBody* other,
                                  const AbutPose* other_pose, double most, uint32_t* nearest);

/// Two bodies in motion.
typedef struct AbutCorePointMotion
{
    const AbutBody *core_body, *other;
    AbutPose starts[2]; // of core_body and other
    AbutMotion motions[2];
} AbutCorePointMotion;

/// The time in [0, 1] until which no core point is nearer to the other solid than `gap`; none may be at the
/// start. Below 1: `core_point` is the first one, else UINT32_MAX.
double abut_core_points_toi(const AbutCorePointMotion* motion, double gap, uint32_t* core_point);

/// Position of a core point in the frame of its body, and the other solid's outward normal there at a time,
/// in that frame.
void abut_core_points_normal(const AbutCorePointMotion* motion, uint32_t core_point, double time,
                             AbutVec3* position, AbutVec3* normal);

#endif
