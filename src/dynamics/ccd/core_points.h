/// @file core_points.h
/// Points that keep thin solids apart. Contacts say where surfaces are and which way leads out, and both is of no use once a wall is deeper in another than
/// half of its thickness: the way out is on the other side then. So thin solids carry points inside of their walls, and no step ends, nor leads through a
/// place, where such a point of one solid is inside of the other.
#ifndef ABUT_DYNAMICS_CCD_CORE_POINTS_H
#define ABUT_DYNAMICS_CCD_CORE_POINTS_H

#include "dynamics/state/world.h"

#include <abut/toi.h>

/// Gives a body the guards of its shape; bodies of one shape share them. A solid that would need too many has none.
AbutResult abut_body_take_guards(AbutWorld* world, AbutBody* body);
void abut_body_drop_guards(AbutBody* body);

/// A body was put elsewhere: nothing is known of how far guards are from others.
void abut_world_forget_guards(AbutWorld* world, uint32_t index);

/// The body of a pair whose guards nothing gets through, 0 for A and 1 for B; −1 when neither has any.
int abut_pair_guarded_by(const AbutBody* a, const AbutBody* b);

/// The same, and else the body whose guards do not get through the other, which is thinner: what is between them may.
int abut_pair_watched_by(const AbutBody* a, const AbutBody* b);

/// Least distance of the guards of one body to the other solid, where they stand at these poses, or `most` when that is less; in the world's units. Tells
/// which guard that is: UINT32_MAX for none.
double abut_guards_clearance(const AbutBody* guarded, const AbutPose* pose, const AbutBody* other,
                             const AbutPose* other_pose, double most, uint32_t* nearest);

/// Two bodies that go their ways.
typedef struct AbutGuardMotion
{
    const AbutBody *guarded, *other;
    AbutPose starts[2]; // of the guarded one and of the other
    AbutMotion motions[2];
} AbutGuardMotion;

/// The part of their ways, from 0 to 1, that they can go before a guard of the one is nearer to the other solid than `gap`; at the start none may be. Under 1:
/// that guard, else UINT32_MAX.
double abut_guards_free(const AbutGuardMotion* motion, double gap, uint32_t* guard);

/// Where a guard is in the frame of its body, and the other one's outward normal there at a time, seen from that frame.
void abut_guards_describe(const AbutGuardMotion* motion, uint32_t guard, double time, AbutVec3* place,
                          AbutVec3* normal);

/// Remembers a guard that is in the way, for abut_guards_contacts().
void abut_guards_note(AbutManifold* m, AbutVec3 guard, double apart);

/// Contacts in A's frame where guards were in the way and still are near the other solid; others are forgotten. Returns how many.
int abut_guards_contacts(const AbutBody* a, const AbutBody* b, const AbutPose* pose_a, const AbutPose* pose_b,
                         AbutManifold* m, AbutContact contacts[ABUT_GUARD_CONTACTS]);

#endif
