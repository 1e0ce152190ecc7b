#include "arena.h"

#include <stdint.h>

/// Of every piece: a cache line, with the header in the first.
enum
{
    ALIGNMENT = 64
};

struct AbutModelPiece
{
    struct AbutModelPiece* older;
    size_t size; // header included
};

AbutModelArena abut_model_arena_make(const AbutHost* host)
{
    return (AbutModelArena){ .host = host != NULL ? *host : abut_host_default() };
}

void* abut_model_arena_allocate(AbutModelArena* arena, size_t count, size_t size)
{
    struct AbutModelPiece* piece = NULL;
    if (size == 0 || count <= (PTRDIFF_MAX - ALIGNMENT) / size)
    {
        piece = arena->host.allocate(arena->host.user, ALIGNMENT + count * size, ALIGNMENT);
    }
    if (piece == NULL)
    {
        abut_fail(ABUT_OUT_OF_MEMORY, "out of memory: could not get %zu items of %zu bytes", count, size);
        return NULL;
    }
    *piece = (struct AbutModelPiece){ arena->newest, ALIGNMENT + count * size };
    arena->newest = piece;
    return (char*)piece + ALIGNMENT;
}

void abut_model_arena_clear(AbutModelArena* arena)
{
    while (arena->newest != NULL)
    {
        struct AbutModelPiece* piece = arena->newest;
        arena->newest = piece->older;
        arena->host.free(arena->host.user, piece, piece->size);
    }
}
