// The largest of many numbers in lanes, and its index (hull/kernels.h).
#ifndef ABUT_HULL_SUPPORT_LANES_INL
#define ABUT_HULL_SUPPORT_LANES_INL

#include "math/dvec3.h"
#include "simd/lanes.inl"
#include "simd/wide_double.h"

/// The largest value of each lane, and the first index with it.
typedef struct WideLargest
{
    WideDouble value;
    WideDouble index;
} WideLargest;

KERNEL_INLINE WideDouble wide_double_count(void)
{
    WideDouble count = { 0 };
    for (int i = 0; i < WIDE_DOUBLES; ++i)
    {
        count[i] = i;
    }
    return count;
}

KERNEL_INLINE void wide_largest_add(WideLargest* largest, WideDouble value, WideDouble index)
{
    WideDoubleMask more = value > largest->value;
    largest->value = wide_double_select(more, value, largest->value);
    largest->index = wide_double_select(more, index, largest->index);
}

/// The first index of the largest value of all lanes: the same for any count of lanes. Without branches,
/// which no processor foresees here.
KERNEL_INLINE uint32_t wide_largest_index(const WideLargest* largest, double* value)
{
    *value = wide_double_largest(largest->value);
    WideDouble index = wide_double_select(largest->value == wide_double_splat(*value), largest->index,
                                          wide_double_splat(INFINITY));
    return (uint32_t)wide_double_least(index);
}

KERNEL_INLINE WideDouble wide_double_load(const double* p)
{
    WideDouble value;
    memcpy(&value, p, sizeof(value));
    return value;
}

/// The vertex with the largest x·d.x + y·d.y + z·d.z of `count` in lanes, a multiple of 8.
KERNEL_INLINE uint32_t lanes_support(const float* x, uint32_t count, AbutDVec3 d, double* value)
{
    const float *y = x + count, *z = y + count;
    WideDouble dx = wide_double_splat(d.x), dy = wide_double_splat(d.y), dz = wide_double_splat(d.z);
    WideDouble index = wide_double_count(), step = wide_double_splat(WIDE_DOUBLES);
    WideLargest largest = { wide_double_splat(-INFINITY), wide_double_splat(0.0) };
    for (uint32_t i = 0; i < count; i += WIDE_DOUBLES)
    {
        WideDouble along = dx * wide_double_from_floats(x + i) + dy * wide_double_from_floats(y + i) +
                           dz * wide_double_from_floats(z + i);
        wide_largest_add(&largest, along, index);
        index += step;
    }
    return wide_largest_index(&largest, value);
}

#endif
