/// @file signs.h
/// Signs of grid nodes, and two ways to check them that share nothing with the library: counting what a line
/// through a column of nodes crosses, and adding up solid angles.
#ifndef ABUT_TEST_SIGNS_H
#define ABUT_TEST_SIGNS_H

#include "support/support.h"

#include "bake/distance/grid.h"
#include "bake/sign/jobs.h"

/// Nodes with distances and signs.
typedef struct TestSigns
{
    AbutNodeGrid grid;
    float* squared; ///< with the sign bit set inside
    uint32_t* nearest;
    AbutSignCounts counts;
    AbutSignClassifierInfo info;
} TestSigns;

/// A cubic grid around a mesh, with a tenth of its size to spare on every side, shifted a little so that it
/// has no nodes on planes of symmetry.
AbutNodeGrid test_sign_grid(const AbutMesh* mesh, uint32_t nodes);

TestSigns test_signs(const AbutMesh* mesh, const AbutNodeGrid* grid, AbutSignMethod method,
                     const AbutHost* host);
void test_signs_free(TestSigns* signs);

static inline bool test_sign_is_inside(const TestSigns* signs, size_t node)
{
    return signbit(signs->squared[node]) != 0;
}

double test_node_distance(const TestSigns* signs, size_t node);
void test_node_point(const AbutNodeGrid* grid, size_t node, double point[3]);

/// Winding numbers of all nodes of a grid by crossings along z: one number up for each face passed on the way
/// up that looks up, down for each that looks down. Lines stand 1e-7 of the mesh's size beside the nodes, so
/// that they meet no edges. Right for surfaces without holes, at nodes further from the surface than that.
/// The caller frees the numbers.
int* test_column_windings(const AbutMesh* mesh, const AbutNodeGrid* grid);

/// The winding number of a point, all solid angles added up in double.
double test_winding(const AbutMesh* mesh, const double point[3]);

/// Fails unless all nodes further than 1e-6 of the mesh's size from it are inside exactly where columns count
/// `sign` · number ≥ 1. Returns the number of nodes compared.
size_t test_check_signs(const AbutMesh* mesh, const TestSigns* signs, int sign, const char* what);

#endif
