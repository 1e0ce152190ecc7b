/// @file mesh_shading.h
/// Vertices with normals: smooth where a surface is, and split at its edges.
#ifndef ABUT_CLI_MESH_SHADING_H
#define ABUT_CLI_MESH_SHADING_H

#include "recording.h"

typedef struct ShadedMesh
{
    AbutVec3* positions;
    AbutVec3* normals; ///< of unit length
    uint32_t vertex_count;
    uint32_t* indices; ///< three per triangle, in the order of the mesh's triangles
    uint32_t triangle_count;
} ShadedMesh;

/// A corner's normal is the mean of the faces around its vertex that are turned from its own by less than
/// 40°; corners of a vertex with the same normal share a vertex. Triangles without area are left out. @return
/// false without memory.
bool shaded_mesh_create(const RecordedMesh* mesh, ShadedMesh* out);

void shaded_mesh_destroy(ShadedMesh* mesh);

#endif
