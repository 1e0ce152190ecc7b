#include "base/memory.h"

#include "base/assert.h"

#include <string.h>

AbutHost abut_host_resolve(const AbutHost* host)
{
    return host != NULL ? *host : abut_host_default();
}

static size_t byte_count(size_t count, size_t size)
{
    return count * size == 0 ? 1 : count * size;
}

void* abut_memory_allocate(const AbutHost* host, size_t count, size_t size)
{
    if (size != 0 && count > PTRDIFF_MAX / size)
    {
        abut_fail(ABUT_OUT_OF_MEMORY,
                  "out of memory: %zu items of %zu bytes are more than an address can reach", count, size);
        return NULL;
    }
    void* memory = host->allocate(host->user, byte_count(count, size), ABUT_MEMORY_ALIGNMENT);
    if (memory == NULL)
    {
        abut_fail(ABUT_OUT_OF_MEMORY, "out of memory: could not get %zu bytes", byte_count(count, size));
    }
    ABUT_ASSERT((uintptr_t)memory % ABUT_MEMORY_ALIGNMENT == 0);
    return memory;
}

void* abut_memory_allocate_zero(const AbutHost* host, size_t count, size_t size)
{
    void* memory = abut_memory_allocate(host, count, size);
    if (memory != NULL)
    {
        memset(memory, 0, byte_count(count, size));
    }
    return memory;
}

void abut_memory_free(const AbutHost* host, void* memory, size_t count, size_t size)
{
    if (memory != NULL)
    {
        host->free(host->user, memory, byte_count(count, size));
    }
}

bool abut_memory_grow(const AbutHost* host, void** array, size_t* capacity, size_t needed, size_t size)
{
    ABUT_ASSERT(size > 0 && (*capacity == 0 || *array != NULL));
    if (needed <= *capacity)
    {
        return true;
    }
    size_t grown_capacity = *capacity < 8 ? 16 : *capacity * 2;
    if (grown_capacity < needed)
    {
        grown_capacity = needed;
    }
    void* grown = abut_memory_allocate(host, grown_capacity, size);
    if (grown == NULL)
    {
        return false;
    }
    if (*capacity > 0)
    {
        memcpy(grown, *array, *capacity * size);
        abut_memory_free(host, *array, *capacity, size);
    }
    *array = grown;
    *capacity = grown_capacity;
    return true;
}
