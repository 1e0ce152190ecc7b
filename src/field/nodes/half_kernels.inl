// Half precision, many numbers at once.
#ifndef ABUT_FIELD_NODES_HALF_KERNELS_INL
#define ABUT_FIELD_NODES_HALF_KERNELS_INL

#include "simd/lanes.inl"

static void half_to_float_kernel(const uint16_t* halves, size_t count, float* floats)
{
    size_t i = 0;
    for (; i + WIDE_LANES <= count; i += WIDE_LANES)
    {
        wide_store(floats + i, wide_load_half(halves + i));
    }
    for (; i < count; ++i)
    {
        floats[i] = wide_half_to_float_1(halves[i]);
    }
}

static void float_to_half_kernel(const float* floats, size_t count, uint16_t* halves)
{
    size_t i = 0;
    for (; i + WIDE_LANES <= count; i += WIDE_LANES)
    {
        wide_store_half(halves + i, wide_load(floats + i));
    }
    for (; i < count; ++i)
    {
        halves[i] = wide_float_to_half_1(floats[i]);
    }
}

#endif
