/// @file rounding.h
/// Rounding of doubles to the float above or below, for boxes and bounds that must be conservative.
#ifndef ABUT_MATH_ROUNDING_H
#define ABUT_MATH_ROUNDING_H

#include <stdint.h>
#include <string.h>

/// The float `count` floats above, without branches. Both zeros count.
static inline float abut_float_above(float f, int32_t count)
{
    int32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    bits ^= (bits >> 31) & INT32_MAX; // in the order of the values
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
