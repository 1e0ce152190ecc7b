/// @file patch_distance.h
/// The distance of a patch from the mesh.
#ifndef ABUT_MESH_CLOSURE_PATCH_DISTANCE_H
#define ABUT_MESH_CLOSURE_PATCH_DISTANCE_H

#include "mesh/closure/patching.h"

/// Upper bound of the distance of a triangle beside an edge from the mesh. Corners that are ends of border
/// edges are on the mesh.
double abut_patching_off(const AbutPatching* self, const AbutChainEdge* edge, const uint32_t corners[3]);

#endif
