/// @file contact_constraint.h
/// Wide constraints: the contacts of four manifolds side by side, and bodies reduced to velocity and inverse
/// mass. Made from manifolds at the start of a pass; impulses are stored back at its end.
#ifndef ABUT_DYNAMICS_IMPULSE_CONTACT_CONSTRAINT_H
#define ABUT_DYNAMICS_IMPULSE_CONTACT_CONSTRAINT_H

#include <abut/dynamics.h>

#include "dynamics/impulse/graph_coloring.h"
#include "dynamics/impulse/kernels.h"
#include "dynamics/state/manifold.h"
#include "math/dvec3.h"

/// A vector of one lane.
static inline AbutDVec3 abut_solve_load(const double (*in)[ABUT_SOLVE_LANES], int lane)
{
    return abut_dvec3(in[0][lane], in[1][lane], in[2][lane]);
}

static inline void abut_solve_store(AbutDVec3 v, double (*out)[ABUT_SOLVE_LANES], int lane)
{
    out[0][lane] = v.x;
    out[1][lane] = v.y;
    out[2][lane] = v.z;
}

/// A tight or guided pair in a substep: normal impulses and velocities. See energy.h.
typedef struct AbutTightPair
{
    uint32_t wide;
    int lane;
    AbutSolveVelocity before[2],
        moved[2];                 // of A and B: before forces, and during the integration of positions
    double detail;                // a cell of the coarser field
    AbutDVec3 impulse, torque[2]; // on A; torques about the centres of mass of A and B
    double load;                  // sum of the normal impulses, mean of before and after the substep
    // Depths and normal impulses of the contacts before the substep.
    double depth[ABUT_MANIFOLD_POINTS], last_impulse[ABUT_MANIFOLD_POINTS];
} AbutTightPair;

typedef struct AbutConstraints
{
    AbutWideConstraint* wide_constraints;
    uint32_t first[ABUT_COLOR_COUNT + 1]; // wide constraints of the colours, in the order of the solver
    AbutContactConstraint* contact_constraints;
    size_t contact_count;
    AbutTightPair* tight_pairs;
    size_t tight_pair_count;

    // By body
    AbutSolveVelocity* velocities;
    AbutSolveMass* masses;
    AbutSolvePose* poses;
} AbutConstraints;

/// A damped spring, integrated implicitly over a substep, in constraint form.
typedef struct AbutSoftness
{
    double bias_rate, mass_scale, impulse_scale;
} AbutSoftness;

/// Springs of contacts: `soft` between two dynamic bodies, `hard` against a fixed body or in a tight pair.
typedef struct AbutContactSprings
{
    AbutSoftness soft, hard;
    AbutSoftness convex_soft, convex_hard; // between convex solids
} AbutContactSprings;

/// Wide constraints per colour, and memory for abut_step_solve().
AbutResult abut_constraints_reserve(const AbutStepContext* step);

/// Constraints of all contacts; clears AbutBody.contact_free of their bodies.
void abut_constraints_make(const AbutStepContext* step, const AbutSolveContext* context,
                           const AbutContactSprings* springs);

/// Contacts at the new poses of the bodies, in the middle of a substep.
void abut_constraints_update(const AbutStepContext* step, const AbutSolveContext* context);

/// Impulses back to the manifold points.
void abut_constraints_store_impulses(const AbutStepContext* step, const AbutSolveContext* context);

/// Runs a kernel on all wide constraints, colour by colour, the constraints of a colour in parallel.
void abut_constraints_solve(const AbutStepContext* step, const AbutSolveContext* context,
                            AbutSolveKernel* kernel);

#endif
