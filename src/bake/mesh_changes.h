/// @file mesh_changes.h
/// Differences of two meshes.
///
/// Triangles with the same corners, in the same order in both meshes, are unchanged; all others are changed.
/// Changed triangles that share vertices are a region. When the edges of a region's triangles before and
/// after cancel, the two together are a closed surface, and winding numbers change inside of it alone: in the
/// region's box.
#ifndef ABUT_BAKE_MESH_CHANGES_H
#define ABUT_BAKE_MESH_CHANGES_H

#include "mesh/box_tree.h"
#include "mesh/mesh.h"

typedef struct AbutMeshChanges
{
    AbutHost host;
    AbutBox* triangles; // boxes of the changed triangles, before and after
    AbutBox* regions;
    AbutBoxTree triangle_tree, region_tree;
    uint32_t triangle_count, region_count;
    bool same_border; // edges cancel
} AbutMeshChanges;

/// Both meshes have at most ABUT_BOX_TREE_MAX_ITEMS / 2 triangles. @return ABUT_OUT_OF_MEMORY.
AbutResult abut_mesh_changes_create(const AbutHost* host, const AbutMesh* before, const AbutMesh* after,
                                    AbutMeshChanges* out);

/// Zeroed changes are ignored.
void abut_mesh_changes_destroy(AbutMeshChanges* changes);

/// A lower bound of the distance to the nearest triangle that was changed; infinite when there is none.
double abut_mesh_changes_distance(const AbutMeshChanges* changes, AbutDVec3 point);

/// True when the box overlaps a region.
bool abut_mesh_changes_overlap(const AbutMeshChanges* changes, AbutBox box);

#endif
