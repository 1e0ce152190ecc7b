/// @file crease.h
/// Lower bound of the error of a field from the edges of its mesh, before any bake.
///
/// The distance to a surface with an edge of angle a has a kink there: its gradient rotates by a, a
/// difference of 2 sin(a/2). Interpolation smooths the kink, by a constant fraction of a cell: at least 0.19
/// · 2 sin(a/2) (order 0) and 0.125 · 2 sin(a/2) (order 1) were measured for angles from 7 to 120 degrees,
/// and the fraction does not fall with the cells. So the cell size is proportional to the error, however
/// smooth the mesh is elsewhere.
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

/// Upper bound of the cell size for an error; infinite without such edges. From edges that the measurement,
/// which samples some hundred bricks, can meet, and from less than their measured cost. *degrees is the angle
/// of the edges that give the bound.
double abut_creases_cell(const AbutCreases* creases, double error, double* degrees);

/// Expected error of cells of this size.
double abut_creases_error(const AbutCreases* creases, double cell);

#endif
