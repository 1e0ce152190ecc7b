/// @file islands.h
/// Sleep of islands: bodies that touch, directly or through others, sleep and wake together.
#ifndef ABUT_DYNAMICS_STATE_ISLANDS_H
#define ABUT_DYNAMICS_STATE_ISLANDS_H

#include "dynamics/state/body.h"

void abut_body_wake(AbutBody* body);

/// All bodies with a manifold with this one.
void abut_world_wake_touching(AbutWorld* world, uint32_t index);

/// Islands of the last step with an awake body.
void abut_world_wake_islands(AbutWorld* world);

/// Islands that have been slow for long enough.
void abut_world_put_to_sleep(AbutWorld* world, double seconds);

#endif
