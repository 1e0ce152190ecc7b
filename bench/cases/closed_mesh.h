/// @file closed_mesh.h
/// Meshes from files, closed: a field has an inside, and to peers that know triangles alone a hole would be
/// no part of the surface.
#ifndef ABUT_BENCH_CLOSED_MESH_H
#define ABUT_BENCH_CLOSED_MESH_H

#include <abut/mesh.h>

/// Welded, and with its holes filled. The caller destroys it.
AbutResult bench_load_closed(const char* path, AbutMesh** out);

#endif
