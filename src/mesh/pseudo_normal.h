/// @file pseudo_normal.h
/// Normals of the edges and vertices of a closed surface: the sum of the normals of the faces around,
/// weighted with their angles (J. A. Bærentzen and H. Aanæs, "Signed distance computation using the angle
/// weighted pseudonormal", 2005). A point is in front of the surface exactly when the vector to it from its
/// closest point has a positive product with the normal of the feature that the closest point is on.
#ifndef ABUT_MESH_PSEUDO_NORMAL_H
#define ABUT_MESH_PSEUDO_NORMAL_H

#include "mesh/half_edges.h"
#include "mesh/triangle/closest_point.h"

typedef struct AbutPseudoNormals
{
    const AbutHalfEdges* half_edges;
    AbutDVec3* vertices; // of any length
    /// By vertex: 1 when its faces are one closed fan that covers the plane once, seen against its normal.
    /// Then two of them touch in shared edges alone.
    uint8_t* regular;
} AbutPseudoNormals;

/// The half edges must outlive the normals.
AbutResult abut_pseudo_normals_create(const AbutHost* host, const AbutHalfEdges* half_edges,
                                      AbutPseudoNormals* out);

/// Gives the memory back to the host it came from. Zeroed normals are ignored.
void abut_pseudo_normals_destroy(const AbutHost* host, AbutPseudoNormals* normals);

/// The unit normal of a triangle. False for one that is so thin that rounding decides where its normal
/// points; then it is zero.
bool abut_face_normal(const AbutMesh* mesh, uint32_t triangle, AbutDVec3* normal);

/// The normal, of any length, of a feature of a triangle; zero where there is none.
AbutDVec3 abut_pseudo_normal(const AbutPseudoNormals* normals, uint32_t triangle,
                             AbutTriangleFeature feature);

#endif
