/// @file meshes.h
/// Small meshes put together by hand, apart from the library's own generators.
#ifndef ABUT_TEST_MESHES_H
#define ABUT_TEST_MESHES_H

#include "support/support.h"

/// Arrays that grow; zero-initialise, free with test_soup_free().
typedef struct TestSoup
{
    AbutVec3* vertices;
    uint32_t* indices;
    uint32_t vertex_count, triangle_count;
    uint32_t vertex_capacity, triangle_capacity;
} TestSoup;

uint32_t test_soup_vertex(TestSoup* soup, double x, double y, double z);
void test_soup_triangle(TestSoup* soup, uint32_t a, uint32_t b, uint32_t c);

/// A triangle with three vertices of its own.
void test_soup_loose(TestSoup* soup, AbutVec3 a, AbutVec3 b, AbutVec3 c);

/// A closed box of twelve triangles that share eight vertices.
void test_soup_box(TestSoup* soup, AbutVec3 min, AbutVec3 max);

/// A closed ring around y with 2 · major · minor triangles.
void test_soup_torus(TestSoup* soup, double major_radius, double minor_radius, uint32_t major,
                     uint32_t minor);

/// The unit octahedron with each face cut into divisions² triangles, pushed out to the unit sphere.
void test_soup_sphere(TestSoup* soup, uint32_t divisions);

/// Loose triangles of up to six units about random places within half of the origin, corners on whole
/// numbers, then moved by up to `nudge`.
TestSoup test_soup_on_grid(TestRandom* random, int triangle_count, double half, double nudge);

/// Gives every corner a vertex of its own, as STL files do.
void test_soup_split(TestSoup* soup);

void test_soup_free(TestSoup* soup);

/// The mesh, which must be legal.
AbutMesh* test_soup_mesh(const TestSoup* soup, const AbutHost* host);

/// The torus of the generator, whole.
AbutMesh* test_torus_mesh(float major_radius, float minor_radius, uint32_t major_divisions,
                          uint32_t minor_divisions);

/// Loose triangles with corners on multiples of a quarter within half of `size` from the origin, degenerate
/// ones among them; with `repeats` some are alike.
AbutMesh* test_lattice_mesh(uint64_t seed, uint32_t count, double size, bool repeats);

/// The report with default settings.
AbutMeshReport test_soup_report(const TestSoup* soup);
AbutMeshReport test_soup_report_and_free(TestSoup* soup);

/// Of the three vertex numbers of a triangle.
bool test_has_equal_corners(const uint32_t* corners);

/// 1 when the triangle runs from a to b, −1 from b to a, 0 when it does not have that edge.
int test_edge_direction(const uint32_t* corners, uint32_t a, uint32_t b);

#endif
