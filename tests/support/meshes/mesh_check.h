/// @file mesh_check.h
/// Facts of a mesh found the slow and simple way, apart from the library's own inspection.
#ifndef ABUT_TEST_MESH_CHECK_H
#define ABUT_TEST_MESH_CHECK_H

#include "support/support.h"

/// Fails unless the mesh is closed, oriented and manifold: every directed edge once with its opposite once,
/// one fan of triangles around every vertex, no unused or equal vertices, no triangle without an area.
void test_check_manifold(const AbutMesh* mesh, const char* what);

/// The same, with positive volume and the given Euler characteristic.
void test_check_solid(const AbutMesh* mesh, int64_t euler, const char* what);

/// Vertices − edges + triangles: 2 per ball, 0 per ring. For closed meshes.
int64_t test_mesh_euler(const AbutMesh* mesh);

/// Of the bytes of vertices and indices.
uint64_t test_mesh_hash(const AbutMesh* mesh);

double test_mesh_area(const AbutMesh* mesh);

/// By the divergence theorem, in double.
double test_mesh_volume(const AbutMesh* mesh);

/// The number of pairs of triangles of which an edge of one passes through the other, and of neighbours that
/// lie on one another. Triangles in a common plane are not looked at; see test_check_flat_faces().
uint64_t test_mesh_crossings(const AbutMesh* mesh);

/// Fails unless all triangles in planes of constant y look up or down the same way in each plane. Then a flat
/// face whose rim does not cross itself is covered once: signed areas add up to that of the rim whatever the
/// triangles do.
void test_check_flat_faces(const AbutMesh* mesh, const char* what);

/// Length of the diagonal of the bounds.
double test_mesh_size(const AbutMesh* mesh);

#endif
