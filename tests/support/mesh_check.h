/// @file mesh_check.h
/// Facts of a mesh found the slow and simple way, apart from the library's own inspection.
#ifndef ABUT_TEST_MESH_CHECK_H
#define ABUT_TEST_MESH_CHECK_H

#include "support/support.h"

/// Fails unless the mesh is closed, oriented and manifold: every directed edge once with its opposite once, one fan of
/// triangles around every vertex, no unused or equal vertices, no triangle without an area, positive volume and the given Euler characteristic.
void test_check_solid(const AbutMesh* mesh, int64_t euler, const char* what);

/// By the divergence theorem, in double.
double test_mesh_volume(const AbutMesh* mesh);

/// Length of the diagonal of the bounds.
double test_mesh_size(const AbutMesh* mesh);

#endif
