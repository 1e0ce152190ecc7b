/// @file conserve.h
/// Contacts of tight pairs that last do no work: a nut that slides on its thread keeps its energy, however rough the normals of coarse cells are.
#ifndef ABUT_DYNAMICS_CONSERVE_H
#define ABUT_DYNAMICS_CONSERVE_H

#include "dynamics/world.h"

/// Finds capacity for the manifolds of the step that may be tight or without friction. On failure nothing has changed.
AbutResult abut_conserve_plan(AbutWorld* world);

/// The tight manifolds among the bundles, which are filled, and those without friction that hold all around.
void abut_conserve_fill(AbutWorld* world, const AbutSolveRun* run);

// Of each substep, in this order: before forces act, when all contacts have pushed, when bodies have moved, and when contacts are relaxed.
void abut_conserve_begin(AbutWorld* world, const AbutSolveRun* run);
void abut_conserve_pushed(AbutWorld* world, const AbutSolveRun* run);
void abut_conserve_moved(AbutWorld* world, const AbutSolveRun* run);
void abut_conserve_relaxed(AbutWorld* world, const AbutSolveRun* run, double seconds);

void abut_conserve_free(const AbutHost* host, AbutRows* rows);

#endif
