#include "base/scratch.h"

#include "base/assert.h"

#include <pthread.h>
#include <stdlib.h>

enum
{
    ALIGNMENT = 64,
    SLOTS = 8 // that a thread keeps: a call takes at most three, and callbacks may nest
};

/// Stands before the memory that is handed out.
typedef struct Block
{
    _Alignas(ALIGNMENT) size_t size; // of the memory
    bool taken;
} Block;

typedef struct Scratch
{
    Block* blocks[SLOTS];
    bool is_known; // to the system, which frees it with the thread
} Scratch;

static _Thread_local Scratch own;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;

static void free_blocks(void* scratch)
{
    Scratch* self = scratch;
    for (int i = 0; i < SLOTS; ++i)
    {
        free(self->blocks[i]);
        self->blocks[i] = NULL;
    }
    self->is_known = false;
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, free_blocks) == 0;
}

/// Threads that outlive a library that is unloaded must not call into it.
__attribute__((destructor)) static void delete_key(void)
{
    if (has_key)
    {
        free_blocks(&own);
        pthread_key_delete(key);
        has_key = false;
    }
}

/// The smallest free block that is large enough, or else a slot for a new one: an empty one, or one of a free
/// block that is too small. NULL when all are taken.
static Block** find_slot(size_t size)
{
    Block **fits = NULL, **other = NULL;
    for (int i = 0; i < SLOTS; ++i)
    {
        Block** slot = &own.blocks[i];
        if (*slot == NULL)
        {
            other = slot;
        }
        else if (!(*slot)->taken && (*slot)->size >= size)
        {
            fits = fits == NULL || (*slot)->size < (*fits)->size ? slot : fits;
        }
        else if (!(*slot)->taken && other == NULL)
        {
            other = slot;
        }
    }
    return fits != NULL ? fits : other;
}

void* abut_scratch_acquire(size_t size)
{
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    pthread_once(&once, make_key);
    Block** slot = has_key ? find_slot(rounded) : NULL;
    Block* block = slot != NULL ? *slot : NULL;
    if (block == NULL || block->size < rounded)
    {
        free(block);
        block = aligned_alloc(ALIGNMENT, sizeof(Block) + rounded);
        if (slot != NULL)
        {
            *slot = block;
        }
        if (block == NULL)
        {
            abut_fail(ABUT_OUT_OF_MEMORY, "out of memory: could not get %zu bytes", rounded);
            return NULL;
        }
        block->size = rounded;
    }
    block->taken = true;
    if (slot != NULL && !own.is_known)
    {
        own.is_known = pthread_setspecific(key, &own) == 0;
    }
    return block + 1;
}

void abut_scratch_release(void* memory)
{
    if (memory == NULL)
    {
        return;
    }
    Block* block = (Block*)memory - 1;
    ABUT_ASSERT(block->taken);
    for (int i = 0; i < SLOTS; ++i)
    {
        if (own.blocks[i] == block)
        {
            block->taken = false;
            return;
        }
    }
    free(block); // one of more than a thread keeps
}
