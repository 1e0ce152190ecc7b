/// @file arena.h
/// Scratch of a generator: pieces of memory that are given back at once.
#ifndef ABUT_MODELS_ARENA_H
#define ABUT_MODELS_ARENA_H

#include <abut/base.h>

typedef struct AbutModelArena
{
    AbutHost host;
    struct AbutModelPiece* newest; // NULL: none
} AbutModelArena;

/// For `*host`, or the default host for NULL.
AbutModelArena abut_model_arena_make(const AbutHost* host);

/// Uninitialised memory for count items, or NULL with abut_last_error() set.
void* abut_model_arena_allocate(AbutModelArena* arena, size_t count, size_t size);

/// Gives everything back.
void abut_model_arena_clear(AbutModelArena* arena);

#endif
