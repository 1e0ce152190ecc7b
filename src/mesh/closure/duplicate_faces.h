/// @file duplicate_faces.h
/// Faces that a mesh has more than once.
#ifndef ABUT_MESH_CLOSURE_DUPLICATE_FACES_H
#define ABUT_MESH_CLOSURE_DUPLICATE_FACES_H

#include "mesh/half_edges.h"

/// A copy of the mesh without triangles equal to an earlier one in corners and orientation, when that leaves
/// fewer border edges; else NULL. So of a duplicated band of faces one copy remains. `half_edges` are the
/// half edges of the mesh.
AbutResult abut_duplicate_faces_remove(const AbutHost* host, const AbutMesh* mesh,
                                       const AbutHalfEdges* half_edges, AbutMesh** out);

#endif
