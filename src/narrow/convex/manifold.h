/// @file manifold.h
/// Contacts of two convex solids: one supporting face clipped by the sides of the other.
#ifndef ABUT_NARROW_CONVEX_MANIFOLD_H
#define ABUT_NARROW_CONVEX_MANIFOLD_H

#include "narrow/convex/face.h"
#include "narrow/convex/gjk.h"

enum
{
    ABUT_CONVEX_CONTACTS = 2 * ABUT_CONVEX_FACE_POINTS
};

/// Two points of the surfaces, one beyond the other along the normal of the manifold.
typedef struct AbutConvexContact
{
    AbutDVec3 on_a, on_b;
    double separation;
    uint64_t id; // of the features
} AbutConvexContact;

typedef struct AbutConvexManifold
{
    AbutDVec3 normal; // of unit length, from B to A
    uint32_t count;
    AbutConvexContact contacts[ABUT_CONVEX_CONTACTS];
} AbutConvexManifold;

/// Contacts within the margin, at least one, in the frame of the core of A; the proof has points.
void abut_convex_manifold(const AbutConvexPair* pair, const AbutConvexProof* proof, double margin,
                          AbutConvexManifold* out);

#endif
