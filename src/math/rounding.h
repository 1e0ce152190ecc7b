/// @file rounding.h
/// Numbers in double to the float on a chosen side, for boxes that must not be smaller than what they hold.
#ifndef ABUT_MATH_ROUNDING_H
#define ABUT_MATH_ROUNDING_H

#include <stdint.h>
#include <string.h>

/// The float that is so many floats above, without branches, which could not be predicted. Both zeros count.
static inline float abut_float_above(float f, int32_t count)
{
    int32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    bits ^= (bits >> 31) & INT32_MAX; // in the order of the numbers
    bits += count;
    bits ^= (bits >> 31) & INT32_MAX;
    memcpy(&f, &bits, sizeof(f));
    return f;
}

/// The largest float that is at most x.
static inline float abut_round_down(double x)
{
    float f = (float)x;
    return abut_float_above(f, -((double)f > x));
}

/// The smallest float that is at least x.
static inline float abut_round_up(double x)
{
    float f = (float)x;
    return abut_float_above(f, (double)f < x);
}

#endif
