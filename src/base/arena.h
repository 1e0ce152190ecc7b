/// @file arena.h
/// Memory that is allocated piece by piece and freed at once: scratch of slow functions.
#ifndef ABUT_BASE_ARENA_H
#define ABUT_BASE_ARENA_H

#include <abut/base.h>

typedef struct ArenaBlock ArenaBlock;

/// Zero-initialise the blocks and set the host: AbutArena arena = abut_arena_make(&host).
typedef struct AbutArena
{
    AbutHost host;
    ArenaBlock* blocks; // newest first
    size_t used;        // bytes of the newest block
} AbutArena;

AbutArena abut_arena_make(const AbutHost* host);

/// Uninitialised memory for `count` items, aligned to 64 bytes, or NULL with abut_last_error() set.
void* abut_arena_allocate(AbutArena* arena, size_t count, size_t size);

/// Frees all blocks. The arena can be used again.
void abut_arena_clear(AbutArena* arena);

#endif
