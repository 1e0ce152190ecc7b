/// @file face.h
/// The supporting face of a core: the polygon, segment or point that is farthest along a direction.
#ifndef ABUT_NARROW_CONVEX_FACE_H
#define ABUT_NARROW_CONVEX_FACE_H

#include "narrow/convex/convex.h"

enum
{
    ABUT_CONVEX_FACE_POINTS = 32, // of a hull's face with more: evenly chosen ones
    ABUT_CONVEX_CAP_POINTS = 8    // of the octagon in a disc
};

typedef struct AbutConvexFace
{
    uint32_t count; // 1 a point, 2 a segment, else a convex polygon, counter-clockwise from outside
    AbutDVec3 points[ABUT_CONVEX_FACE_POINTS];
    uint32_t ids[ABUT_CONVEX_FACE_POINTS];
    AbutDVec3 normal; // of a polygon: outward, of unit length
} AbutConvexFace;

/// In the frame of the core; `direction` is of unit length.
void abut_convex_face(const AbutConvexCore* core, AbutDVec3 direction, AbutConvexFace* face);

/// From the frame of B to that of A.
void abut_convex_face_to_a(const AbutConvexPair* pair, AbutConvexFace* face);

#endif
