/// @file contact_law.h
/// Stiffness and damping of pairs.
#ifndef ABUT_DYNAMICS_PENALTY_CONTACT_LAW_H
#define ABUT_DYNAMICS_PENALTY_CONTACT_LAW_H

#include "dynamics/penalty/penalty.h"

/// Damping ratio of a spring with this restitution that may not pull; at most 1.
double abut_penalty_damping_ratio(double restitution);

AbutPenaltyLaw abut_penalty_law(const AbutWorld* world, const AbutBody* a, const AbutBody* b, double seconds);

/// Stiffness and damping per point of a pair, by the number of points that are inside at a time.
void abut_penalty_share(AbutWorld* world, size_t pair, double seconds);

/// Counts pairs that are too stiff for the step, and writes the warning.
void abut_penalty_check_stability(AbutWorld* world, double seconds);

#endif
