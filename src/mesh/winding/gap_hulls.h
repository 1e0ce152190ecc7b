/// @file gap_hulls.h
/// Convex sets around the holes of a surface.
///
/// Any two surfaces that close the same hole and stay in a convex set K around its border are together a
/// closed surface in K. It can be contracted to a point within K, so its winding number is 0 outside of K. So
/// outside of K the winding number of the closed surface is the same for all surfaces that close the hole.
#ifndef ABUT_MESH_WINDING_GAP_HULLS_H
#define ABUT_MESH_WINDING_GAP_HULLS_H

#include "mesh/border.h"
#include "mesh/box_tree.h"

enum
{
    ABUT_HULL_FIXED = 13, // directions of all hulls: the axes and diagonals of a cube
    ABUT_HULL_SLABS = 16, // and three of its own: the normal of the hole, and two across
};

/// All points x with low[i] ≤ d[i]·x ≤ high[i].
typedef struct AbutGapHull
{
    AbutDVec3 own[3]; // d[13] to d[15]
    double low[ABUT_HULL_SLABS], high[ABUT_HULL_SLABS];
} AbutGapHull;

typedef struct AbutGapHulls
{
    AbutGapHull* hulls;
    uint32_t count;
    AbutBoxTree tree;
} AbutGapHulls;

/// One for each set of border edges that points connect, wider by the tolerance of the border.
AbutResult abut_gap_hulls_create(const AbutHost* host, const AbutBorder* border, AbutGapHulls* out);

/// Gives the memory back to the host it came from. Zeroed hulls are ignored.
void abut_gap_hulls_destroy(const AbutHost* host, AbutGapHulls* hulls);

/// False when no hull comes within `radius` of a point. True may also mean that it could not be proved; but
/// not for radius 0.
bool abut_gap_hulls_overlap(const AbutGapHulls* hulls, AbutDVec3 center, double radius);

/// True when all points within `radius` of a point are in one hull.
bool abut_gap_hulls_contain(const AbutGapHulls* hulls, AbutDVec3 center, double radius);

/// Lower bound of the distance from a point to the nearest hull, at most `limit`; 0 in a hull.
double abut_gap_hulls_distance(const AbutGapHulls* hulls, AbutDVec3 point, double limit);

/// The ball around the box of a hull along its own directions, and the volume of that box.
typedef struct AbutGapHullBox
{
    AbutDVec3 center;
    double radius, volume;
} AbutGapHullBox;

AbutGapHullBox abut_gap_hull_box(const AbutGapHull* hull);

#endif
