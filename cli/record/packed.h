/// @file packed.h
/// Large arrays inside of a page: differences, byte planes, deflate, base64. viewer/src/packed.js is the
/// other side and says what the form is.
#ifndef ABUT_CLI_PACKED_H
#define ABUT_CLI_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// An array on its way to a stream. It holds a block of rows and the rows that the next ones are compared
/// with, never all.
typedef struct PackedWriter PackedWriter;

/// Begins an array of rows of `words` (1 to 64) 32-bit numbers, each compared with the row `back` (at least
/// 1) rows before it. words = 0: bytes, compared with nothing; `back` is 0 then. @return NULL without memory.
PackedWriter* packed_begin(FILE* stream, uint32_t words, uint32_t back);

/// Adds rows; with words = 0, bytes. @return false when zlib has no memory.
bool packed_add(PackedWriter* writer, const void* rows, size_t row_count);

/// Ends the array and frees the writer. Whether the stream took it is for the caller to see (ferror).
/// @return false when zlib has no memory.
bool packed_end(PackedWriter* writer);

/// The whole of an array that is in memory. @return false without memory.
bool packed_write(FILE* stream, const void* rows, size_t row_count, uint32_t words);

#endif
