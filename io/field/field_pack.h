/// @file field_pack.h
/// Compressed field files: a header of 64 bytes, then one zstd frame with the block, its nodes filtered so
/// that zstd finds something to do. docs/field_format.md describes both.
#ifndef ABUT_IO_FIELD_PACK_H
#define ABUT_IO_FIELD_PACK_H

#include <abut/field.h>
#include <abut/io.h>

/// Whether bytes start like a compressed field.
bool abut_io_field_is_packed(const void* data, size_t size);

/// A file in memory.
typedef struct AbutIoPacked
{
    char* bytes;
    size_t size;
    size_t capacity;
} AbutIoPacked;

/// Compresses a field. On success the caller gives the memory back with abut_io_free() and `capacity`.
/// @return ABUT_UNSUPPORTED, ABUT_OUT_OF_MEMORY
AbutResult abut_io_field_pack(const AbutShape* field, int level, const AbutHost* host, AbutIoPacked* out);

/// The field in a compressed file.
/// @return ABUT_INVALID_DATA, ABUT_UNSUPPORTED, ABUT_OUT_OF_MEMORY
AbutResult abut_io_field_unpack(const void* data, size_t size, const char* name, const AbutHost* host,
                                AbutShape** out);

#endif
