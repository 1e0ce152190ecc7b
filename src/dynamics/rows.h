/// @file rows.h
/// Contacts as the solver sees them: rows of numbers, four pairs of bodies side by side, and bodies as nothing but their speeds. rows.c makes them from manifolds
/// at the beginning of a step and hands impulses back at its end.
#ifndef ABUT_DYNAMICS_ROWS_H
#define ABUT_DYNAMICS_ROWS_H

#include <abut/dynamics.h>

#include "simd/solve_kernels.h"

enum
{
    ABUT_COLOR_REST = 64, ///< manifolds that share bodies with others of the group
    ABUT_COLOR_COUNT
};

/// A tight or guided pair in a substep: what its impulses along normals were, and how its bodies moved. See conserve.h.
typedef struct AbutSlide
{
    uint32_t bundle;
    int lane;
    AbutSolveSpeed before[2], moved[2]; // of A and B: before forces acted, and as they moved
    double push[3], torque[2][3];       // the impulses on A, and their torques about the centers of A and B
} AbutSlide;

typedef struct AbutRows
{
    AbutSolveBundle* bundles;
    size_t bundle_capacity;
    uint32_t first[ABUT_COLOR_COUNT + 1]; // bundles of the groups, in the order of solving
    AbutSolveRow* rows;
    size_t row_capacity;
    AbutSlide* slides;
    size_t slide_capacity, slide_count;

    // By body.
    AbutSolveSpeed* speeds;
    AbutSolveMass* masses;
    size_t speed_capacity, mass_capacity;
} AbutRows;

/// A damped spring, integrated implicitly over a substep (the constraint form of it).
typedef struct AbutSoftness
{
    double bias_rate, mass_scale, impulse_scale;
} AbutSoftness;

/// Plans bundles for the groups of abut_world_make_colors() and finds room for all that abut_world_solve() needs. On failure nothing has changed.
AbutResult abut_rows_plan(AbutWorld* world);

/// Rows of all contacts; bodies that have any do not fall. `soft` is for two bodies that move, `hard` for one that does against one that does not.
void abut_rows_fill(AbutWorld* world, const AbutSolveRun* run, AbutSoftness soft, AbutSoftness hard);

/// Bodies have moved: contacts where they are now.
void abut_rows_track(AbutWorld* world, const AbutSolveRun* run);

/// Impulses back to the contacts.
void abut_rows_finish(AbutWorld* world, const AbutSolveRun* run);

/// Runs a kernel on all bundles, one group after the other, those of a group on any threads.
void abut_rows_visit(const AbutWorld* world, const AbutSolveRun* run, AbutSolveKernel* kernel);

void abut_rows_free(const AbutHost* host, AbutRows* rows);

// Restitution, see bounce.c. All are for bundles [first, end).
AbutSolveKernel abut_bounce_note_speed, abut_bounce_note_approach, abut_bounce_give_back;

/// Rolling resistance, by the loads that the last relaxation left: see roll.c.
AbutSolveKernel abut_roll_resist;

#endif
