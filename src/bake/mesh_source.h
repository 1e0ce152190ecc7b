/// @file mesh_source.h
/// A mesh as a source of signed distances: exact distance, sign, and the gradient away from the nearest
/// point.
#ifndef ABUT_BAKE_MESH_SOURCE_H
#define ABUT_BAKE_MESH_SOURCE_H

#include "bake/sign.h"
#include "bake/source.h"
#include "mesh/patches.h"

typedef struct AbutMeshSource AbutMeshSource;

/// The mesh must have triangles and outlive the source. `thickness` is that of a shell.
AbutResult abut_mesh_source_create(const AbutMesh* mesh, AbutBakeSign sign, float thickness,
                                   const AbutHost* host, AbutMeshSource** out);

/// NULL is ignored.
void abut_mesh_source_destroy(AbutMeshSource* source);

AbutNodeSource abut_mesh_source(AbutMeshSource* source);

/// The patches of a mesh that is baked in cells of this size, by a def's kind of sign: gaps up to a cell wide are closed.
/// Nothing for shells, and where the nearest feature alone decides.
AbutResult abut_bake_patches(const AbutBakeDef* def, const AbutMesh* mesh, double cell_size,
                             const AbutHost* host, AbutPatches* out);

/// The mesh that it was created from.
const AbutMesh* abut_mesh_source_mesh(const AbutMeshSource* source);

/// What is known of the signs of the mesh; NULL for a shell.
const AbutSigner* abut_mesh_source_signer(const AbutMeshSource* source);

#endif
