/// @file records.h
/// The records of gpu/records.inl in C.
#ifndef ABUT_GPU_RECORDS_H
#define ABUT_GPU_RECORDS_H

#include <stdint.h>

#define GPU_RECORD(name)                                                                                     \
    typedef struct name name;                                                                                \
    struct name

#include "gpu/records.inl"

_Static_assert(sizeof(GpuHit) == 4 * GPU_HIT_WORDS, "numbers of 32 bits without padding");

#endif
