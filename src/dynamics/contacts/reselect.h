/// @file reselect.h
/// Reselection of reduced contacts, and the impulses of tight pairs.
#ifndef ABUT_DYNAMICS_CONTACTS_RESELECT_H
#define ABUT_DYNAMICS_CONTACTS_RESELECT_H

#include "dynamics/state/body.h"
#include "dynamics/state/step_context.h"

/// A candidate contact as a velocity constraint over the pass.
typedef struct AbutReselectConstraint
{
    AbutDVec3 normal, r_cross_n_a, r_cross_n_b;
    double target_gap; // gap, or the share of the penetration to resolve
    double effective_mass, impulse;
    bool is_new;
} AbutReselectConstraint;

/// Scratch for the contacts of a pair; one per worker.
typedef struct AbutPairScratch
{
    AbutContact* contacts;
    AbutReselectConstraint* reselect_constraints;
    AbutManifoldPoint* points;
    size_t capacity; // of each
} AbutPairScratch;

/// Exchanges points of the first `kept` of `count` for later ones that would close in the pass.
void abut_contacts_reselect(const AbutStepContext* step, const AbutBody* a, const AbutBody* b,
                            AbutPairScratch* scratch, int count, int kept);

/// True when two contacts nearer than `distance` oppose each other.
bool abut_contacts_are_tight(const AbutManifoldPoint* points, uint32_t count, double distance);

/// Scales warm-start impulses by their net share: without the internal impulses of opposing contacts.
void abut_contacts_damp_internal_impulses(AbutManifoldPoint* points, uint32_t count);

/// Loads of 0: springs yield to the whole impulse.
void abut_contacts_reset_load(AbutManifoldPoint* points, uint32_t count);

#endif
