/// @file import_format.h
/// What abut-import, the program that runs assimp, writes to its standard output. Both
/// ends run on one machine: numbers are in its byte order. The reader (import_scene.c) trusts none of it.
///
///     magic               8 bytes, ABUT_IMPORT_MAGIC
///     status              u32, AbutImportStatus
///     a message           unless the status is ABUT_IMPORT_SCENE: u32 length, then its bytes
///     mesh_count          u32, and the following for each mesh
///         name            u32 length, then its bytes
///         vertex_count    u32
///         face_count      u32
///         corner_count    u32, of all faces together
///         vertices        3 floats each
///         face sizes      u32 each; their sum is corner_count
///         corners         u32 each, indices of vertices
/// node_count u32, and the following for each node; parents come before their children, the root first
///         parent          u32, the index of a node before it; ABUT_IMPORT_ROOT for the first
///         matrix          12 floats: three rows that take a point of the node to its parent
///         mesh numbers    u32 count, then a u32 each
///     end                 u32, ABUT_IMPORT_END, and nothing after it
#ifndef ABUT_IO_IMPORT_FORMAT_H
#define ABUT_IO_IMPORT_FORMAT_H

#define ABUT_IMPORT_MAGIC "ABUTIMP1"
#define ABUT_IMPORT_ROOT 0xFFFFFFFFu
#define ABUT_IMPORT_END 0x21444E45u

typedef enum AbutImportStatus
{
    ABUT_IMPORT_SCENE,
    ABUT_IMPORT_FAILED,      ///< the message is assimp's
    ABUT_IMPORT_UNSUPPORTED, ///< the message is the list of endings that assimp reads
    ABUT_IMPORT_STATUS_COUNT
} AbutImportStatus;

#endif
