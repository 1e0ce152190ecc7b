/// @file exact_triangles.h
/// Triangles and surfaces of triangles in quad precision, by brute force.
#ifndef ABUT_TEST_EXACT_TRIANGLES_H
#define ABUT_TEST_EXACT_TRIANGLES_H

#include "support/oracles/exact.h"

typedef struct ExactTriangle
{
    ExactVec corners[3];
} ExactTriangle;

/// The triangle of a mesh at the pose.
ExactTriangle exact_triangle(const AbutMesh* mesh, uint32_t triangle, const ExactFrame* frame);

/// Whether triangles, segments or points have a point in common: no direction of a complete list separates
/// them by more than the rounding of quad precision, 1e-28 of their size.
bool exact_triangles_touch(const ExactTriangle* a, const ExactTriangle* b);

/// Whether any triangles of the two meshes do.
bool exact_meshes_touch(const AbutMesh* a, const AbutPose* pose_a, const AbutMesh* b, const AbutPose* pose_b);

#endif
