/// @file open_sheets.h
/// Open components of a mesh that enclose no volume: flat and gently curved sheets, loose triangles.
///
/// A sheet with a reversed copy of each of its triangles is closed and has no inside: its winding number is 0
/// everywhere. The point set is the same, so distances do not change.
#ifndef ABUT_MESH_CLOSURE_OPEN_SHEETS_H
#define ABUT_MESH_CLOSURE_OPEN_SHEETS_H

#include "mesh/mesh.h"

typedef struct AbutOpenSheets
{
    // the mesh, followed by reversed copies of the triangles of its sheets; NULL without sheets
    AbutMesh* mesh;
    uint8_t* flags;           // by triangle of `mesh`: 1 for sheets
    uint32_t triangle_count;  // of sheets, without the copies
    uint32_t open_edge_count; // border edges of other open components
} AbutOpenSheets;

/// Sheets are open components with mostly equal normals and nearly no volume about their centre of area;
/// unless all of them together surround a volume.
AbutResult abut_open_sheets_create(const AbutHost* host, const AbutMesh* mesh, AbutOpenSheets* out);

/// Gives the memory back to the host it came from. Zeroed sheets are ignored.
void abut_open_sheets_destroy(const AbutHost* host, AbutOpenSheets* sheets);

#endif
