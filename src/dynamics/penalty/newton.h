/// @file newton.h
/// Newton's method for the impulses of islands.
#ifndef ABUT_DYNAMICS_PENALTY_NEWTON_H
#define ABUT_DYNAMICS_PENALTY_NEWTON_H

#include <abut/dynamics.h>

/// Impulses whose motions have the same spring impulses, island by island. Moves the ends of the bodies
/// along.
void abut_penalty_solve(AbutWorld* world, double seconds);

#endif
