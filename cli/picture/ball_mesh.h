/// @file ball_mesh.h
/// Balls as triangles.
#ifndef ABUT_CLI_BALL_MESH_H
#define ABUT_CLI_BALL_MESH_H

#include "recording.h"

/// A ball of radius 1 about the origin: an octahedron with every face cut into divisions² triangles, closed.
/// `divisions` is from 1 to 16. @return false without memory.
bool ball_mesh_create(uint32_t divisions, RecordedMesh* out);

void ball_mesh_destroy(RecordedMesh* mesh);

#endif
