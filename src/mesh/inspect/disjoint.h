/// @file disjoint.h
/// Whether two triangles keep clear of each other. Answers "no" when rounding leaves it open: for code that
/// has a slower way for triangles that do not.
#ifndef ABUT_MESH_INSPECT_DISJOINT_H
#define ABUT_MESH_INSPECT_DISJOINT_H

#include <stdbool.h>

/// True when two triangles that share no corner have a gap between them of at least 1e-10 of their size.
bool abut_triangles_are_disjoint(double a[3][3], double b[3][3]);

/// True when two triangles with a common first corner, continued without end away from it, have nothing else
/// in common.
bool abut_wedges_are_disjoint(double a[3][3], double b[3][3]);

#endif
