/// @file convex_contacts.h
/// Contacts of two convex solids. Their manifolds are complete and cheap, from closed forms or GJK: features
/// of both solids, one beyond the other along a normal. So a contact needs no field: it is an anchor on each
/// body, with the radius of the rounding around it, and a normal that is fixed to one of the bodies. The gap
/// at any pose is
///
///     normal · (anchor of A − anchor of B) − radius of A − radius of B,
///
/// exact for balls and capsules that roll on faces, and off by the square of the rotation since the detection
/// for corners and edges.
#ifndef ABUT_DYNAMICS_CONTACTS_CONVEX_CONTACTS_H
#define ABUT_DYNAMICS_CONTACTS_CONVEX_CONTACTS_H

#include "dynamics/state/body.h"
#include "dynamics/state/manifold.h"

/// Whether the contacts of two bodies are those of convex solids: a question about their shapes and the
/// settings of the world.
bool abut_pair_is_convex(const AbutWorld* world, const AbutBody* a, const AbutBody* b);

/// Whether both are balls: their normal is the line of the centres.
bool abut_pair_is_central(const AbutBody* a, const AbutBody* b);

/// Points of the contacts of the narrow phase, which are in the frame of A at the predicted poses, updated to
/// the present poses, with the impulses of the last step. `before` is the manifold of the last step, or NULL.
void abut_contacts_to_convex(const AbutWorld* world, const AbutPairResult* pair, const AbutContact* contacts,
                             const AbutManifold* before, AbutManifoldPoint* out);

/// Updates the points of `points` that are convex, which come first, to the present poses. Returns their
/// count.
uint32_t abut_contacts_update_convex(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* points,
                                     uint32_t count);

#endif
