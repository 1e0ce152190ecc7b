/// @file undo.h
/// The start of a step, for a step that fails.
#ifndef ABUT_DYNAMICS_STATE_UNDO_H
#define ABUT_DYNAMICS_STATE_UNDO_H

#include "dynamics/state/step_context.h"

/// Copies what a step changes before it can no longer fail: bodies, and the state of the response. The
/// manifolds of the last step stay in their store.
AbutResult abut_step_save_start(AbutStepContext* step);

/// The world as it was then. Nothing has changed if abut_step_save_start() has failed.
void abut_step_undo(const AbutStepContext* step);

#endif
