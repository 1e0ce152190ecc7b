/// @file t_junction.h
/// Points that lie on the inside of edges: T-junctions.
#ifndef ABUT_MESH_T_JUNCTION_H
#define ABUT_MESH_T_JUNCTION_H

#include "mesh/box_tree.h"

/// A point on the inside of an edge.
typedef struct AbutTJunction
{
    double along; // in (0, 1)
    uint32_t point;
} AbutTJunction;

/// Where to look, and how far from an edge a point counts as on it.
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
    uint64_t work;        // points that may still be looked at
    AbutTJunction* items; // of the edge that was asked for last, from its begin to its end
    size_t count, capacity;
} AbutTJunctions;

/// The points must outlive the stops. So much work is allowed as is enough for `edge_count` edges of real
/// meshes; edges of crafted ones have no stops when it is used up.
AbutResult abut_t_junctions_create(const AbutHost* host, AbutTJunctionPoints points, uint32_t edge_count,
                                   AbutTJunctions* out);

/// Stops that were not created but have their host are ignored.
void abut_t_junctions_destroy(AbutTJunctions* t_junctions);

/// Finds the points on the edge between two points. False when memory ran out.
bool abut_t_junctions_find(AbutTJunctions* t_junctions, uint32_t from, uint32_t to);

#endif
