/// @file corners.h
/// Triangles of a mesh as vectors of doubles.
#ifndef ABUT_MESH_CORNERS_H
#define ABUT_MESH_CORNERS_H

#include "math/dvec3.h"
#include "mesh/mesh.h"

static inline void abut_load_triangle(const AbutMesh* mesh, uint32_t triangle, double corners[3][3])
{
    const uint32_t* index = mesh->indices + 3 * (size_t)triangle;
    for (int k = 0; k < 3; ++k)
    {
        abut_array3_from_vec3(mesh->vertices[index[k]], corners[k]);
    }
}

#endif
