/// @file closure.h
/// The surface that is baked instead of a mesh: the mesh with its narrow gaps closed.
///
/// In order: duplicate faces are removed; loose triangles with nearly equal corners are joined; seams,
/// T-junctions, slits and small holes are closed by patches (patches.h); open components that enclose no
/// volume get a back (open_sheets.h). Every point of the result is within `width` of the mesh, and every
/// point of the mesh within `width` of it. So distances to one differ from distances to the other by at most
/// that.
#ifndef ABUT_MESH_CLOSURE_CLOSURE_H
#define ABUT_MESH_CLOSURE_CLOSURE_H

#include "mesh/mesh.h"

typedef struct AbutClosure
{
    AbutMesh* mesh;           // NULL when the mesh is to be taken as it is
    double width;             // 0 when there were no gaps
    uint8_t* sheet_flags;     // by triangle of the result: 1 for sheets; NULL without sheets
    bool only_sheets;         // the mesh has no other components
    uint32_t open_edge_count; // border edges that are left: holes wider than allowed
} AbutClosure;

/// Patches stay within `widest` of the mesh. Where corners of loose triangles are joined first, which moves
/// them by up to half of that, the width is up to one and a half times `widest`.
/// @return ABUT_OUT_OF_MEMORY, ABUT_LIMIT_EXCEEDED.
AbutResult abut_closure_create(const AbutHost* host, const AbutMesh* mesh, double widest, AbutClosure* out);

/// Gives the memory back to the host it came from. A zeroed closure is ignored.
void abut_closure_destroy(const AbutHost* host, AbutClosure* closure);

#endif
