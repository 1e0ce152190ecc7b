/// @file running_minima.h
/// The smallest lower bound of all boxes that a search is done with: eight running minima in kernels, one in
/// the end.
#ifndef ABUT_SEARCH_RUNNING_MINIMA_H
#define ABUT_SEARCH_RUNNING_MINIMA_H

#include <math.h>

static inline void abut_running_minima_init(float least[8])
{
    for (int i = 0; i < 8; ++i)
    {
        least[i] = INFINITY;
    }
}

static inline float abut_running_minimum(const float least[8])
{
    float all = least[0];
    for (int i = 1; i < 8; ++i)
    {
        all = least[i] < all ? least[i] : all;
    }
    return all;
}

#endif
