/// @file quickhull.h
/// The triangulated hull that quickhull grows, and its merge into polygons.
#ifndef ABUT_HULL_QUICKHULL_H
#define ABUT_HULL_QUICKHULL_H

#include "hull/draft.h"
#include "math/dvec3.h"

#define ABUT_QUICKHULL_NONE UINT32_MAX

/// Edge i is from corner i to corner i + 1; across it lies neighbors[i].
typedef struct AbutHullTriangle
{
    uint32_t corners[3]; // points, counter-clockwise from outside
    uint32_t neighbors[3];
    AbutDVec3 normal; // rounded: for the choice of points, never for a decision
    double offset;
    double farthest_distance;
    uint32_t farthest;   // the point of its list to be added next
    uint32_t first_seen; // list of points strictly above the triangle, by the array `next`
    uint32_t visit;      // number of the last step that looked at it
    bool visible;        // in that step
    bool alive;
} AbutHullTriangle;

/// Polygons of a triangulated hull: exactly coplanar triangles merged, vertices inside of faces and edges
/// left out.
AbutResult abut_hull_merge(const AbutVec3* points, uint32_t point_count, const AbutHullTriangle* triangles,
                           uint32_t triangle_count, AbutArena* arena, AbutHullDraft* draft);

#endif
