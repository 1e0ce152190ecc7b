#include "base/arena.h"

#include "base/assert.h"
#include "base/memory.h"

struct ArenaBlock
{
    ArenaBlock* older;
    size_t size; // of the whole block, this header included
};

enum
{
    BLOCK_SIZE = 1 << 20,
    HEADER_SIZE = ABUT_MEMORY_ALIGNMENT
};

AbutArena abut_arena_make(const AbutHost* host)
{
    AbutArena arena = { .host = abut_host_resolve(host) };
    return arena;
}

static size_t align_up(size_t size)
{
    return (size + ABUT_MEMORY_ALIGNMENT - 1) / ABUT_MEMORY_ALIGNMENT * ABUT_MEMORY_ALIGNMENT;
}

void* abut_arena_allocate(AbutArena* arena, size_t count, size_t size)
{
    if (size != 0 && count > (PTRDIFF_MAX - BLOCK_SIZE) / size)
    {
        abut_fail(ABUT_OUT_OF_MEMORY,
                  "out of memory: %zu items of %zu bytes are more than an address can reach", count, size);
        return NULL;
    }
    size_t needed = align_up(count * size == 0 ? 1 : count * size);
    if (arena->blocks == NULL || needed > arena->blocks->size - arena->used)
    {
        size_t block_size = needed + HEADER_SIZE > BLOCK_SIZE ? needed + HEADER_SIZE : BLOCK_SIZE;
        ArenaBlock* block = abut_memory_allocate(&arena->host, 1, block_size);
        if (block == NULL)
        {
            return NULL;
        }
        block->older = arena->blocks;
        block->size = block_size;
        arena->blocks = block;
        arena->used = HEADER_SIZE;
    }
    void* memory = (char*)arena->blocks + arena->used;
    arena->used += needed;
    ABUT_ASSERT(arena->used <= arena->blocks->size);
    ABUT_ASSERT((uintptr_t)memory % ABUT_MEMORY_ALIGNMENT == 0);
    return memory;
}

void abut_arena_clear(AbutArena* arena)
{
    while (arena->blocks != NULL)
    {
        ArenaBlock* block = arena->blocks;
        arena->blocks = block->older;
        abut_memory_free(&arena->host, block, 1, block->size);
    }
    arena->used = 0;
}
