/// @file mesh_pair.h
/// State and gap of two solids of triangles.
#ifndef ABUT_NARROW_TRIANGLES_MESH_PAIR_H
#define ABUT_NARROW_TRIANGLES_MESH_PAIR_H

#include <abut/narrow.h>

#include "math/transform.h"
#include "shape/shape.h"

/// True when both are meshes, placed and scaled perhaps, but not offset.
bool abut_mesh_pair_serves(const AbutShape* a, const AbutShape* b);

typedef struct AbutMeshPairState
{
    AbutCollideState state;
    double gap; // of the solids, proved, in the unit of A; at most the limit
    double uncertainty;
    uint64_t samples; // of a field
} AbutMeshPairState;

/// Proved state of the solids: surfaces that touch, or one solid inside of the other. `relative` is B in the
/// frame of A, computed from `length`. A gap up to `limit` is measured. ABUT_COLLIDE_UNDECIDED where surfaces
/// are apart but a hole of one is near the other solid.
AbutMeshPairState abut_mesh_pair_state(const AbutShape* a, const AbutShape* b, const AbutTransform* relative,
                                       double length, double limit);

#endif
