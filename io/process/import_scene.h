/// @file import_scene.h
/// Turns what abut-import wrote (import_format.h) into triangles. The bytes are as
/// untrusted as a file: whatever read the file may have been led astray by it.
#ifndef ABUT_IO_IMPORT_SCENE_H
#define ABUT_IO_IMPORT_SCENE_H

#include "io/mesh/load.h"

/// Reads the answer of `size` bytes. load->name stands for the file in messages; copies of meshes may add up
/// to `corner_limit` corners (faces with fewer than 3 count one more).
/// @return ABUT_INVALID_DATA (the message of assimp, a broken answer, an index out of range, numbers that are
/// not finite), ABUT_UNSUPPORTED with the endings that assimp reads, ABUT_LIMIT_EXCEEDED, ABUT_OUT_OF_MEMORY
AbutResult abut_io_import_parse(AbutIoLoad* load, const void* bytes, size_t size, uint64_t corner_limit,
                                AbutIoBuilder* builder);

#endif
