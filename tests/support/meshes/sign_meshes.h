/// @file sign_meshes.h
/// Meshes that are hard to tell the inside of, made on the spot; each call must succeed, and the caller
/// destroys what it gets.
#ifndef ABUT_TEST_SIGN_MESHES_H
#define ABUT_TEST_SIGN_MESHES_H

#include "support/meshes/meshes.h"
#include "support/meshes/signs.h"

/// Signs by the automatic method on a grid of so many nodes along each side.
TestSigns test_signs_of(const AbutMesh* mesh, uint32_t nodes);

/// The mesh with all faces looking the other way.
AbutMesh* test_flipped(const AbutMesh* mesh);

/// Adds a sphere; its faces look inward when `radius` is negative.
void test_soup_add_sphere(TestSoup* soup, double x, double y, double z, double radius, uint32_t divisions);

void test_soup_add_box(TestSoup* soup, AbutVec3 min, AbutVec3 max, bool inward);

AbutMesh* test_soup_mesh_and_free(TestSoup* soup);

/// A box whose six sides are cut into different numbers of squares, which meet in T-junctions, turned so that
/// they are off by rounding.
AbutMesh* test_patchwork_box(TestRandom* random, double jitter, double far);

/// A unit sphere without the faces within `hole` of the top.
AbutMesh* test_holed_sphere(double hole, bool inward);

/// The meshes that take all paths: closed, crossing, open, soup. `i` is under 5.
AbutMesh* test_assorted_mesh(int i);

#endif
