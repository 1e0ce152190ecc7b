/// @file core_points.h
/// Points that keep thin solids apart. Contacts say where surfaces are and which way leads out, and both is of no use once a wall is deeper in another than
/// half of its thickness: the way out is on the other side then. So thin solids carry points inside of their walls, and no step ends, nor leads through a
/// place, where such a point of one solid is inside of the other.
#ifndef ABUT_DYNAMICS_CCD_CORE_POINTS_H
#define ABUT_DYNAMICS_CCD_CORE_POINTS_H

#include "dynamics/state/world.h"

#include <abut/toi.h>

/// Gives a body the guards of its shape; bodies of one shape share them. A solid that would need too many has none.
AbutResult abut_core_points_attach(AbutWorld* world, AbutBody* body);
void abut_core_points_release(AbutBody* body);

/// A body was put elsewhere: nothing is known of how far guards are from others.
void abut_core_points_reset(AbutWorld* world, uint32_t index);

/// The body of a pair whose guards nothing gets through, 0 for A and 1 for B; −1 when neither has any.
int abut_core_points_blocking_body(const AbutBody* a, const AbutBody* b);

/// The same, and else the body whose guards do not get through the other, which is thinner: what is between them may.
int abut_core_points_tested_body(const AbutBody* a, const AbutBody* b);

/// Least distance of the guards of one body to the other solid, where they stand at these poses, or `most` when that is less; in the world's units. Tells
/// which guard that is: UINT32_MAX for none.
double abut_core_points_clearance(const AbutBody* core_body, const AbutPose* pose, const AbutBody* other,
                                  const AbutPose* other_pose, double most, uint32_t* nearest);

/// Two bodies that go their ways.
typedef struct AbutCorePointMotion
{
    const AbutBody *core_body, *other;
    AbutPose starts[2]; // of the guarded one and of the other
    AbutMotion motions[2];
} AbutCorePointMotion;

/// The part of their ways, from 0 to 1, that they can go before a guard of the one is nearer to the other solid than `gap`; at the start none may be. Under 1:
/// that guard, else UINT32_MAX.
double abut_core_points_toi(const AbutCorePointMotion* motion, double gap, uint32_t* core_point);

/// Where a guard is in the frame of its body, and the other one's outward normal there at a time, seen from that frame.
void abut_core_points_normal(const AbutCorePointMotion* motion, uint32_t core_point, double time,
                             AbutVec3* position, AbutVec3* normal);

/// Remembers a guard that is in the way, for abut_core_points_contacts().
void abut_core_points_record(AbutManifold* m, AbutVec3 core_point, double distance);

/// Contacts in A's frame where guards were in the way and still are near the other solid; others are forgotten. Returns how many.
int abut_core_points_contacts(const AbutBody* a, const AbutBody* b, const AbutPose* pose_a,
                              const AbutPose* pose_b, AbutManifold* m,
                              AbutContact contacts[ABUT_CORE_CONTACTS]);

#endif
