/// @file rounding.h
/// Numbers in double to the float on a chosen side, for boxes that must not be smaller than what they hold.
#ifndef ABUT_VEC_ROUNDING_H
#define ABUT_VEC_ROUNDING_H

#include <math.h>

/// The largest float that is at most x.
static inline float abut_round_down(double x)
{
    float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

/// The smallest float that is at least x.
static inline float abut_round_up(double x)
{
    float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}

#endif
