/// @file convex_contacts.h
/// Answers about convex pairs as outputs of queries: what gjk, v-clip and lin-canny share.
#ifndef ABUT_NARROW_CONVEX_CONTACTS_H
#define ABUT_NARROW_CONVEX_CONTACTS_H

#include "narrow/convex/manifold.h"
#include "narrow/method.h"

/// The manifold in the arrays of the caller: at most 8 contacts, sorted by id, each id once. `frame` is that
/// of the core of A in the shape of A.
void abut_narrow_store_manifold(const AbutNarrowQuery* query, const AbutTransform* frame,
                                const AbutConvexManifold* manifold);

/// State, gap and uncertainty of a proof, and its manifold where it has points within the margin of the
/// pair.
void abut_narrow_store_convex(const AbutNarrowQuery* query, const AbutConvexPair* pair,
                              const AbutTransform* frame, const AbutConvexProof* proof);

/// A proved gap after one more product, as a float.
float abut_narrow_rounded_gap(double gap);

/// The state of abut_speculative_contacts(): separated by more than the margin, or undecided.
void abut_narrow_to_speculative(const AbutCollideSettings* settings, AbutCollideOutput* output);

#endif
