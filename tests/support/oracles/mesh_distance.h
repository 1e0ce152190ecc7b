/// @file mesh_distance.h
/// Truth for distances: every triangle, in double.
#ifndef ABUT_TEST_MESH_DISTANCE_H
#define ABUT_TEST_MESH_DISTANCE_H

#include <abut/mesh.h>

/// Without sign; infinite for a mesh without triangles.
double test_mesh_distance(const AbutMesh* mesh, const double p[3]);

#endif
