/// @file passes.h
/// The number of passes of a step.
#ifndef ABUT_DYNAMICS_IMPULSE_PASSES_H
#define ABUT_DYNAMICS_IMPULSE_PASSES_H

#include "dynamics/state/step_context.h"

/// Steps of several passes have this multiple of the substeps: impacts cause penetration.
#define ABUT_FAST_SUBSTEPS 2

/// Subdivisions of a step for small bodies, a power of two: the fall by gravity in a substep must be small
/// relative to their radius, or they sink into each other whatever the contacts. 1 for radii over 11 mm under
/// the gravity of the earth at 60 steps per second. After abut_step_recycle_manifolds().
uint32_t abut_passes_subdivisions(const AbutStepContext* step);

/// Passes of whole substeps, at least the subdivisions.
uint32_t abut_passes_count(const AbutStepContext* step, uint32_t subdivisions);

#endif
