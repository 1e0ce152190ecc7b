/// @file linear_solver.h
/// The linear system of Newton's method for an island: a row of six unknowns per body, solved by conjugate
/// gradients.
#ifndef ABUT_DYNAMICS_PENALTY_LINEAR_SOLVER_H
#define ABUT_DYNAMICS_PENALTY_LINEAR_SOLVER_H

#include "dynamics/penalty/penalty.h"

typedef double AbutVector6[6];
typedef double AbutMatrix6[6][6];

/// By rows: one per moving body.
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

/// The system of an island, in its share of the scratch memory.
AbutPenaltySystem abut_penalty_system(AbutWorld* world, const AbutPenaltyIsland* island);

/// Zeroes the components of locked axes.
void abut_penalty_mask(const AbutBody* body, double v[6]);

/// out = m · v
void abut_penalty_multiply(const AbutMatrix6 m, const AbutVector6 v, AbutVector6 out);

/// Adds ± a force and moment, at `from_center` from the centre of mass, to a wrench.
void abut_penalty_add_wrench(double out[6], AbutDVec3 force, AbutDVec3 moment, AbutDVec3 from_center,
                             double sign);

/// Adds the spring impulses of a pair to `spring_impulse` of its moving bodies.
void abut_penalty_gather(AbutWorld* world, const AbutPenaltyPair* pair);

/// Memory for the systems of all islands.
AbutResult abut_penalty_reserve_solver(AbutWorld* world);

/// x of (mass + contact derivative) · x = residual. Changes the residual.
void abut_penalty_solve_linear(AbutPenaltySystem* self);

#endif
