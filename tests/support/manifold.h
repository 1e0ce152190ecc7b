/// @file manifold.h
/// Whether a mesh is a closed, oriented surface, by counting; independent of abut_mesh_inspect().
#ifndef ABUT_TEST_MANIFOLD_H
#define ABUT_TEST_MANIFOLD_H

#include "support/support.h"

/// Fails the test unless every edge has exactly two triangles, in opposite directions, every vertex is used and its triangles
/// form one fan, and every triangle has an area.
void test_assert_manifold(const AbutMesh* mesh);

/// By the divergence theorem and by cross products, in double.
double test_mesh_volume(const AbutMesh* mesh);
double test_mesh_area(const AbutMesh* mesh);

/// Of vertices and indices.
uint64_t test_mesh_hash(const AbutMesh* mesh);

/// Vertices − edges + triangles: 2 per ball, 0 per torus. For closed meshes.
int64_t test_mesh_euler(const AbutMesh* mesh);

#endif
