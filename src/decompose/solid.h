/// @file solid.h
/// A closed mesh as a solid: its half edges, and the signed distance of single points by a box tree and
/// pseudo-normals.
#ifndef ABUT_DECOMPOSE_SOLID_H
#define ABUT_DECOMPOSE_SOLID_H

#include "mesh/box_tree.h"
#include "mesh/half_edges.h"
#include "mesh/pseudo_normal.h"

typedef struct AbutSolid
{
    AbutHost host;
    AbutHalfEdges half_edges; // its mesh has equal vertices joined
    AbutPseudoNormals normals;
    AbutBoxTree tree; // of the triangles
    double volume;
    double diagonal; // of the bounds
} AbutSolid;

/// @return ABUT_INVALID_DATA for a mesh that is empty, open, not manifold or inside out, with the fix;
/// ABUT_LIMIT_EXCEEDED for too many triangles; ABUT_OUT_OF_MEMORY
AbutResult abut_solid_create(const AbutHost* host, const AbutMesh* mesh, AbutSolid* out);

/// A zeroed solid is ignored.
void abut_solid_destroy(AbutSolid* solid);

/// Distance from the surface, negative inside.
double abut_solid_distance(const AbutSolid* solid, AbutDVec3 point);

/// The same, with the closest triangle.
double abut_solid_closest(const AbutSolid* solid, AbutDVec3 point, uint32_t* triangle);

/// Distance from one triangle.
double abut_solid_triangle_distance(const AbutSolid* solid, uint32_t triangle, AbutDVec3 point);

#endif
