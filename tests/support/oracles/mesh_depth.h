/// @file mesh_depth.h
/// Truth for penetration depths: surfaces of triangles against solids, in double.
#ifndef ABUT_TEST_MESH_DEPTH_H
#define ABUT_TEST_MESH_DEPTH_H

#include <abut/mesh.h>

/// A closed mesh, or the half-space below a plane through the origin across y when there is no mesh.
typedef struct TestSolid
{
    const AbutMesh* mesh;
    AbutPose pose;
} TestSolid;

/// The penetration depth of two solids: the largest distance from a point of one's surface inside of the
/// other to the other's surface, either way round. Less than `tolerance` too small, never too large; 0 where
/// solids do not overlap.
double test_mesh_depth(const TestSolid* a, const TestSolid* b, double tolerance);

#endif
