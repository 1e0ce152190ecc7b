/// @file contact_constraint.h
/// Contacts as the solver sees them: rows of numbers, four pairs of bodies side by side, and bodies as nothing but their speeds. contact_constraint.c makes them from manifolds
/// at the beginning of a step and hands impulses back at its end.
#ifndef ABUT_DYNAMICS_IMPULSE_CONTACT_CONSTRAINT_H
#define ABUT_DYNAMICS_IMPULSE_CONTACT_CONSTRAINT_H

#include <abut/dynamics.h>

#include "dynamics/impulse/kernels.h"

enum
{
    ABUT_COLOR_OVERFLOW = 64, ///< manifolds that share bodies with others of the group
    ABUT_COLOR_COUNT
};

/// A tight or guided pair in a substep: what its impulses along normals were, and how its bodies moved. See energy.h.
typedef struct AbutTightPair
{
    uint32_t wide;
    int lane;
    AbutSolveVelocity before[2], moved[2]; // of A and B: before forces acted, and as they moved
    double impulse[3], torque[2][3]; // the impulses on A, and their torques about the centers of A and B
} AbutTightPair;

typedef struct AbutConstraints
{
    AbutWideConstraint* wide_constraints;
    size_t wide_capacity;
    uint32_t first[ABUT_COLOR_COUNT + 1]; // bundles of the groups, in the order of solving
    AbutContactConstraint* contact_constraints;
    size_t contact_capacity;
    AbutTightPair* tight_pairs;
    size_t tight_pair_capacity, tight_pair_count;

    // By body.
    AbutSolveVelocity* velocities;
    AbutSolveMass* masses;
    size_t speed_capacity, mass_capacity;
} AbutConstraints;

/// A damped spring, integrated implicitly over a substep (the constraint form of it).
typedef struct AbutSoftness
{
    double bias_rate, mass_scale, impulse_scale;
} AbutSoftness;

/// Plans bundles for the groups of abut_world_make_colors() and finds room for all that abut_world_solve() needs. On failure nothing has changed.
AbutResult abut_constraints_reserve(AbutWorld* world);

/// Rows of all contacts; bodies that have any do not fall. `soft` is for two bodies that move, `hard` for one that does against one that does not.
void abut_constraints_make(AbutWorld* world, const AbutSolveContext* context, AbutSoftness soft,
                           AbutSoftness hard);

/// Bodies have moved: contacts where they are now.
void abut_constraints_update(AbutWorld* world, const AbutSolveContext* context);

/// Impulses back to the contacts.
void abut_constraints_store_impulses(AbutWorld* world, const AbutSolveContext* context);

/// Runs a kernel on all bundles, one group after the other, those of a group on any threads.
void abut_constraints_solve(const AbutWorld* world, const AbutSolveContext* context, AbutSolveKernel* kernel);

void abut_constraints_free(const AbutHost* host, AbutConstraints* constraints);

// Restitution, see restitution.c. All are for bundles [first, end).
AbutSolveKernel abut_restitution_record_velocity, abut_restitution_record_approach, abut_restitution_apply;

/// Rolling resistance, by the loads that the last relaxation left: see rolling_resistance.c.
AbutSolveKernel abut_rolling_resistance_apply;

#endif
