/// @file pseudo_normal.h
/// Normals that tell the sides of a closed surface apart at its edges and vertices too: the sum of the
/// normals around, weighted with the angles of their faces (J. A. Bærentzen and H. Aanæs, "Signed distance
/// computation using the angle weighted pseudonormal", 2005). The vector from the nearest point of the
/// surface to any other point has a positive product with the normal of what it stands on exactly when that
/// other point is in front.
#ifndef ABUT_MESH_PSEUDO_NORMAL_H
#define ABUT_MESH_PSEUDO_NORMAL_H

#include "mesh/half_edges.h"
#include "mesh/triangle/closest_point.h"

typedef struct AbutPseudoNormals
{
    const AbutHalfEdges* half_edges;
    double (*vertices)[3]; // of any length
    /// By vertex: 1 when its faces are one closed fan that lies in one layer, seen against its normal. Then
    /// no two of them touch but in the edges that they share.
    uint8_t* regular;
} AbutPseudoNormals;

/// The half edges must outlive the normals.
AbutResult abut_pseudo_normals_create(const AbutHost* host, const AbutHalfEdges* half_edges,
                                      AbutPseudoNormals* out);

/// Gives the memory back to the host it came from. Zeroed normals are ignored.
void abut_pseudo_normals_destroy(const AbutHost* host, AbutPseudoNormals* normals);

/// The unit normal of a triangle. False for one that is so thin that rounding decides where its normal
/// points; then it is zero.
bool abut_face_normal(const AbutMesh* mesh, uint32_t triangle, double normal[3]);

/// The normal, of any length, of a feature of a triangle; zero where there is none.
void abut_pseudo_normal(const AbutPseudoNormals* normals, uint32_t triangle, AbutTriangleFeature feature,
                        double normal[3]);

#endif
