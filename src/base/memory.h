/// @file memory.h
/// Memory through the host, with sizes that cannot wrap and failures that leave a message.
#ifndef ABUT_BASE_MEMORY_H
#define ABUT_BASE_MEMORY_H

#include <abut/base.h>

/// The alignment of every allocation: a cache line, so that wide loads of arrays never straddle one.
#define ABUT_MEMORY_ALIGNMENT 64u

/// `*host`, or the default host for NULL. Objects keep the copy.
AbutHost abut_host_resolve(const AbutHost* host);

/// Memory for `count` items of `size` bytes, or NULL with abut_last_error() set; NULL too when count · size
/// wraps. Zero bytes are one byte, so that NULL always means failure.
void* abut_memory_allocate(const AbutHost* host, size_t count, size_t size);

/// The same, filled with zero bytes.
void* abut_memory_allocate_zero(const AbutHost* host, size_t count, size_t size);

/// Frees memory that was allocated with the same count and size. NULL is ignored.
void abut_memory_free(const AbutHost* host, void* memory, size_t count, size_t size);

/// Grows an array of `size`-byte items to hold at least `needed`, doubling. On failure returns false and
/// leaves the array as it was.
bool abut_memory_grow(const AbutHost* host, void** array, size_t* capacity, size_t needed, size_t size);

#endif
