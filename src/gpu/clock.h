/// @file clock.h
/// Seconds of a clock that only runs forward, for statistics.
#ifndef ABUT_GPU_CLOCK_H
#define ABUT_GPU_CLOCK_H

#include <time.h>

static inline double abut_gpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
