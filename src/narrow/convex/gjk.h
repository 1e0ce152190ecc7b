/// @file gjk.h
/// State, distance and depth of a pair of convex solids, proved.
#ifndef ABUT_NARROW_CONVEX_GJK_H
#define ABUT_NARROW_CONVEX_GJK_H

#include "narrow/convex/convex.h"

/// In the frame and unit of the core of A.
typedef struct AbutConvexProof
{
    AbutCollideState state;     // separated, contact or close
    double gap;                 // separated: proved lower bound of the distance
    bool has_points;            // the rest is filled: DISTANCE of separated solids, DEPTH
    double separation;          // of the two points along the normal: distance, or minus the depth
    AbutDVec3 normal;           // of unit length, from B to A
    AbutDVec3 point_a, point_b; // on the surfaces of the solids
    uint32_t ids[2];            // vertices of the cores, or ABUT_CONVEX_ROUND, at the points
    uint32_t steps;             // supports of the difference, about
} AbutConvexProof;

/// `cache` may be NULL; it changes the time, never a state.
AbutConvexProof abut_convex_solve(const AbutConvexPair* pair, AbutConvexWork work, AbutCollideCache* cache);

#endif
