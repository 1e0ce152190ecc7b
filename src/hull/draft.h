/// @file draft.h
/// Combinatorics of a hull before its block: polygons of half edges over the points of the input.
#ifndef ABUT_HULL_DRAFT_H
#define ABUT_HULL_DRAFT_H

#include <abut/hull.h>

#include "base/arena.h"

/// Arrays live in an arena. The half edges of face i are face_first[i] to face_first[i + 1] − 1.
typedef struct AbutHullDraft
{
    uint32_t dimension;
    uint32_t face_count, half_edge_count;
    uint32_t* face_first; // face_count + 1 of them
    uint32_t* tails;      // of half edges: indices of points
    uint32_t* twins;
    uint32_t point; // of dimension 0
} AbutHullDraft;

/// Points in general position to start from, by exact signs.
typedef struct AbutHullSimplex
{
    uint32_t dimension;
    uint32_t points[4]; // dimension + 1 of them
} AbutHullSimplex;

/// Hull of points of dimension 0 to 2; the simplex has the dimension.
AbutResult abut_hull_draft_flat(const AbutVec3* points, uint32_t count, const AbutHullSimplex* simplex,
                                AbutArena* arena, AbutHullDraft* draft);

/// Hull of points of dimension 3 by quickhull.
AbutResult abut_hull_draft_solid(const AbutVec3* points, uint32_t count, const AbutHullSimplex* simplex,
                                 AbutArena* arena, AbutHullDraft* draft);

/// The block of a draft.
AbutResult abut_hull_assemble(const AbutVec3* points, uint32_t count, const AbutHullDraft* draft,
                              AbutArena* arena, const AbutHost* host, AbutHull** out);

#endif
