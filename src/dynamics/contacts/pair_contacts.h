/// @file pair_contacts.h
/// The manifold of one pair.
#ifndef ABUT_DYNAMICS_CONTACTS_PAIR_CONTACTS_H
#define ABUT_DYNAMICS_CONTACTS_PAIR_CONTACTS_H

#include "dynamics/contacts/reselect.h"

/// The manifold of a pair of the narrow phase. Its points are the first `m->count` of the scratch; the caller
/// sets `m->first`. `before` is the manifold of the last step, or NULL.
void abut_pair_make_manifold(const AbutStepContext* step, const AbutPairResult* pair,
                             const AbutContact* contacts, const AbutManifold* before,
                             AbutPairScratch* scratch, AbutManifold* m);

/// Points of a manifold of the last step, updated to the present poses.
void abut_contacts_recycle(const AbutWorld* world, const AbutManifold* m, AbutManifoldPoint* out);

/// History of a manifold: touch and impulse from earlier passes of the same step, core points from all steps.
void abut_manifold_copy_history(const AbutStepContext* step, const AbutManifold* before, AbutManifold* m);

#endif
