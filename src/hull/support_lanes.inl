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

/// Vertices whose sums are rounded to float first.
#define SUPPORT_SINGLE 256

/// Relative rounding of a sum in float of three products of rounded factors, with a margin.
#define SUPPORT_ROUNDING 0x1p-21

/// Lengths of directions, and coordinates, whose products are normal numbers in float.
#define SUPPORT_LEAST 1e-12
#define SUPPORT_MOST 1e12

/// lanes_support() of vertices no farther from the origin than `extent`, of which `vertex_count` are not
/// copies, with the same answer: sums in float leave the vertices that may be the best. That is nearly always
/// one; where it is not, sums in double choose.
KERNEL_INLINE uint32_t lanes_support_single(const float* x, uint32_t count, uint32_t vertex_count,
                                            AbutDVec3 d, double extent)
{
    const float *y = x + count, *z = y + count;
    float sums[SUPPORT_SINGLE];
    double length = fabs(d.x) + fabs(d.y) + fabs(d.z), value;
    if (!(length > SUPPORT_LEAST && length < SUPPORT_MOST && extent > SUPPORT_LEAST &&
          extent < SUPPORT_MOST && count <= SUPPORT_SINGLE))
    {
        return lanes_support(x, count, d, &value);
    }
    Wide dx = wide_splat((float)d.x), dy = wide_splat((float)d.y), dz = wide_splat((float)d.z);
    Wide largest = wide_splat(-INFINITY);
    for (uint32_t i = 0; i < count; i += WIDE_LANES)
    {
        Wide sum = wide_add(wide_add(wide_mul(dx, wide_load(x + i)), wide_mul(dy, wide_load(y + i))),
                            wide_mul(dz, wide_load(z + i)));
        wide_store(sums + i, sum);
        largest = wide_max(largest, sum);
    }
    Wide least = wide_splat(wide_largest(largest) - (float)(2.0 * SUPPORT_ROUNDING * length * extent));
    uint32_t chosen = 0;
    int chosen_count = 0;
    for (uint32_t first = 0; first < count; first += 64)
    {
        uint64_t close = 0;
        for (uint32_t i = first; i < count && i < first + 64; i += WIDE_LANES)
        {
            close |= (uint64_t)wide_bits(wide_less_equal(least, wide_load(sums + i))) << (i - first);
        }
        close &= vertex_count - first < 64 ? (UINT64_C(1) << (vertex_count - first)) - 1u : UINT64_MAX;
        chosen = close != 0 ? first + (uint32_t)__builtin_ctzll(close) : chosen;
        chosen_count += __builtin_popcountll(close);
    }
    return chosen_count == 1 ? chosen : lanes_support(x, count, d, &value);
}

#endif
