/// @file sided_triangle.h
/// Two triangles and the sides of each other's plane (O. Devillers and P. Guigue, "Faster Triangle-Triangle
/// Intersection Tests", INRIA RR-4488, 2002).
#ifndef ABUT_MESH_TRIANGLE_SIDED_TRIANGLE_H
#define ABUT_MESH_TRIANGLE_SIDED_TRIANGLE_H

#include "math/dvec3.h"

/// A triangle and the sides of the other's plane its corners are on.
typedef struct AbutSidedTriangle
{
    AbutDVec3 corners[3];
    int sides[3];
} AbutSidedTriangle;

static inline bool abut_sided_is_in_plane(const AbutSidedTriangle* t)
{
    return t->sides[0] == 0 && t->sides[1] == 0 && t->sides[2] == 0;
}

static inline bool abut_sided_crosses_plane(const AbutSidedTriangle* t)
{
    return t->sides[0] * t->sides[1] < 0 || t->sides[1] * t->sides[2] < 0 || t->sides[2] * t->sides[0] < 0;
}

static inline void abut_sided_flip(AbutSidedTriangle* t)
{
    AbutDVec3 corner = t->corners[1];
    t->corners[1] = t->corners[2];
    t->corners[2] = corner;
    int side = t->sides[1];
    t->sides[1] = t->sides[2];
    t->sides[2] = side;
}

static inline AbutSidedTriangle abut_sided_rotated(const AbutSidedTriangle* t, int first)
{
    AbutSidedTriangle r;
    for (int i = 0; i < 3; ++i)
    {
        r.corners[i] = t->corners[(first + i) % 3];
        r.sides[i] = t->sides[(first + i) % 3];
    }
    return r;
}

/// Puts the corner that is alone on its side of the plane first, and orients the other triangle's plane so
/// that it is above.
static inline void abut_sided_put_apex_first(AbutSidedTriangle* t, AbutSidedTriangle* other)
{
    for (int i = 0; i < 3; ++i)
    {
        int side = t->sides[i];
        if (side != 0 && t->sides[(i + 1) % 3] * side <= 0 && t->sides[(i + 2) % 3] * side <= 0)
        {
            *t = abut_sided_rotated(t, i);
            if (side < 0)
            {
                abut_sided_flip(other);
            }
            return;
        }
    }
}

/// Both triangles meet the line that their planes have in common in a segment. With each apex first and
/// above the other's plane, the one of `a` runs from its edge 0–2 to its edge 0–1, the one of `b` from its
/// edge 0–1 to its edge 0–2. Two edges that cross the line have the orientation that their points on the
/// line have, so two signs order the ends: the segments overlap when that of (a₀, a₂, b₀, b₂) is positive and
/// that of (a₀, a₁, b₀, b₁) negative, and have a common end when one of them is 0.
static inline void abut_sided_put_apexes_first(AbutSidedTriangle* a, AbutSidedTriangle* b)
{
    abut_sided_put_apex_first(a, b);
    abut_sided_put_apex_first(b, a); // may swap the last two corners of a: its apex stays first
}

#endif
