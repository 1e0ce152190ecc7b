/// @file mesh_pair.h
/// State and gap of two solids of triangles.
#ifndef ABUT_NARROW_TRIANGLES_MESH_PAIR_H
#define ABUT_NARROW_TRIANGLES_MESH_PAIR_H

#include <abut/narrow.h>

#include "bake/mesh_shape.h"
#include "math/transform.h"

/// True when both are meshes, placed and scaled perhaps, but not offset.
bool abut_mesh_pair_serves(const AbutShape* a, const AbutShape* b);

typedef struct AbutMeshPairState
{
    AbutCollideState state;
    double gap; // of the solids, proved, in the unit of A; at most the limit
    double uncertainty;
    uint64_t samples; // of a field
} AbutMeshPairState;

/// Both leaves of a pair. Lengths are in the unit of A's leaf.
typedef struct AbutMeshPairView
{
    const AbutMeshShape *a, *b;
    AbutTransform b_in_a; // leaves
    double length;        // of all poses that it was computed from; 0: nothing is moved
    double scale;         // of A's leaf, to the unit of A
} AbutMeshPairView;

AbutMeshPairView abut_mesh_pair_view(const AbutShape* a, const AbutShape* b, const AbutTransform* relative,
                                     double length);

/// What a method finds of the surfaces.
typedef struct AbutMeshSurfaces
{
    AbutCollideState state; // separated, contact and close as proved of the surfaces, or invalid
    double gap;             // proved, of separated surfaces; 0 where the method has none
    double uncertainty;     // of a coordinate of B in the frame of A
} AbutMeshSurfaces;

/// Proved state of the solids: surfaces that touch, or one solid inside of the other. ABUT_COLLIDE_UNDECIDED
/// where surfaces are apart but a hole of one is near the other solid.
AbutMeshPairState abut_mesh_pair_solids(const AbutMeshPairView* view, const AbutMeshSurfaces* surfaces);

/// Bounds of the distance from a point of one leaf (1: B), in its own frame, to the solid of the other, in
/// the unit of that; without rounding.
AbutMeshShapeBounds abut_mesh_pair_bounds(const AbutMeshPairView* view, int side, AbutDVec3 point);

/// Rounding of these bounds.
double abut_mesh_pair_rounding(const AbutMeshPairView* view, int side, double uncertainty);

#endif
