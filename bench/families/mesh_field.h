/// @file mesh_field.h (internal to bench families)
#ifndef ABUT_BENCH_MESH_FIELD_H
#define ABUT_BENCH_MESH_FIELD_H

#include "bench.h"

/// A row: a mesh of the folder of meshes against the field of the same mesh.
bool mesh_field_run(BenchReport* report, const char* name, const char* file);

#endif
