#include "io/memory.h"

#include <string.h>

/// Of every allocation: a cache line.
enum
{
    ALIGNMENT = 64
};

AbutHost abut_io_host(const AbutHost* host)
{
    return host != NULL ? *host : abut_host_default();
}

void* abut_io_allocate(const AbutHost* host, size_t size)
{
    size_t wanted = size > 0 ? size : 1;
    void* memory = wanted <= PTRDIFF_MAX ? host->allocate(host->user, wanted, ALIGNMENT) : NULL;
    if (memory == NULL)
    {
        abut_fail(ABUT_OUT_OF_MEMORY, "out of memory: could not get %zu bytes", wanted);
    }
    return memory;
}

void abut_io_free(const AbutHost* host, void* memory, size_t size)
{
    if (memory != NULL)
    {
        host->free(host->user, memory, size > 0 ? size : 1);
    }
}

bool abut_io_array_grow(const AbutHost* host, AbutIoArray* array, size_t extra)
{
    enum
    {
        SMALLEST = 64
    };
    size_t most = PTRDIFF_MAX / array->item_size;
    if (extra > most - array->count)
    {
        abut_fail(ABUT_OUT_OF_MEMORY, "out of memory: %zu and %zu items of %zu bytes pass the address space",
                  array->count, extra, array->item_size);
        return false;
    }
    size_t capacity = array->capacity < SMALLEST / 2 ? SMALLEST : array->capacity * 2;
    if (capacity < array->count + extra)
    {
        capacity = array->count + extra;
    }
    void* items = abut_io_allocate(host, capacity * array->item_size);
    if (items == NULL)
    {
        return false;
    }
    if (array->count > 0)
    {
        memcpy(items, array->items, array->count * array->item_size);
    }
    abut_io_free(host, array->items, array->capacity * array->item_size);
    array->items = items;
    array->capacity = capacity;
    return true;
}

void abut_io_array_free(const AbutHost* host, AbutIoArray* array)
{
    abut_io_free(host, array->items, array->capacity * array->item_size);
    array->items = NULL;
    array->count = 0;
    array->capacity = 0;
}
