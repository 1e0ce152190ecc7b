/// @file t_junctions.h
/// Stage of the inspection: T-junctions.
#ifndef ABUT_MESH_INSPECT_T_JUNCTIONS_H
#define ABUT_MESH_INSPECT_T_JUNCTIONS_H

#include "mesh/inspect/inspect.h"

/// Vertices inside boundary edges; uses `edges` and their counts.
AbutResult abut_inspect_t_junctions(AbutInspection* inspection);

#endif
