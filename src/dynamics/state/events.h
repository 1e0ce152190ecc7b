/// @file events.h
/// Touch events and published contacts of a step.
#ifndef ABUT_DYNAMICS_STATE_EVENTS_H
#define ABUT_DYNAMICS_STATE_EVENTS_H

#include <abut/dynamics.h>

/// Memory for the islands and events at the end of a step with the present capacity of manifolds; before the
/// world changes.
AbutResult abut_world_reserve_events(AbutWorld* world);

/// After a pass that is not the last: touch and impulse of its manifolds, for abut_world_publish_events().
void abut_world_accumulate_touches(AbutWorld* world);

/// Contacts of the step, and touches that began, persist or ended since the last one.
void abut_world_publish_events(AbutWorld* world);

#endif
