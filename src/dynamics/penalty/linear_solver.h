/// @file linear_solver.h
/// Kicks of the bodies of an island as rows of a linear problem, solved by conjugate gradients.
#ifndef ABUT_DYNAMICS_PENALTY_LINEAR_SOLVER_H
#define ABUT_DYNAMICS_PENALTY_LINEAR_SOLVER_H

#include "dynamics/penalty/penalty.h"

typedef double AbutVector6[6];
typedef double AbutMatrix6[6][6];

/// By rows: one per body that moves.
typedef struct AbutPenaltySystem
{
    AbutWorld* world;
    uint32_t count, pair_count;
    const uint32_t* bodies; // of the rows
    const uint32_t* pairs;
    uint32_t first_row; // of the island, in AbutPenalty.rows
    AbutVector6 *x, *residual, *direction, *image, *scaled;
    AbutMatrix6 *mass, *factor; // factor: Cholesky's, of the block of a body
} AbutPenaltySystem;

/// For an island, in its part of the scratch memory.
AbutPenaltySystem abut_penalty_system(AbutWorld* world, const AbutPenaltyIsland* island);

/// Zero for axes that a body is locked in.
void abut_penalty_mask(const AbutBody* body, double v[6]);

/// out = m · v
void abut_penalty_multiply(const AbutMatrix6 m, const AbutVector6 v, AbutVector6 out);

/// Adds ± a force with a moment, at a place that is `from_center` from the centre, to a wrench.
void abut_penalty_add_wrench(double out[6], const double force[3], const double moment[3],
                             const double from_center[3], double sign);

/// The speeds that make up for the residual, to x: (mass + what contacts resist) · x = residual. Changes the residual.
void abut_penalty_solve_linear(AbutPenaltySystem* self);

#endif
