/// @file arena.h
/// Memory that is allocated piece by piece and freed at once: scratch of slow functions, and of the steps of
/// a world, which rewind it and keep the blocks.
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
    ArenaBlock* spare;  // blocks that abut_arena_rewind() has emptied
    size_t block_size;  // of a new block, at least; 0 for 1 MiB
    size_t peak;        // most bytes at once before a rewind since the last reset
} AbutArena;

/// A state of an arena. Zero is the empty one.
typedef struct AbutArenaMark
{
    ArenaBlock* block;
    size_t used;
} AbutArenaMark;

AbutArena abut_arena_make(const AbutHost* host);

/// Uninitialised memory for `count` items, aligned to 64 bytes, or NULL with abut_last_error() set.
void* abut_arena_allocate(AbutArena* arena, size_t count, size_t size);

/// The present state, for abut_arena_rewind().
AbutArenaMark abut_arena_mark(const AbutArena* arena);

/// Gives back what was allocated since the mark; the blocks stay, for later allocations.
void abut_arena_rewind(AbutArena* arena, AbutArenaMark mark);

/// Gives back everything. Keeps one block, for about as much as was allocated at once since the last reset.
void abut_arena_reset(AbutArena* arena);

/// Frees all blocks. The arena can be used again.
void abut_arena_clear(AbutArena* arena);

#endif
