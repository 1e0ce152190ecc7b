/// @file mesh.h (internal)
/// Storage of a mesh, and construction in place.
#ifndef ABUT_MESH_MESH_H
#define ABUT_MESH_MESH_H

#include <abut/mesh.h>

struct AbutMesh
{
    AbutHost host;
    AbutVec3* vertices;
    uint32_t* indices; // three per triangle
    uint32_t vertex_count;
    uint32_t triangle_count;
    AbutBox bounds; // of the vertices that triangles use
};

/// A mesh with uninitialised arrays of the given counts, to be filled by the caller and then finished by
/// abut_mesh_finish().
AbutResult abut_mesh_create_uninitialized(uint32_t vertex_count, uint32_t triangle_count,
                                          const AbutHost* host, AbutMesh** out);

/// Computes the bounds. Vertices must be finite and indices in range: for trusted data.
void abut_mesh_finish(AbutMesh* mesh);

#endif
