// Verdicts of lanes as bytes.
#ifndef ABUT_CAST_VERDICT_LANES_INL
#define ABUT_CAST_VERDICT_LANES_INL

#include "simd/lanes.inl"

/// A byte per lane, 1 where the bit is set.
KERNEL_INLINE uint64_t bits_to_bytes(unsigned bits)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t spread = bits * ones & 0x8040201008040201u; // each byte keeps its own bit
    return (spread + 0x7F * ones) >> 7 & ones;
}

#endif
