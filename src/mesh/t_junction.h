/// @file t_junction.h
/// T-junctions: points in the interior of edges.
#ifndef ABUT_MESH_T_JUNCTION_H
#define ABUT_MESH_T_JUNCTION_H

#include "mesh/box_tree.h"

/// A point in the interior of an edge.
typedef struct AbutTJunction
{
    double along; // in (0, 1)
    uint32_t point;
} AbutTJunction;

/// The points, and the distance from an edge up to which a point is on it.
typedef struct AbutTJunctionPoints
{
    const AbutVec3* points;
    uint32_t count;
    double tolerance;
} AbutTJunctionPoints;

typedef struct AbutTJunctions
{
    AbutHost host;
    AbutTJunctionPoints points;
    AbutBoxTree tree;
    uint64_t work;        // points that may still be tested
    AbutTJunction* items; // of the last edge, from its begin to its end
    size_t count, capacity;
} AbutTJunctions;

/// The points must outlive the T-junctions. The work limit is enough for `edge_count` edges of real meshes;
/// edges of crafted meshes have no T-junctions once it is used up.
AbutResult abut_t_junctions_create(const AbutHost* host, AbutTJunctionPoints points, uint32_t edge_count,
                                   AbutTJunctions* out);

/// A struct with its host set that was never created is ignored.
void abut_t_junctions_destroy(AbutTJunctions* t_junctions);

/// Finds the points on the edge between two points. False when memory ran out.
bool abut_t_junctions_find(AbutTJunctions* t_junctions, uint32_t from, uint32_t to);

#endif
