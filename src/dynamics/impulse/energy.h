/// @file energy.h
/// Contacts of tight pairs that last do no work: a nut that slides on its thread keeps its energy, however rough the normals of coarse cells are.
#ifndef ABUT_DYNAMICS_IMPULSE_ENERGY_H
#define ABUT_DYNAMICS_IMPULSE_ENERGY_H

#include "dynamics/state/world.h"

/// Finds capacity for the manifolds of the step that may be tight or without friction. On failure nothing has changed.
AbutResult abut_conserve_reserve(AbutWorld* world);

/// The tight manifolds among the bundles, which are filled, and those without friction that hold all around.
void abut_conserve_collect(AbutWorld* world, const AbutSolveContext* context);

// Of each substep, in this order: before forces act, when all contacts have pushed, when bodies have moved, and when contacts are relaxed.
void abut_conserve_begin(AbutWorld* world, const AbutSolveContext* context);
void abut_conserve_solved(AbutWorld* world, const AbutSolveContext* context);
void abut_conserve_moved(AbutWorld* world, const AbutSolveContext* context);
void abut_conserve_relaxed(AbutWorld* world, const AbutSolveContext* context, double seconds);

void abut_conserve_free(const AbutHost* host, AbutConstraints* constraints);

#endif
