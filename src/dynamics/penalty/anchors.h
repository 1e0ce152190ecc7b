/// @file anchors.h
/// Persistent state of contacts, published manifolds, snapshots of the penalty response.
#ifndef ABUT_DYNAMICS_PENALTY_ANCHORS_H
#define ABUT_DYNAMICS_PENALTY_ANCHORS_H

#include "dynamics/state/step_context.h"

/// Memory for, and then: anchors of the next substep and records of this one.
AbutResult abut_penalty_reserve_anchors(AbutWorld* world);
void abut_penalty_store_anchors(AbutWorld* world);

/// The manifolds of the step, from its records.
AbutResult abut_penalty_store_manifolds(const AbutStepContext* step);

/// Clears the persistent state of a body that is new, destroyed or has a new pose.
void abut_penalty_reset_body(AbutWorld* world, uint32_t index);

/// The persistent state as bytes, for snapshots: forces of all bodies, then anchors.
size_t abut_penalty_state_size(const AbutWorld* world);
void abut_penalty_save(const AbutWorld* world, void* data);
uint64_t abut_penalty_hash(const AbutWorld* world, uint64_t hash);
/// @return ABUT_INVALID_DATA for invalid bytes. Else with memory for them.
AbutResult abut_penalty_check(AbutWorld* world, const void* data, size_t size);
void abut_penalty_restore(AbutWorld* world, const void* data, size_t size);

#endif
