/// @file family_mesh.h (internal to bench families)
/// Meshes about the origin, 1 long.
#ifndef ABUT_BENCH_FAMILY_MESH_H
#define ABUT_BENCH_FAMILY_MESH_H

#include <abut/mesh.h>

/// Takes over the mesh. NULL without memory.
AbutMesh* family_mesh_recenter(AbutMesh* mesh);

/// A mesh of the folder in ABUT_SHARED_MESHES; a ring of 64k triangles stands for one that is not there.
AbutMesh* family_mesh_load(const char* file);

#endif
