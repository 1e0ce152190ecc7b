/// @file scratch.h
/// Large scratch memory of the calling thread, so that calls need little of its stack. Released blocks stay
/// with the thread until it ends and are used again: no allocation after the first calls of a thread. The
/// memory is from malloc, as stacks are not from the host either.
#ifndef ABUT_BASE_SCRATCH_H
#define ABUT_BASE_SCRATCH_H

#include <abut/base.h>

/// `size` bytes of any content, aligned to 64, or NULL with abut_last_error() set. Calls may nest, from
/// callbacks too.
void* abut_scratch_acquire(size_t size);

/// On the thread that took it. NULL is ignored.
void abut_scratch_release(void* memory);

#endif
