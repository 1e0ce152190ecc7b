/// @file faces.h
/// Stages of the inspection: triangles one by one.
#ifndef ABUT_MESH_INSPECT_FACES_H
#define ABUT_MESH_INSPECT_FACES_H

#include "mesh/inspect/inspect.h"

/// Area and degenerate triangles.
AbutResult abut_inspect_faces(AbutInspection* inspection);

/// Triangles with the same corners.
AbutResult abut_inspect_duplicates(AbutInspection* inspection);

#endif
