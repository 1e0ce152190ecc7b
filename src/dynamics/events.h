/// @file events.h
/// Touch events and published contacts of a step.
#ifndef ABUT_DYNAMICS_EVENTS_H
#define ABUT_DYNAMICS_EVENTS_H

#include <abut/dynamics.h>

/// After a pass that is not the last: touch and impulse of its manifolds, for abut_world_publish_events().
void abut_world_accumulate_touches(AbutWorld* world);

/// Contacts of the step, and touches that began, persist or ended since the last one.
void abut_world_publish_events(AbutWorld* world);

#endif
