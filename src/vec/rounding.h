/// @file rounding.h
/// Numbers in double to the float on a chosen side, for boxes that must not be smaller than what they hold.
#ifndef ABUT_VEC_ROUNDING_H
#define ABUT_VEC_ROUNDING_H

#include <stdint.h>
#include <string.h>

/// The next float in the direction of a sign, for what is not at the end already.
static inline float abut_next_float(float f, float sign)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    bits = f * sign > 0.0f ? bits + 1 : bits - 1;
    bits = f == 0.0f ? (sign > 0.0f ? 1u : 0x80000001u) : bits;
    memcpy(&f, &bits, sizeof(f));
    return f;
}

/// The largest float that is at most x.
static inline float abut_round_down(double x)
{
    float f = (float)x, below = abut_next_float(f, -1.0f);
    return (double)f > x ? below : f;
}

/// The smallest float that is at least x.
static inline float abut_round_up(double x)
{
    float f = (float)x, above = abut_next_float(f, 1.0f);
    return (double)f < x ? above : f;
}

#endif
