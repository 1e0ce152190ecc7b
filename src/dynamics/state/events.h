/// @file events.h
/// Touch events and published contacts of a step.
#ifndef ABUT_DYNAMICS_STATE_EVENTS_H
#define ABUT_DYNAMICS_STATE_EVENTS_H

#include "dynamics/state/step_context.h"

/// Memory for the contacts and events of a step, after its last pass.
AbutResult abut_step_reserve_events(const AbutStepContext* step);

/// After a pass that is not the last: touch and impulse of its manifolds, for abut_step_publish_events().
void abut_step_accumulate_touches(const AbutStepContext* step);

/// Contacts of the step, and touches that began, persist or ended since the last one.
void abut_step_publish_events(const AbutStepContext* step);

#endif
