/// @file memory.h
/// Growable arrays through the host. The file library sees only the public headers of the core, so it has its
/// own.
#ifndef ABUT_IO_MEMORY_H
#define ABUT_IO_MEMORY_H

#include <abut/base.h>

/// An array that grows. Zero-initialise it, set item_size, and give it back with abut_io_array_free().
typedef struct AbutIoArray
{
    void* items;
    size_t count;
    size_t capacity;
    size_t item_size;
} AbutIoArray;

/// `*host`, or the default host for NULL.
AbutHost abut_io_host(const AbutHost* host);

/// `size` bytes (at least one), or NULL with abut_last_error() set.
void* abut_io_allocate(const AbutHost* host, size_t size);

/// Gives back what was allocated with the same size. NULL is ignored.
void abut_io_free(const AbutHost* host, void* memory, size_t size);

/// Room for `extra` items behind the last; the array at least doubles when it has to move.
/// On failure the array stays as it was, and abut_last_error() is set.
bool abut_io_array_grow(const AbutHost* host, AbutIoArray* array, size_t extra);

static inline bool abut_io_array_reserve(const AbutHost* host, AbutIoArray* array, size_t extra)
{
    return extra <= array->capacity - array->count || abut_io_array_grow(host, array, extra);
}

void abut_io_array_free(const AbutHost* host, AbutIoArray* array);

#endif
