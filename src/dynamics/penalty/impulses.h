/// @file impulses.h
/// Impulses of springs over a substep.
#ifndef ABUT_DYNAMICS_PENALTY_IMPULSES_H
#define ABUT_DYNAMICS_PENALTY_IMPULSES_H

#include <abut/dynamics.h>

/// Responses of the contacts of a pair, over the motions of its bodies; of all pairs, in parallel.
void abut_penalty_integrate_pair(const AbutWorld* world, size_t pair, double seconds);
void abut_penalty_integrate(AbutWorld* world, double seconds);

#endif
