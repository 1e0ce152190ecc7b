/// @file mesh_source.h
/// A mesh as a source of signed distances: exact distance, sign, and the gradient away from the nearest
/// point.
#ifndef ABUT_BAKE_SOURCE_MESH_SOURCE_H
#define ABUT_BAKE_SOURCE_MESH_SOURCE_H

#include "bake/sign/sign.h"
#include "bake/source/source.h"
#include "mesh/closure/closure.h"

typedef struct AbutMeshSource AbutMeshSource;

typedef struct AbutMeshSourceDef
{
    AbutBakeSign sign;
    float thickness; // of a shell
    // by triangle: 1 for sheets; NULL without sheets; must outlive the source
    const uint8_t* sheet_flags;
} AbutMeshSourceDef;

/// The mesh must have triangles and outlive the source.
AbutResult abut_mesh_source_create(const AbutMesh* mesh, const AbutMeshSourceDef* def, const AbutHost* host,
                                   AbutMeshSource** out);

/// NULL is ignored.
void abut_mesh_source_destroy(AbutMeshSource* source);

AbutNodeSource abut_mesh_source(AbutMeshSource* source);

/// The closure of a mesh that is baked in cells of this size, by a def's kind of sign: gaps up to a cell wide
/// are closed. None for shells and pseudo-normals.
AbutResult abut_bake_closure(const AbutBakeDef* def, const AbutMesh* mesh, double cell_size,
                             const AbutHost* host, AbutClosure* out);

/// The mesh that it was created from.
const AbutMesh* abut_mesh_source_mesh(const AbutMeshSource* source);

/// The sign classifier of the mesh; NULL for a shell.
const AbutSignClassifier* abut_mesh_source_classifier(const AbutMeshSource* source);

#endif
