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

/// Takes a spare block with enough bytes; NULL for none.
static ArenaBlock* take_spare(AbutArena* arena, size_t size)
{
    for (ArenaBlock** at = &arena->spare; *at != NULL; at = &(*at)->older)
    {
        ArenaBlock* block = *at;
        if (block->size >= size)
        {
            *at = block->older;
            return block;
        }
    }
    return NULL;
}

/// A new newest block for `needed` bytes.
static bool add_block(AbutArena* arena, size_t needed)
{
    size_t least = arena->block_size != 0 ? arena->block_size : BLOCK_SIZE;
    size_t size = needed + HEADER_SIZE > least ? needed + HEADER_SIZE : least;
    ArenaBlock* block = take_spare(arena, needed + HEADER_SIZE);
    if (block == NULL)
    {
        block = abut_memory_allocate(&arena->host, 1, size);
        if (block == NULL)
        {
            return false;
        }
        block->size = size;
    }
    block->older = arena->blocks;
    arena->blocks = block;
    arena->used = HEADER_SIZE;
    return true;
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
    if ((arena->blocks == NULL || needed > arena->blocks->size - arena->used) && !add_block(arena, needed))
    {
        return NULL;
    }
    void* memory = (char*)arena->blocks + arena->used;
    arena->used += needed;
    ABUT_ASSERT(arena->used <= arena->blocks->size);
    ABUT_ASSERT((uintptr_t)memory % ABUT_MEMORY_ALIGNMENT == 0);
    return memory;
}

AbutArenaMark abut_arena_mark(const AbutArena* arena)
{
    return (AbutArenaMark){ arena->blocks, arena->used };
}

/// Bytes of the blocks in use; of the newest one, what is allocated.
static size_t count_used(const AbutArena* arena)
{
    size_t sum = arena->used;
    for (const ArenaBlock* block = arena->blocks; block != NULL && block->older != NULL; block = block->older)
    {
        sum += block->older->size;
    }
    return sum;
}

void abut_arena_rewind(AbutArena* arena, AbutArenaMark mark)
{
    size_t used = count_used(arena);
    arena->peak = used > arena->peak ? used : arena->peak;
    while (arena->blocks != mark.block)
    {
        ABUT_ASSERT(arena->blocks != NULL);
        ArenaBlock* block = arena->blocks;
        arena->blocks = block->older;
        block->older = arena->spare;
        arena->spare = block;
    }
    arena->used = mark.used;
}

static void free_blocks(const AbutHost* host, ArenaBlock** blocks)
{
    while (*blocks != NULL)
    {
        ArenaBlock* block = *blocks;
        *blocks = block->older;
        abut_memory_free(host, block, 1, block->size);
    }
}

/// A block this many times larger than needed is replaced.
enum
{
    WASTE = 8
};

void abut_arena_reset(AbutArena* arena)
{
    abut_arena_rewind(arena, (AbutArenaMark){ NULL, 0 });
    bool is_split = arena->spare != NULL && arena->spare->older != NULL;
    if (is_split || (arena->spare != NULL && arena->spare->size > WASTE * arena->peak))
    {
        free_blocks(&arena->host, &arena->spare);
        arena->block_size = arena->peak + arena->peak / 4;
    }
    arena->peak = 0;
}

void abut_arena_clear(AbutArena* arena)
{
    free_blocks(&arena->host, &arena->blocks);
    free_blocks(&arena->host, &arena->spare);
    arena->used = 0;
}
