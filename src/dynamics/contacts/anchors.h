/// @file anchors.h
/// Contacts of the narrow phase as manifold points.
#ifndef ABUT_DYNAMICS_CONTACTS_ANCHORS_H
#define ABUT_DYNAMICS_CONTACTS_ANCHORS_H

#include "dynamics/state/body.h"
#include "dynamics/state/manifold.h"

/// Anchors of contacts in the frame of A. Each is on the body with the stronger curvature there, in the field
/// of the flatter one: the corner of a box on a table, not the table in the corner of a box.
void abut_contacts_to_points(const AbutBody* a, const AbutBody* b, const AbutPose* b_in_a,
                             const AbutContact* contacts, uint32_t count, AbutManifoldPoint* out);

/// Contacts in the frame of A as fixed planes.
void abut_contacts_to_planes(const AbutBody* a, const AbutBody* b, const AbutPose* pose_a,
                             const AbutContact* contacts, uint32_t count, AbutManifoldPoint* out);

#endif
