/// @file edges.h
/// Stages of the inspection: edges and the components that they connect.
#ifndef ABUT_MESH_INSPECT_EDGES_H
#define ABUT_MESH_INSPECT_EDGES_H

#include "mesh/inspect/inspect.h"

/// Fills `edges`, and counts boundary, non-manifold and inconsistent ones.
AbutResult abut_inspect_edges(AbutInspection* inspection);

/// Connected components; uses `edges`.
AbutResult abut_inspect_components(AbutInspection* inspection);

#endif
