/// @file crossings.h
/// Stage of the inspection: self-intersections.
#ifndef ABUT_MESH_INSPECT_CROSSINGS_H
#define ABUT_MESH_INSPECT_CROSSINGS_H

#include "mesh/inspect/inspect.h"

/// Pairs of triangles that cross.
AbutResult abut_inspect_crossings(AbutInspection* inspection);

#endif
