/// @file self_intersection.h
/// Triangles that others touch where they have no business to: anywhere but in a corner or an edge that they
/// share.
#ifndef ABUT_MESH_INSPECT_SELF_INTERSECTION_H
#define ABUT_MESH_INSPECT_SELF_INTERSECTION_H

#include "mesh/box_tree.h"
#include "mesh/pseudo_normal.h"

#include <stdatomic.h>

/// Sets touching[t] to 1 for every triangle t of the half edges' mesh that another one crosses, touches, or
/// comes nearer to than 1e-10 of their size, and leaves the rest as they are. Triangles with a common edge
/// are not looked at: they touch when they are folded onto each other, which is a matter of their normals.
/// Meshes whose boxes overlap so much that it would take too long have all triangles touching. The same
/// answer for any worker count.
void abut_find_self_intersections(const AbutHost* host, const AbutPseudoNormals* normals,
                                  const AbutBoxTree* tree, atomic_uchar* touching);

#endif
