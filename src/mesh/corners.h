/// @file corners.h
/// Triangles of a mesh as vectors of doubles.
#ifndef ABUT_MESH_CORNERS_H
#define ABUT_MESH_CORNERS_H

#include "base/assert.h"
#include "math/dvec3.h"
#include "mesh/mesh.h"

/// Vertex `vertex` of the mesh.
static inline AbutDVec3 abut_mesh_dvertex(const AbutMesh* mesh, uint32_t vertex)
{
    ABUT_ASSERT(vertex < mesh->vertex_count);
    return abut_dvec3_from_vec3(mesh->vertices[vertex]);
}

/// The corners of a triangle of the mesh.
static inline void abut_mesh_corners(const AbutMesh* mesh, uint32_t triangle, AbutDVec3 corners[3])
{
    ABUT_ASSERT(triangle < mesh->triangle_count);
    const uint32_t* index = mesh->indices + 3 * (size_t)triangle;
    corners[0] = abut_mesh_dvertex(mesh, index[0]);
    corners[1] = abut_mesh_dvertex(mesh, index[1]);
    corners[2] = abut_mesh_dvertex(mesh, index[2]);
}

/// (b − a) × (c − a): the normal of triangle abc, twice its area long.
static inline AbutDVec3 abut_corners_normal(const AbutDVec3 corners[3])
{
    return abut_dvec3_cross(abut_dvec3_sub(corners[1], corners[0]), abut_dvec3_sub(corners[2], corners[0]));
}

/// The mean of the corners.
static inline AbutDVec3 abut_corners_middle(const AbutDVec3 corners[3])
{
    return abut_dvec3_div(abut_dvec3_add(abut_dvec3_add(corners[0], corners[1]), corners[2]), 3.0);
}

/// ½ (min + max), rounded once in double.
static inline AbutDVec3 abut_box_dcenter(AbutBox box)
{
    AbutDVec3 sum = abut_dvec3_add(abut_dvec3_from_vec3(box.min), abut_dvec3_from_vec3(box.max));
    return abut_dvec3_scale(sum, 0.5);
}

#endif
