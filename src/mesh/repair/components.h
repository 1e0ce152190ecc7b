/// @file components.h
/// What a surface would enclose with its loops closed, part by part.
#ifndef ABUT_MESH_REPAIR_COMPONENTS_H
#define ABUT_MESH_REPAIR_COMPONENTS_H

#include "mesh/repair/boundary_loops.h"
#include "mesh/repair/cap.h"

/// Why a loop has no cap, or that it has one.
typedef enum AbutLoopStatus
{
    ABUT_LOOP_CAPPED,
    ABUT_LOOP_WIDE,
    ABUT_LOOP_CHAIN,
    ABUT_LOOP_FLAT,
} AbutLoopStatus;

/// A loop with its cap.
typedef struct AbutLoopCap
{
    AbutLoopStatus status;
    size_t begin, end; // in the indices of the caps
} AbutLoopCap;

/// Makes the caps flat of parts that are closed with them and on average no thicker then than `thin`.
/// `caps[i]` belongs to loop i. Parts of the half edges that loops connect become one.
/// @return ABUT_OUT_OF_MEMORY.
AbutResult abut_find_flat_components(const AbutCaps* caps, AbutHalfEdges* half_edges,
                                     const AbutBoundaryLoops* loops, double thin, AbutLoopCap* loop_caps);

#endif
