/// @file find_contacts.h
/// Collision detection of a pass: recycling and narrow phase.
#ifndef ABUT_DYNAMICS_CONTACTS_FIND_CONTACTS_H
#define ABUT_DYNAMICS_CONTACTS_FIND_CONTACTS_H

#include "dynamics/state/step_context.h"

/// Marks the manifolds of the last step that are recycled, and leaves in AbutStepContext.pairs the pairs for
/// the narrow phase.
void abut_step_recycle_manifolds(AbutStepContext* step);

/// Narrow phase of AbutStepContext.pairs at the predicted poses.
AbutResult abut_step_find_contacts(AbutStepContext* step, AbutCollideResults* results);

#endif
