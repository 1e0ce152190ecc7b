/// @file update.h
/// Contacts as points of one body in the field of the other. What a field says of a point is true wherever the bodies go, so a contact needs no more than
/// its point: its gap and its normal are read again whenever bodies have moved.
#ifndef ABUT_DYNAMICS_CONTACTS_UPDATE_H
#define ABUT_DYNAMICS_CONTACTS_UPDATE_H

#include "dynamics/state/world.h"

/// The gap of a contact whose surfaces do not face each other: it does nothing.
#define ABUT_CONTACT_INACTIVE_GAP 1e6

/// Gaps, normals, arms and masses of contacts where the bodies are now. Impulses stay, turned with the normals.
void abut_contacts_update(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* points, uint32_t count);

/// Contacts of the narrow phase, in the frame of A, as points. Each is a point of the body that bends more there, in the field of the flatter one: the corner
/// of a box on a table, not the table in the corner of a box.
void abut_contacts_to_points(const AbutBody* a, const AbutBody* b, const AbutPose* b_in_a,
                             const AbutContact* contacts, uint32_t count, AbutManifoldPoint* out);

/// Contacts that stay the planes that they are, in the frame of A.
void abut_contacts_to_planes(const AbutBody* a, const AbutBody* b, const AbutPose* pose_a,
                             const AbutContact* contacts, uint32_t count, AbutManifoldPoint* out);

/// Moves points along the surfaces that they are on, by about `length` at most, to where they will be deepest in `seconds`. If `rolls`, as far as bends of
/// the surfaces tell, and points where they are round will roll on.
void abut_contacts_refine(const AbutBody* a, const AbutBody* b, double seconds, double length, bool rolls,
                          AbutManifoldPoint* points, uint32_t count);

#endif
