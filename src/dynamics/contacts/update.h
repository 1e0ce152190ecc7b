/// @file update.h
/// Update of contacts at new poses. A contact is an anchor of one body in the field of the other, and the
/// field is valid at every pose: gap and normal are sampled anew after each motion. Contacts of convex solids
/// have anchors on both bodies instead (convex_contacts.h).
#ifndef ABUT_DYNAMICS_CONTACTS_UPDATE_H
#define ABUT_DYNAMICS_CONTACTS_UPDATE_H

#include "dynamics/state/body.h"
#include "dynamics/state/manifold.h"

/// Gaps, normals, tangents, r_a and r_b at the present poses. Impulses are kept, rotated with the normals.
void abut_contacts_update(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* points, uint32_t count);

#endif
