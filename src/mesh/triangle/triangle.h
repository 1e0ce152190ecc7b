/// @file triangle.h
/// Exact questions about single triangles and pairs of them.
#ifndef ABUT_MESH_TRIANGLE_TRIANGLE_H
#define ABUT_MESH_TRIANGLE_TRIANGLE_H

#include <abut/math.h>

typedef struct AbutTriangle
{
    AbutVec3 corners[3];
} AbutTriangle;

static inline AbutTriangle abut_triangle_of(const AbutVec3* vertices, const uint32_t* corners)
{
    AbutTriangle triangle = { { vertices[corners[0]], vertices[corners[1]], vertices[corners[2]] } };
    return triangle;
}

static inline AbutBox abut_triangle_box(const AbutTriangle* t)
{
    return abut_box(abut_vec3_min(abut_vec3_min(t->corners[0], t->corners[1]), t->corners[2]),
                    abut_vec3_max(abut_vec3_max(t->corners[0], t->corners[1]), t->corners[2]));
}

/// True when the corners are in one line, or one point: no rounding is involved.
bool abut_triangle_is_degenerate(const AbutTriangle* triangle);

/// True when the triangles have a point in common that lies on the border of neither; exact, and the same
/// for every order of corners and triangles. Neither may be degenerate.
///
/// So triangles cross when they cut through each other and when they overlap in one plane. They only touch
/// when the border of one stands on the other: a shared corner or edge, a corner on an edge (a T-junction),
/// an edge that lies on a face.
bool abut_triangles_cross(const AbutTriangle* a, const AbutTriangle* b);

#endif
