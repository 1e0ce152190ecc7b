/// @file core_points.h
/// Core points: points in the middle of the walls of thin solids. Contacts give the position of a surface and
/// the way out, and both fail once a wall is deeper in another than half of its thickness: the way out is
/// then on the far side. So no pass ends with, nor leads through, a pose with a core point of one solid
/// inside another.
#ifndef ABUT_DYNAMICS_CCD_CORE_POINTS_H
#define ABUT_DYNAMICS_CCD_CORE_POINTS_H

#include "dynamics/state/body.h"
#include "dynamics/state/manifold.h"

/// Gives a body the core points of its shape, shared between bodies of one shape. None for a shape that needs
/// too many.
AbutResult abut_core_points_attach(AbutWorld* world, AbutBody* body);
void abut_core_points_release(AbutBody* body);

/// Resets the clearances of a body with a new pose.
void abut_core_points_reset(AbutWorld* world, uint32_t index);

/// The body of a pair whose core points the other cannot pass: 0 for A, 1 for B, −1 for none.
int abut_core_points_blocking_body(const AbutBody* a, const AbutBody* b);

/// The same; else the body whose core points are tested though the other, thinner one may pass between them.
int abut_core_points_tested_body(const AbutBody* a, const AbutBody* b);

/// Records a blocked core point for abut_core_points_contacts(); replaces one within `distance`, else the
/// oldest.
void abut_core_points_record(AbutManifold* m, AbutVec3 core_point, double distance);

/// Contacts, in the frame of A, of the recorded core points that are still near the other solid; drops the
/// others. Returns their count.
int abut_core_points_contacts(const AbutBody* a, const AbutBody* b, const AbutPose* pose_a,
                              const AbutPose* pose_b, AbutManifold* m,
                              AbutContact contacts[ABUT_CORE_CONTACTS]);

#endif
