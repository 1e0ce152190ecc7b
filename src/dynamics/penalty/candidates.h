/// @file candidates.h
/// Candidate points of pairs.
#ifndef ABUT_DYNAMICS_PENALTY_CANDIDATES_H
#define ABUT_DYNAMICS_PENALTY_CANDIDATES_H

#include "dynamics/penalty/penalty.h"

/// Pose of one body relative to another: in its axes, about its centre of mass.
AbutPenaltyFrame abut_penalty_relative_frame(const AbutPenaltyFrame* body, const AbutPenaltyFrame* solid);

/// An empty list for each pair.
AbutResult abut_penalty_reserve_candidates(AbutWorld* world);

/// Collects the candidates of pairs whose motion exceeds the margin of their list.
AbutResult abut_penalty_collect_candidates(AbutWorld* world);

/// Whether all lists are complete for the motions of the bodies.
bool abut_penalty_is_collected(const AbutWorld* world);

void abut_penalty_free_candidates(AbutWorld* world);

#endif
