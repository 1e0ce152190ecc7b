/// @file energy.h
/// Energy of tight pairs: their lasting contacts do no work. A nut that slides on its thread keeps its energy
/// in spite of the noise of sampled normals; the energy of impacts is lost.
#ifndef ABUT_DYNAMICS_IMPULSE_ENERGY_H
#define ABUT_DYNAMICS_IMPULSE_ENERGY_H

#include "dynamics/impulse/contact_constraint.h"

/// Memory for all manifolds that may be tight or frictionless. On failure nothing has changed.
AbutResult abut_conserve_reserve(const AbutStepContext* step);

/// The tight manifolds of the wide constraints, and frictionless ones with contacts all around.
void abut_conserve_collect(const AbutStepContext* step, const AbutSolveContext* context);

// In each substep: before forces, after the biased iterations, after the integration of positions, after
// relaxation.
void abut_conserve_begin(const AbutStepContext* step, const AbutSolveContext* context);
void abut_conserve_solved(const AbutStepContext* step, const AbutSolveContext* context);
void abut_conserve_moved(const AbutStepContext* step, const AbutSolveContext* context);
void abut_conserve_relaxed(const AbutStepContext* step, const AbutSolveContext* context, double seconds);

#endif
