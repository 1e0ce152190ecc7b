/// @file components.h
/// The volume of each component of a surface with its loops closed.
#ifndef ABUT_MESH_REPAIR_COMPONENTS_H
#define ABUT_MESH_REPAIR_COMPONENTS_H

#include "mesh/repair/boundary_loops.h"
#include "mesh/repair/cap.h"

/// Whether a loop has a cap, and the reason if not.
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

/// Marks the caps of flat components: closed with their caps and on average no thicker than `thin`.
/// `loop_caps[i]` belongs to loop i. Components of the half edges that loops connect become one.
/// @return ABUT_OUT_OF_MEMORY.
AbutResult abut_find_flat_components(const AbutCaps* caps, AbutHalfEdges* half_edges,
                                     const AbutBoundaryLoops* loops, double thin, AbutLoopCap* loop_caps);

#endif
