/// @file assimp.h
/// Every format that abut does not read itself, through assimp where the build has it.
#ifndef ABUT_IO_ASSIMP_H
#define ABUT_IO_ASSIMP_H

#include "io/mesh/load.h"

/// Reads the file load->name, in a program of its own with limits of time and memory. All meshes of the scene
/// are transformed by their nodes, polygons are cut, corners with equal coordinates are joined, points and
/// lines are left out.
/// @return what abut_io_input_check() returns; ABUT_UNSUPPORTED for an ending that nobody reads, without
/// assimp, or without the program; ABUT_INVALID_DATA with assimp's own message, or when it crashed, answered
/// nonsense, or answered differently in two runs; ABUT_LIMIT_EXCEEDED; ABUT_OUT_OF_MEMORY; ABUT_CANCELLED
AbutResult abut_io_assimp_read(AbutIoLoad* load, const AbutMeshLoadDef* def, AbutIoBuilder* builder);

#endif
