/// @file mesh_field.h
/// State and gap of a solid of triangles and a field.
#ifndef ABUT_NARROW_TRIANGLES_MESH_FIELD_H
#define ABUT_NARROW_TRIANGLES_MESH_FIELD_H

#include "narrow/triangles/mesh_pair.h"

/// True for a mesh and a field, placed and scaled perhaps, but not offset.
bool abut_mesh_field_serves(const AbutShape* a, const AbutShape* b);

/// Proved state of the solids: triangles of the mesh in the bounds of the field's distance, then what of the
/// field's solid may be inside of the mesh. `relative` is B in the frame of A, computed from `length`.
/// Triangles are divided down to `tolerance`, in the unit of A: ABUT_COLLIDE_CLOSE where that proves neither.
/// ABUT_COLLIDE_UNDECIDED after `budget` samples.
AbutMeshPairState abut_mesh_field_state(const AbutShape* a, const AbutShape* b, const AbutTransform* relative,
                                        double length, double tolerance, uint64_t budget);

#endif
