/// @file self_intersection.h
/// Triangles in contact outside of shared corners and edges.
#ifndef ABUT_MESH_INSPECT_SELF_INTERSECTION_H
#define ABUT_MESH_INSPECT_SELF_INTERSECTION_H

#include "mesh/box_tree.h"
#include "mesh/pseudo_normal.h"

#include <stdatomic.h>

/// Sets touching[t] to 1 for every triangle t of the half edges' mesh within 1e-10 of its size of another
/// one, and leaves the rest unchanged. Pairs with a common edge are not tested: their contact is a fold,
/// which their normals show. All triangles of a mesh are marked when the pairs exceed the work limit. The
/// same result for any worker count.
void abut_find_self_intersections(const AbutHost* host, const AbutPseudoNormals* normals,
                                  const AbutBoxTree* tree, atomic_uchar* touching);

#endif
