/// @file inspect.h (internal)
/// The stages of abut_mesh_inspect(), one file each. They work on the welded mesh and fill their members of
/// the report.
#ifndef ABUT_MESH_INSPECT_INSPECT_H
#define ABUT_MESH_INSPECT_INSPECT_H

#include "mesh/edges.h"
#include "mesh/mesh.h"

typedef struct AbutInspection
{
    AbutHost host;
    const AbutMeshInspectDef* def;
    const AbutMesh* mesh; // welded
    AbutVertexKeys edges; // see abut_next_edge
    AbutMeshReport report;
    float stage_begin, stage_end; // the interval of the progress that belongs to the running stage
} AbutInspection;

/// An AbutProgressFn for the running stage; `user` is the inspection.
bool abut_inspect_progress(void* user, float stage_fraction);

#endif
