/// @file mass.h
/// Mass properties on a host of choice.
#ifndef ABUT_MESH_MASS_H
#define ABUT_MESH_MASS_H

#include <abut/mesh.h>

/// abut_mesh_mass() on this host instead of the mesh's own.
AbutMassData abut_mesh_mass_on(const AbutHost* host, const AbutMesh* mesh);

#endif
