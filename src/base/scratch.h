/// @file scratch.h
/// Large scratch memory of the calling thread, so that calls need little of its stack. What is given back
/// stays with the thread until it ends, and the next call takes it again: nothing is allocated once a thread
/// is warm. It comes from malloc, as stacks do not come from the host either.
#ifndef ABUT_BASE_SCRATCH_H
#define ABUT_BASE_SCRATCH_H

#include <abut/base.h>

/// `size` bytes of any content, aligned to 64, or NULL with abut_last_error() set. Calls may nest: a callback
/// may ask, too.
void* abut_scratch_acquire(size_t size);

/// On the thread that took it. NULL is ignored.
void abut_scratch_release(void* memory);

#endif
