/// @file islands.h
/// Sleep of islands: bodies that touch, directly or through others, sleep and wake together.
#ifndef ABUT_DYNAMICS_STATE_ISLANDS_H
#define ABUT_DYNAMICS_STATE_ISLANDS_H

#include "dynamics/state/step_context.h"

void abut_body_wake(AbutBody* body);

/// All bodies with a manifold with this one.
void abut_world_wake_touching(AbutWorld* world, uint32_t index);

/// Memory for the islands of a step.
AbutResult abut_step_reserve_islands(AbutStepContext* step);

/// Wakes the islands of the last pass with an awake body.
void abut_step_wake_islands(const AbutStepContext* step);

/// Islands that have been slow for long enough.
void abut_step_put_to_sleep(const AbutStepContext* step);

#endif
