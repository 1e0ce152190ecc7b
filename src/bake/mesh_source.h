/// @file mesh_source.h
/// A mesh as a source of signed distances: exact distance, sign, and the gradient away from the nearest
/// point.
#ifndef ABUT_BAKE_MESH_SOURCE_H
#define ABUT_BAKE_MESH_SOURCE_H

#include "bake/source.h"

typedef struct AbutMeshSource AbutMeshSource;

/// The mesh must have triangles and outlive the source. `thickness` is that of a shell.
AbutResult abut_mesh_source_create(const AbutMesh* mesh, AbutBakeSign sign, float thickness,
                                   const AbutHost* host, AbutMeshSource** out);

/// NULL is ignored.
void abut_mesh_source_destroy(AbutMeshSource* source);

AbutNodeSource abut_mesh_source(AbutMeshSource* source);

/// What the signs of all blocks sampled so far came from; `cell_size` turns nodes into a volume.
AbutSignReport abut_mesh_source_report(const AbutMeshSource* source, double cell_size);

#endif
