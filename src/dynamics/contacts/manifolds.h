/// @file manifolds.h
/// Manifolds of all pairs of a pass: recycled, sleeping and new ones, sorted by bodies.
#ifndef ABUT_DYNAMICS_CONTACTS_MANIFOLDS_H
#define ABUT_DYNAMICS_CONTACTS_MANIFOLDS_H

#include "dynamics/state/step_context.h"

/// Fills the next store from the current one and the results of the narrow phase, wakes islands, and makes it
/// the current one. Counts and times of pairs go to the profile.
AbutResult abut_step_make_manifolds(AbutStepContext* step, const AbutCollideResults* results);

#endif
