/// @file cases.h
/// The triangles of a cell for each of the 256 cases of its corners inside or outside.
///
/// Corners are numbered x + 2y + 4z. Edges are numbered 4·axis + k; k is the position of the edge on the two
/// other axes, in cyclic order (y, z for an edge along x; z, x along y; x, y along z): first axis + 2 ·
/// second axis.
#ifndef ABUT_SURFACE_CASES_H
#define ABUT_SURFACE_CASES_H

#include <stdint.h>

enum
{
    ABUT_CELL_EDGES = 12,
    ABUT_CASE_COUNT = 256,
    ABUT_CASE_MAX_TRIANGLES = 5,
};

/// Edges as numbers; triangles counter-clockwise seen from outside of the solid.
typedef struct AbutSurfaceCase
{
    uint16_t edges; // a bit for each edge with ends on different sides
    uint8_t triangle_count;
    uint8_t triangles[ABUT_CASE_MAX_TRIANGLES][3];
} AbutSurfaceCase;

/// Fills the table; bit c of the number of a case: corner c is inside.
///
/// docs/surface.md proves that meshes of these polygons are closed, manifold and free of crossings.
/// Properties of the table in that proof, which tests/surface/test_surface_cases.c checks for all cases:
/// - the lines that a case draws on a face of the cell depend on the four signs of that face alone;
/// - each crossed edge is a corner of exactly one piece, and each piece is a disc;
/// - no side of a triangle lies in a face, but for those lines;
/// - triangles of one cell meet in shared corners and sides alone, wherever on their edges the corners stand.
void abut_surface_cases_make(AbutSurfaceCase cases[ABUT_CASE_COUNT]);

/// The corner at which an edge begins; it ends one step further along its axis.
static inline unsigned abut_surface_edge_corner(unsigned edge)
{
    unsigned axis = edge / 4;
    return (edge & 1u) << (axis + 1) % 3 | (edge >> 1 & 1u) << (axis + 2) % 3;
}

#endif
