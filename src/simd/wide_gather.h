/// @file wide_gather.h
/// Gathers for instruction sets that have none: one load per lane. Included behind the operations of such a set.
#ifndef ABUT_SIMD_WIDE_GATHER_H
#define ABUT_SIMD_WIDE_GATHER_H

static inline Wide wide_gather(const float* base, WideInt index)
{
    uint32_t at[WIDE_LANES];
    float lanes[WIDE_LANES];
    wide_int_store(at, index);
    for (int i = 0; i < WIDE_LANES; ++i)
    {
        lanes[i] = base[at[i]];
    }
    return wide_load(lanes);
}
static inline WideInt wide_int_gather(const uint32_t* base, WideInt index)
{
    uint32_t lanes[WIDE_LANES];
    wide_int_store(lanes, index);
    for (int i = 0; i < WIDE_LANES; ++i)
    {
        lanes[i] = base[lanes[i]];
    }
    return wide_int_load(lanes);
}
static inline WideInt wide_gather_half_pair(const uint16_t* base, WideInt index)
{
    uint32_t lanes[WIDE_LANES];
    wide_int_store(lanes, index);
    for (int i = 0; i < WIDE_LANES; ++i)
    {
        memcpy(&lanes[i], base + lanes[i], sizeof(uint32_t)); // little endian, like both of these processors
    }
    return wide_int_load(lanes);
}

#endif
