/// @file kernels.h
/// Impulses between bodies, for four pairs of bodies side by side. No two pairs of a bundle, nor of all
/// bundles that are solved at once, share a body that moves. dynamics/impulse/contact_constraint.c fills
/// bundles, dynamics/impulse/solver.c says in which order the kernels run.
#ifndef ABUT_DYNAMICS_IMPULSE_KERNELS_H
#define ABUT_DYNAMICS_IMPULSE_KERNELS_H

#include "simd/dispatch.h"

#include <stdint.h>

enum
{
    ABUT_SOLVE_LANES = 4
};

/// How a body moves: a cache line of its own.
typedef struct AbutSolveVelocity
{
    double linear[3], angular[3], unused[2];
} AbutSolveVelocity;

/// What a push does to a body, in the world's axes.
typedef struct AbutSolveMass
{
    double axis_inverse_mass[3];  // to the velocity along each axis
    double inverse_inertia[3][3]; // to the spin: the inverse inertia
} AbutSolveMass;

/// Four contacts, one of each pair of a bundle. Lanes without one are all 0.
typedef struct AbutContactConstraint
{
    double axis[3][3][ABUT_SOLVE_LANES]; // the normal from B to A, two tangents
    double r_a[3][ABUT_SOLVE_LANES],
        r_b[3][ABUT_SOLVE_LANES]; // from the centres
    double inv_inertia_rn_a[3][3][ABUT_SOLVE_LANES],
        inv_inertia_rn_b[3][3][ABUT_SOLVE_LANES]; // of spins to a push along each axis
    double effective_mass[3]
                         [ABUT_SOLVE_LANES]; // 1 / the change of the relative speed by a push along each axis
    double impulse[3][ABUT_SOLVE_LANES];     // of the substep
    double total_impulse[ABUT_SOLVE_LANES];  // of the step, along the normal
    double load[ABUT_SOLVE_LANES]; // of earlier substeps, along the normal: springs do not yield to it
    double gap[ABUT_SOLVE_LANES];  // now
    double
        approach[ABUT_SOLVE_LANES]; // the part of the speed with which it closes that counts for restitution
} AbutContactConstraint;

/// Four pairs of bodies.
typedef struct AbutWideConstraint
{
    uint32_t a[ABUT_SOLVE_LANES], b[ABUT_SOLVE_LANES];
    uint32_t manifold[ABUT_SOLVE_LANES];                          // UINT32_MAX for a lane without one
    uint8_t moves_a[ABUT_SOLVE_LANES], moves_b[ABUT_SOLVE_LANES]; // 0 or 1: what does not is never written to
    uint32_t first, count;                                        // of the rows
    uint32_t extra_iterations; // how often springs push once more, before bodies move
    double inverse_mass_a[3][ABUT_SOLVE_LANES], inverse_mass_b[3][ABUT_SOLVE_LANES];
    double friction[ABUT_SOLVE_LANES], restitution[ABUT_SOLVE_LANES], rolling_resistance[ABUT_SOLVE_LANES];
    double slop[ABUT_SOLVE_LANES];                    // overlap that is left alone
    double max_depenetration_speed[ABUT_SOLVE_LANES]; // with which overlaps are left, at most
    // Springs that push out of overlaps: speed per depth, and the parts of the mass and of the impulse that
    // count.
    double bias_rate[ABUT_SOLVE_LANES], mass_scale[ABUT_SOLVE_LANES], impulse_scale[ABUT_SOLVE_LANES];
    double load_rate[ABUT_SOLVE_LANES]; // by which a row's load follows its impulse in a substep
} AbutWideConstraint;

typedef struct AbutSolveContext
{
    // By body.
    AbutSolveVelocity* velocities;
    const AbutSolveMass* masses;
    const AbutWideConstraint* wide_constraints;
    AbutContactConstraint* contact_constraints;
    double per_second; // 1 / the length of a substep
    double slow;       // speeds under this are not given back
} AbutSolveContext;

/// Each of them for bundles [first, end).
typedef void AbutSolveKernel(const AbutSolveContext* context, uint32_t first, uint32_t end);

typedef struct AbutSolveKernels
{
    /// Answers and masses from axes and arms.
    AbutSolveKernel* prepare;
    /// Pushes with the impulses that rows begin with.
    AbutSolveKernel* warm_start;
    /// Friction, limited by the impulses along normals as they are; then springs push along normals, 1 +
    /// extra_iterations times.
    AbutSolveKernel* solve_biased;
    /// Impulses along normals so that contacts do not close, without springs; then friction. Adds to
    /// `total_impulse`.
    AbutSolveKernel* relax;
} AbutSolveKernels;

ABUT_KERNELS(AbutSolveKernels, abut_solve_kernels)

#endif
