/// @file recycle.h
/// Recycling of manifolds: contacts of an earlier detection that are still complete.
#ifndef ABUT_DYNAMICS_CONTACTS_RECYCLE_H
#define ABUT_DYNAMICS_CONTACTS_RECYCLE_H

#include "dynamics/state/step_context.h"

/// Margin of detection of a pair: speculative distance and travel of the pass.
double abut_pair_margin(const AbutStepContext* step, uint32_t a, uint32_t b);

/// True when a manifold has all contacts that its bodies can reach in the pass. Sets `allowed_motion`.
bool abut_manifold_can_recycle(const AbutStepContext* step, AbutManifold* m);

/// Stores margin, generations and relative pose of a detection, for abut_manifold_can_recycle().
void abut_manifold_record_pose(const AbutWorld* world, AbutManifold* m, double margin);

#endif
