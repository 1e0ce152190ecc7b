/// @file duplicate_faces.h
/// Faces that a mesh has more than once.
#ifndef ABUT_MESH_CLOSURE_DUPLICATE_FACES_H
#define ABUT_MESH_CLOSURE_DUPLICATE_FACES_H

#include "mesh/half_edges.h"

/// A copy of the mesh without triangles that an earlier one equals, corners and way round, when it has fewer
/// border edges for that; else NULL. So a band of faces that is there twice is there once. `half_edges` are
/// those of the mesh.
AbutResult abut_duplicate_faces_remove(const AbutHost* host, const AbutMesh* mesh,
                                       const AbutHalfEdges* half_edges, AbutMesh** out);

#endif
