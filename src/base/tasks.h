/// @file tasks.h
/// Parallel loops over blocks. Results are stored per block and joined in block order, so that they do not
/// depend on the number of workers.
#ifndef ABUT_BASE_TASKS_H
#define ABUT_BASE_TASKS_H

#include <abut/base.h>

#include "base/assert.h"

/// Runs the loop on the host; a loop of one block runs on the calling thread.
void abut_parallel_for(const AbutHost* host, uint32_t block_count, AbutBlockFn* block, void* context);

/// How many blocks of `block_size` items cover `item_count` items; item_count stays under 2³² · block_size.
static inline uint32_t abut_block_count(size_t item_count, size_t block_size)
{
    ABUT_ASSERT(block_size > 0 && (item_count + block_size - 1) / block_size <= UINT32_MAX);
    return (uint32_t)((item_count + block_size - 1) / block_size);
}

#endif
