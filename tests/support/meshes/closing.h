/// @file closing.h
/// Meshes with holes, closed and judged by the report of abut_mesh_inspect().
#ifndef ABUT_TEST_CLOSING_H
#define ABUT_TEST_CLOSING_H

#include "support/meshes/meshes.h"

typedef struct TestClosed
{
    AbutMesh* mesh;
    AbutMeshCloseReport close;
    AbutMeshReport before, after;
} TestClosed;

typedef struct TestOutline
{
    double (*points)[2]; // counter-clockwise
    uint32_t count;
} TestOutline;

/// What must hold of any mesh.
TestClosed test_close_with(const AbutMeshCloseDef* def, const AbutMesh* mesh);

TestClosed test_close_mesh(const AbutMesh* mesh);

TestClosed test_close_soup(const TestSoup* soup);

TestClosed test_close_and_free(TestSoup* soup);

void test_check_closed(const TestClosed* closed);

/// A unit box without the faces whose bits are set; faces as in test_soup_box().
TestSoup test_box_without(unsigned faces);

/// The wall over an outline, open at both ends; its ends lean by `lean` per unit of x.
TestSoup test_make_wall(const TestOutline* outline, double height, double lean);

void test_rotate_soup(TestSoup* soup, AbutQuat rotation);

/// A tube whose upper rim goes up and down `waves` times.
TestSoup test_make_wavy_tube(uint32_t count, int waves, double height);

TestSoup test_make_torn_sphere(TestRandom* random, uint32_t divisions, double fraction);

/// A box whose face at z = 1 has `steps`² squares while the others have none, so that its rim stands on their
/// edges.
TestSoup test_make_t_junctions(uint32_t steps, AbutQuat rotation);

#endif
