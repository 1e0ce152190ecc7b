/// @file patching.h (internal to the patches)
/// The state of a search for patches.
#ifndef ABUT_MESH_CLOSURE_PATCHING_H
#define ABUT_MESH_CLOSURE_PATCHING_H

#include "base/union_find.h"
#include "mesh/closure/edge_chain.h"
#include "mesh/half_edges.h"

typedef struct AbutPatching
{
    AbutHost host;
    const AbutMesh* mesh;
    AbutHalfEdges half_edges; // of the mesh; `components` become one where patches connect them
    AbutBox* component_boxes; // by triangle: of the component whose root it is
    AbutVec3* points;   // ends of border edges in the order of their positions, then the middles of fans
    uint32_t* vertices; // by point that is an end: the vertex of the mesh
    uint32_t end_count, point_count;
    size_t point_capacity;
    AbutEdgeChain border; // between points
    uint32_t* corners;    // three points per patch
    size_t corner_count, corner_capacity;
    double widest, width;
} AbutPatching;

/// A loose piece counts as small at a tolerance when its diagonal is under so many tolerances.
#define ABUT_SMALL_PIECE 4.0

static inline bool abut_patching_is_small(AbutPatching* self, uint32_t triangle, double tolerance)
{
    AbutBox box = self->component_boxes[abut_union_find_root(self->half_edges.components, triangle)];
    return (double)abut_vec3_length(abut_box_extents(box)) < ABUT_SMALL_PIECE * tolerance;
}

/// Adds a patch beside an edge, as often as the edge is too many, and its own edges to `chain`. Patches with
/// two equal corners are nothing. False when memory ran out.
bool abut_patching_add(AbutPatching* self, const AbutChainEdge* edge, const uint32_t corners[3],
                       AbutEdgeChain* chain);

/// The border becomes the rest of `chain` after cancellation; `chain` is destroyed.
AbutResult abut_patching_renew(AbutPatching* self, AbutEdgeChain* chain);

#endif
