// Shared by all kernels: loads and stores of lanes, points and samples, loops over them. Kernels are written
// once and compiled per instruction set (simd/instantiate.h). A NaN coordinate makes its lane NaN: in min and
// max the operand that may be NaN is the second, which wins.
#ifndef ABUT_SIMD_LANES_INL
#define ABUT_SIMD_LANES_INL

#include "simd/wide.h"
#include <abut/math.h>
#include <math.h>

// Sanitizers check every access; with a whole kernel in one function compilers take minutes for that, and
// without optimization they take long, too.
#if defined(ABUT_SANITIZED) || !defined(__OPTIMIZE__)
#define KERNEL_INLINE static inline
#else
#define KERNEL_INLINE static inline __attribute__((always_inline))
#endif

#include "simd/vec_lanes.inl"

/// True where all lanes are, or any is.
KERNEL_INLINE bool wide_all(WideMask mask)
{
    const unsigned all = (1u << WIDE_LANES) - 1u;
    return wide_bits(mask) == all;
}

KERNEL_INLINE bool wide_any(WideMask mask)
{
    return wide_bits(mask) != 0;
}

KERNEL_INLINE Wide wide_nan(void)
{
    return wide_splat(NAN);
}

KERNEL_INLINE float float_of_count(uint32_t count)
{
    return (float)count;
}

// -----------------------------------------------------------------------------------------------------------
// Loops
// -----------------------------------------------------------------------------------------------------------

/// `n` floats, fewer than the lanes, with zeros behind them.
static inline Wide load_partial(const float* p, size_t n)
{
    float lanes[WIDE_LANES] = { 0.0f };
    memcpy(lanes, p, n * sizeof(float));
    return wide_load(lanes);
}

static inline void store_partial(float* p, size_t n, Wide a)
{
    float lanes[WIDE_LANES];
    wide_store(lanes, a);
    memcpy(p, lanes, n * sizeof(float));
}

KERNEL_INLINE Wide load_lanes(const float* p, size_t n)
{
    return n == WIDE_LANES ? wide_load(p) : load_partial(p, n);
}

KERNEL_INLINE void store_lanes(float* p, size_t n, Wide a)
{
    if (n == WIDE_LANES)
    {
        wide_store(p, a);
    }
    else
    {
        store_partial(p, n, a);
    }
}

KERNEL_INLINE WideVec load_points(AbutPoints points, size_t i, size_t n)
{
    return (WideVec){ load_lanes(points.x + i, n), load_lanes(points.y + i, n), load_lanes(points.z + i, n) };
}

KERNEL_INLINE WideSample load_samples(AbutSamples s, size_t i, size_t n, bool gradient)
{
    WideSample sample = { load_lanes(s.distance + i, n), { wide_zero(), wide_zero(), wide_zero() } };
    if (gradient)
    {
        sample.gradient = (WideVec){ load_lanes(s.gradient_x + i, n), load_lanes(s.gradient_y + i, n),
                                     load_lanes(s.gradient_z + i, n) };
    }
    return sample;
}

/// A lane whose distance is NaN gets a NaN gradient.
KERNEL_INLINE void store_samples(AbutSamples s, size_t i, size_t n, WideSample sample, bool gradient)
{
    store_lanes(s.distance + i, n, sample.distance);
    if (gradient)
    {
        WideMask number = wide_less_equal(sample.distance, sample.distance);
        WideVec nan = { sample.distance, sample.distance, sample.distance };
        WideVec g = select3(number, sample.gradient, nan);
        store_lanes(s.gradient_x + i, n, g.x);
        store_lanes(s.gradient_y + i, n, g.y);
        store_lanes(s.gradient_z + i, n, g.z);
    }
}

/// Runs STATEMENT for full groups of lanes and once more for the rest; `i` is the first item, `n` the count.
#define FOR_LANES(count, STATEMENT)                                                                          \
    do                                                                                                       \
    {                                                                                                        \
        size_t i = 0;                                                                                        \
        for (; i + WIDE_LANES <= (count); i += WIDE_LANES)                                                   \
        {                                                                                                    \
            const size_t n = WIDE_LANES;                                                                     \
            STATEMENT;                                                                                       \
        }                                                                                                    \
        if (WIDE_LANES > 1 && i < (count))                                                                   \
        {                                                                                                    \
            const size_t n = (count)-i;                                                                      \
            STATEMENT;                                                                                       \
        }                                                                                                    \
    } while (0)

/// Two loops per kernel, with and without the gradient, so that the work of the gradient vanishes where it is
/// not needed.
#define WITH_AND_WITHOUT_GRADIENT(samples, CALL)                                                             \
    do                                                                                                       \
    {                                                                                                        \
        if ((samples).gradient_x != NULL)                                                                    \
        {                                                                                                    \
            const bool gradient = true;                                                                      \
            CALL;                                                                                            \
        }                                                                                                    \
        else                                                                                                 \
        {                                                                                                    \
            const bool gradient = false;                                                                     \
            CALL;                                                                                            \
        }                                                                                                    \
    } while (0)

KERNEL_INLINE WideSample negated(WideSample s)
{
    return (
        WideSample){ wide_negate(s.distance),
                     { wide_negate(s.gradient.x), wide_negate(s.gradient.y), wide_negate(s.gradient.z) } };
}

/// A byte per lane, 1 where the bit is set.
KERNEL_INLINE uint64_t bits_to_bytes(unsigned bits)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t spread = bits * ones & 0x8040201008040201u; // each byte keeps its own bit
    return (spread + 0x7F * ones) >> 7 & ones;
}

#endif
