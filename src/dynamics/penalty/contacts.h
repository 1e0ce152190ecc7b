/// @file contacts.h
/// Pairs and contacts of a substep.
#ifndef ABUT_DYNAMICS_PENALTY_CONTACTS_H
#define ABUT_DYNAMICS_PENALTY_CONTACTS_H

#include "dynamics/state/step_context.h"

/// The pairs of the broad phase with points, sorted.
AbutResult abut_penalty_make_pairs(const AbutStepContext* step);

/// Contacts of all candidates over the motions of the bodies.
AbutResult abut_penalty_find_contacts(AbutWorld* world);

/// Wakes bodies that are touched.
void abut_penalty_wake(AbutWorld* world, double seconds);

#endif
