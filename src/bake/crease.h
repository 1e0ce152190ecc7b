/// @file crease.h
/// What the edges of a mesh say about the error of its field, before any bake.
///
/// The distance to a surface that bends by the angle a at an edge has a kink there: its gradient turns by a,
/// which is 2 sin(a/2) as a difference. Interpolation rounds the kink off, by a constant part of a cell: at
/// least 0.19 · 2 sin(a/2) (order 0) and 0.125 · 2 sin(a/2) (order 1) were measured for angles from 7 to 120
/// degrees, and the part does not fall with the cells. So an error asks for cells in proportion to it,
/// however smooth the mesh looks from afar.
#ifndef ABUT_BAKE_CREASE_H
#define ABUT_BAKE_CREASE_H

#include <abut/bake.h>

enum
{
    ABUT_CREASE_BUCKETS = 64 ///< of kinks, from 0 to 2
};

typedef struct AbutCreases
{
    double lengths[ABUT_CREASE_BUCKETS]; ///< of the edges, by their kink 2 sin(a/2)
    double area;                         ///< of the mesh
    bool first_order;                    ///< of the field
} AbutCreases;

/// @return ABUT_OUT_OF_MEMORY.
AbutResult abut_creases_find(const AbutBakeDef* def, const AbutMesh* mesh, AbutCreases* out);

/// No larger cells reach the error; infinite: the edges do not say. Counts edges that the measure, which
/// samples some hundred bricks, meets, and less than what they were seen to cost. *degrees is how much the
/// edges bend that say so.
double abut_creases_cell(const AbutCreases* creases, double error, double* degrees);

/// About what error to expect of cells of this size.
double abut_creases_error(const AbutCreases* creases, double cell);

#endif
