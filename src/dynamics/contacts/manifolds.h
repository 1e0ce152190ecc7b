/// @file manifolds.h
/// Manifolds of all pairs of a pass: recycled, sleeping and new ones, sorted by bodies.
#ifndef ABUT_DYNAMICS_CONTACTS_MANIFOLDS_H
#define ABUT_DYNAMICS_CONTACTS_MANIFOLDS_H

#include "dynamics/state/manifold.h"

/// Indices of the manifold of a pair of the narrow phase.
typedef struct AbutPairSlot
{
    const AbutManifold* before; // of the last step, or NULL
    uint32_t manifold, first;   // indices in the new store
    double seconds;             // wall time of the manifold
} AbutPairSlot;

/// Memory for abut_world_make_manifolds(). On failure nothing has changed.
AbutResult abut_world_reserve_manifolds(AbutWorld* world, const AbutCollideResults* results);

/// Fills the other store from the last one and the results of the narrow phase, wakes islands, swaps the
/// stores. Counts and times of pairs go to the profile.
void abut_world_make_manifolds(AbutWorld* world, const AbutCollideResults* results, AbutStepProfile* profile);

#endif
