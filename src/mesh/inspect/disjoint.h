/// @file disjoint.h
/// Conservative tests for a gap between two triangles: false where rounding leaves the gap open.
#ifndef ABUT_MESH_INSPECT_DISJOINT_H
#define ABUT_MESH_INSPECT_DISJOINT_H

#include "math/dvec3.h"

#include <stdbool.h>

/// True when two triangles that share no corner have a gap between them of at least 1e-10 of their size.
bool abut_triangles_are_disjoint(const AbutDVec3 a[3], const AbutDVec3 b[3]);

/// True when two triangles with a common first corner, extended to infinite wedges away from it, have nothing
/// else in common.
bool abut_wedges_are_disjoint(const AbutDVec3 a[3], const AbutDVec3 b[3]);

#endif
