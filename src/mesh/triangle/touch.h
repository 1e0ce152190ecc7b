/// @file touch.h
/// Whether two triangles have a point in common, borders included.
///
/// The corners are doubles: those of a mesh, or of a mesh in another frame, moved and rounded. The first
/// function is exact about the corners as given, the second about every pair of triangles within a radius of
/// them: the rounding of the motion is such a radius.
#ifndef ABUT_MESH_TRIANGLE_TOUCH_H
#define ABUT_MESH_TRIANGLE_TOUCH_H

#include "math/dvec3.h"

typedef struct AbutDTriangle
{
    AbutDVec3 corners[3];
} AbutDTriangle;

/// True when the triangles have a point in common: shared corners and edges, a corner on an edge
/// (T-junction) or on a face, overlap in one plane, crossing. A triangle whose corners are in one line is
/// that segment, one with equal corners that point. Exact for coordinates as in dorient.h, and the same for
/// every order of corners and triangles.
bool abut_triangles_touch(const AbutDTriangle* a, const AbutDTriangle* b);

/// The same for a segment and a triangle.
bool abut_segment_touches_triangle(AbutDVec3 p, AbutDVec3 q, const AbutDVec3 t[3]);

typedef enum AbutTrianglesState
{
    ABUT_TRIANGLES_APART, ///< no point in common
    ABUT_TRIANGLES_TOUCH, ///< a point in common
    ABUT_TRIANGLES_CLOSE, ///< neither is certain
} AbutTrianglesState;

/// What is true of all pairs of triangles whose corners are within `radius` of these in every coordinate,
/// `radius` ≥ 0. Never wrong; `close` only where the gap or overlap is of the order of the radius and the
/// rounding of double, or a triangle has hardly any area.
AbutTrianglesState abut_triangles_touch_within(const AbutDTriangle* a, const AbutDTriangle* b, double radius);

#endif
