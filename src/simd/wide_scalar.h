/// @file wide_scalar.h
/// One float at a time: the specification of every operation. Included by wide.h, which says what the
/// operations mean.
#ifndef ABUT_SIMD_WIDE_SCALAR_H
#define ABUT_SIMD_WIDE_SCALAR_H

#include <math.h>

enum
{
    WIDE_LANES = 1
};

typedef float Wide;
typedef bool WideMask;

static inline Wide wide_splat(float a)
{
    return a;
}
static inline Wide wide_load(const float* p)
{
    return *p;
}
static inline void wide_store(float* p, Wide a)
{
    *p = a;
}
static inline Wide wide_add(Wide a, Wide b)
{
    return a + b;
}
static inline Wide wide_sub(Wide a, Wide b)
{
    return a - b;
}
static inline Wide wide_mul(Wide a, Wide b)
{
    return a * b;
}
static inline Wide wide_div(Wide a, Wide b)
{
    return a / b;
}
static inline Wide wide_sqrt(Wide a)
{
    return sqrtf(a);
}
static inline Wide wide_abs(Wide a)
{
    return fabsf(a);
}
static inline Wide wide_negate(Wide a)
{
    return -a;
}
/// |a| with the sign bit of b.
static inline Wide wide_copysign(Wide a, Wide b)
{
    return copysignf(a, b);
}
static inline WideMask wide_less(Wide a, Wide b)
{
    return a < b;
}
static inline WideMask wide_less_equal(Wide a, Wide b)
{
    return a <= b;
}
static inline WideMask wide_equal(Wide a, Wide b)
{
    return a == b;
}
static inline WideMask wide_and(WideMask a, WideMask b)
{
    return a && b;
}
/// mask ? a : b, lane by lane.
static inline Wide wide_select(WideMask mask, Wide a, Wide b)
{
    return mask ? a : b;
}
/// mask ? a : 0.
static inline Wide wide_keep(WideMask mask, Wide a)
{
    return mask ? a : 0.0f;
}
static inline Wide wide_min(Wide a, Wide b)
{
    return a < b ? a : b;
}
static inline Wide wide_max(Wide a, Wide b)
{
    return b < a ? a : b;
}

/// The largest lane; none is NaN.
static inline float wide_largest(Wide a)
{
    return a;
}

typedef uint32_t WideInt;

/// Bit i is set where lane i of the mask is.
static inline unsigned wide_bits(WideMask a)
{
    return a ? 1u : 0u;
}
static inline WideInt wide_int_splat(uint32_t a)
{
    return a;
}
static inline WideInt wide_int_load(const uint32_t* p)
{
    return *p;
}
/// A byte per lane.
static inline WideInt wide_int_load_bytes(const uint8_t* p)
{
    return *p;
}
/// The least of all lanes, which are numbers.
static inline float wide_least(Wide a)
{
    return a;
}
/// Whole numbers of 16 bits as floats.
static inline Wide wide_load_shorts(const int16_t* p)
{
    return (float)*p;
}
/// base[index], lane by lane.
static inline Wide wide_gather_shorts(const int16_t* base, const uint32_t* index)
{
    return (float)base[*index];
}
static inline void wide_int_store(uint32_t* p, WideInt a)
{
    *p = a;
}
static inline WideInt wide_int_select(WideMask mask, WideInt a, WideInt b)
{
    return mask ? a : b;
}

static inline WideInt wide_int_add(WideInt a, WideInt b)
{
    return a + b;
}
static inline WideInt wide_int_mul(WideInt a, WideInt b)
{
    return a * b;
}
static inline WideInt wide_int_shift_left(WideInt a, int bits)
{
    return a << bits;
}
static inline WideInt wide_int_shift_right(WideInt a, int bits)
{
    return a >> bits;
}
static inline WideInt wide_int_and(WideInt a, WideInt b)
{
    return a & b;
}
static inline WideInt wide_int_or(WideInt a, WideInt b)
{
    return a | b;
}
static inline WideMask wide_int_equal(WideInt a, WideInt b)
{
    return a == b;
}
/// The numbers must be under 2³¹.
static inline WideMask wide_int_less(WideInt a, WideInt b)
{
    return a < b;
}
/// Towards zero; the value must be in [0, 2³¹).
static inline WideInt wide_int_from_float(Wide a)
{
    return (uint32_t)(int32_t)a;
}
/// Read as signed, rounded to nearest.
static inline Wide wide_int_to_float(WideInt a)
{
    return (float)(int32_t)a;
}
/// The floats whose bits these are.
static inline Wide wide_from_bits(WideInt a)
{
    float bits;
    memcpy(&bits, &a, sizeof(bits));
    return bits;
}
/// base[index], lane by lane.
static inline Wide wide_gather(const float* base, const uint32_t* index)
{
    return base[index[0]];
}
static inline WideInt wide_int_gather(const uint32_t* base, const uint32_t* index)
{
    return base[*index];
}
/// base[index] and base[index + 1], lane by lane.
static inline void wide_load_pairs(const float* base, const uint32_t* index, Wide pair[2])
{
    pair[0] = base[*index];
    pair[1] = base[*index + 1];
}
/// The same of halves.
static inline void wide_load_half_pairs(const uint16_t* base, const uint32_t* index, Wide pair[2])
{
    pair[0] = wide_half_to_float_1(base[*index]);
    pair[1] = wide_half_to_float_1(base[*index + 1]);
}
/// base[2 · index] to base[2 · index + 3], lane by lane.
static inline void wide_load_quads(const uint32_t* base, const uint32_t* index, WideInt quad[4])
{
    const uint32_t* p = base + 2 * (size_t)*index;
    quad[0] = p[0];
    quad[1] = p[1];
    quad[2] = p[2];
    quad[3] = p[3];
}

#endif
