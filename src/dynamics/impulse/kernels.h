/// @file kernels.h
/// Solver kernels, for the contacts of four manifolds side by side. No two manifolds of a wide constraint,
/// nor of a colour, share a body that moves. contact_constraint.c fills wide constraints, solver.c has the
/// order of the kernels.
#ifndef ABUT_DYNAMICS_IMPULSE_KERNELS_H
#define ABUT_DYNAMICS_IMPULSE_KERNELS_H

#include "simd/dispatch.h"

#include <stdbool.h>
#include <stdint.h>

enum
{
    ABUT_SOLVE_LANES = 4
};

/// Velocity of a body: a cache line of its own.
typedef struct AbutSolveVelocity
{
    double linear[3], angular[3], unused[2];
} AbutSolveVelocity;

/// Inverse mass of a body, in the world's axes.
typedef struct AbutSolveMass
{
    double axis_inverse_mass[3]; // 0 for a locked axis
    double inverse_inertia[3][3];
} AbutSolveMass;

/// Pose of a body: its centre of mass, and its rotation by rows.
typedef struct AbutSolvePose
{
    double position[3];
    double rotation[3][3];
} AbutSolvePose;

/// Four contacts, one per lane of a wide constraint. All 0 in a lane without one.
typedef struct AbutContactConstraint
{
    double axis[3][3][ABUT_SOLVE_LANES];                       // the normal from B to A, two tangents
    double r_a[3][ABUT_SOLVE_LANES], r_b[3][ABUT_SOLVE_LANES]; // from the centres of mass
    // Inverse inertia times r × axis, for each axis.
    double inv_inertia_rn_a[3][3][ABUT_SOLVE_LANES], inv_inertia_rn_b[3][3][ABUT_SOLVE_LANES];
    double effective_mass[3][ABUT_SOLVE_LANES]; // along each axis
    double impulse[3][ABUT_SOLVE_LANES];        // of the substep
    double total_impulse[ABUT_SOLVE_LANES];     // normal impulse of the step
    double load[ABUT_SOLVE_LANES];     // normal impulse of earlier substeps; springs do not yield to it
    double gap[ABUT_SOLVE_LANES];      // at the present poses
    double approach[ABUT_SOLVE_LANES]; // restitution's share of the approach velocity
    // Contacts of convex solids: anchors in the frames of A and B, the normal in that of its body, and the
    // radii of the roundings around the anchors.
    double anchor_a[3][ABUT_SOLVE_LANES], anchor_b[3][ABUT_SOLVE_LANES], local_normal[3][ABUT_SOLVE_LANES];
    double radius_a[ABUT_SOLVE_LANES], radius_b[ABUT_SOLVE_LANES];
} AbutContactConstraint;

/// Four manifolds. Velocities of bodies that do not move are never written.
typedef struct AbutWideConstraint
{
    uint32_t a[ABUT_SOLVE_LANES], b[ABUT_SOLVE_LANES];
    uint32_t manifold[ABUT_SOLVE_LANES];                          // UINT32_MAX for an empty lane
    uint8_t moves_a[ABUT_SOLVE_LANES], moves_b[ABUT_SOLVE_LANES]; // 0 or 1
    uint32_t first, count;                                        // of the contact constraints
    uint32_t extra_iterations; // biased iterations beyond the first, before positions
    bool is_convex;            // all contacts are those of convex solids
    double on_b[ABUT_SOLVE_LANES], is_central[ABUT_SOLVE_LANES]; // 0 or 1; see contacts/convex_contacts.h
    double inverse_mass_a[3][ABUT_SOLVE_LANES], inverse_mass_b[3][ABUT_SOLVE_LANES];
    double friction[ABUT_SOLVE_LANES], restitution[ABUT_SOLVE_LANES], rolling_resistance[ABUT_SOLVE_LANES];
    double slop[ABUT_SOLVE_LANES];                    // penetration without a bias
    double max_depenetration_speed[ABUT_SOLVE_LANES]; // of the bias, at most
    // Bias springs: speed per depth, and the factors of effective mass and accumulated impulse.
    double bias_rate[ABUT_SOLVE_LANES], mass_scale[ABUT_SOLVE_LANES], impulse_scale[ABUT_SOLVE_LANES];
    double load_rate[ABUT_SOLVE_LANES];  // rate at which a load follows its impulse, per substep
    double load_depth[ABUT_SOLVE_LANES]; // depth of a contact from which it has a load of its own
} AbutWideConstraint;

typedef struct AbutSolveContext
{
    // By body.
    AbutSolveVelocity* velocities;
    const AbutSolveMass* masses;
    const AbutSolvePose* poses;
    const AbutWideConstraint* wide_constraints;
    AbutContactConstraint* contact_constraints;
    double per_second; // 1 / the length of a substep
    double slow;       // least approach speed with restitution
} AbutSolveContext;

/// For wide constraints [first, end).
typedef void AbutSolveKernel(const AbutSolveContext* context, uint32_t first, uint32_t end);

typedef struct AbutSolveKernels
{
    /// Inverse inertia times r × axis, and effective masses, from axes and r.
    AbutSolveKernel* prepare;
    /// Axes, r, gap and impulses at the present poses, of wide constraints of convex solids alone.
    AbutSolveKernel* update_convex;
    /// Applies the initial impulses.
    AbutSolveKernel* warm_start;
    /// Friction, limited by the present normal impulses; then normal impulses with a bias, 1 +
    /// extra_iterations times.
    AbutSolveKernel* solve_biased;
    /// Normal impulses without a bias; then friction. Adds to `total_impulse`.
    AbutSolveKernel* relax;
} AbutSolveKernels;

ABUT_KERNELS(AbutSolveKernels, abut_solve_kernels)

#endif
