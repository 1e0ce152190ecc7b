/// @file open_sheets.h
/// Open parts of a mesh that enclose nothing: flat and gently bent sheets, loose triangles.
///
/// With each of its triangles once more, the other way round, a sheet is closed, and has no inside: its
/// winding number is 0 everywhere. Nothing is added that was not there, so distances stay what they are.
#ifndef ABUT_MESH_CLOSURE_OPEN_SHEETS_H
#define ABUT_MESH_CLOSURE_OPEN_SHEETS_H

#include "mesh/mesh.h"

typedef struct AbutOpenSheets
{
    // the mesh, and behind its triangles those of its sheets, turned over; NULL when there are none
    AbutMesh* mesh;
    uint8_t* flags;           // by triangle of that: 1 for those of sheets
    uint32_t triangle_count;  // of sheets, before they were turned over
    uint32_t open_edge_count; // border edges that are left: those of other open parts
} AbutOpenSheets;

/// Sheets are open parts whose normals agree for the most part, and whose volume about the centre of their
/// area is next to nothing; but not where all of them together surround something.
AbutResult abut_open_sheets_create(const AbutHost* host, const AbutMesh* mesh, AbutOpenSheets* out);

/// Gives the memory back to the host it came from. Zeroed sheets are ignored.
void abut_open_sheets_destroy(const AbutHost* host, AbutOpenSheets* sheets);

#endif
