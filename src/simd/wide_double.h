/// @file wide_double.h
/// Lanes of doubles, by the vectors of the compiler: every operation is lane-wise and rounded as that of a
/// double, so that all instruction sets give the bits of plain code. Included after wide.h.
#ifndef ABUT_SIMD_WIDE_DOUBLE_H
#define ABUT_SIMD_WIDE_DOUBLE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(ABUT_WIDE_AVX2)
#define WIDE_DOUBLES 4
#else
#define WIDE_DOUBLES 2
#endif

typedef double WideDouble __attribute__((vector_size(8 * WIDE_DOUBLES)));
typedef int64_t WideDoubleMask __attribute__((vector_size(8 * WIDE_DOUBLES)));
typedef float WideDoubleFloats __attribute__((vector_size(4 * WIDE_DOUBLES)));
typedef int32_t WideDoubleInts __attribute__((vector_size(4 * WIDE_DOUBLES)));

static inline WideDouble wide_double_splat(double a)
{
    return (WideDouble){ 0 } + a;
}

static inline WideDouble wide_double_from_floats(const float* p)
{
    WideDoubleFloats floats;
    memcpy(&floats, p, sizeof(floats));
    return __builtin_convertvector(floats, WideDouble);
}

static inline WideDouble wide_double_select(WideDoubleMask mask, WideDouble a, WideDouble b)
{
#if defined(ABUT_WIDE_AVX2)
    return (WideDouble)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)mask);
#else
    return (WideDouble)((mask & (WideDoubleMask)a) | (~mask & (WideDoubleMask)b));
#endif
}

static inline bool wide_double_all(WideDoubleMask mask)
{
#if defined(ABUT_WIDE_AVX2)
    return _mm256_movemask_pd((__m256d)mask) == 0xF;
#else
    return (mask[0] & mask[1]) != 0;
#endif
}

/// A bit per lane, that of the first lane lowest.
static inline unsigned wide_double_bits(WideDoubleMask mask)
{
#if defined(ABUT_WIDE_AVX2)
    return (unsigned)_mm256_movemask_pd((__m256d)mask);
#elif defined(ABUT_WIDE_SSE2)
    return (unsigned)_mm_movemask_pd((__m128d)mask);
#else
    return (unsigned)(mask[0] & 1) | (unsigned)(mask[1] & 2);
#endif
}

static inline WideDouble wide_double_abs(WideDouble a)
{
    return (WideDouble)((WideDoubleMask)a & INT64_MAX);
}

static inline WideDouble wide_double_sqrt(WideDouble a)
{
#if defined(ABUT_WIDE_AVX2)
    return (WideDouble)_mm256_sqrt_pd((__m256d)a);
#elif defined(ABUT_WIDE_SSE2)
    return (WideDouble)_mm_sqrt_pd((__m128d)a);
#elif defined(ABUT_WIDE_NEON)
    return (WideDouble)vsqrtq_f64((float64x2_t)a);
#else
    return (WideDouble){ sqrt(a[0]), sqrt(a[1]) };
#endif
}

/// a < b ? a : b, which is also what the instructions do where one of them is not a number.
static inline WideDouble wide_double_min(WideDouble a, WideDouble b)
{
#if defined(ABUT_WIDE_AVX2)
    return (WideDouble)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif defined(ABUT_WIDE_SSE2)
    return (WideDouble)_mm_min_pd((__m128d)a, (__m128d)b);
#else
    return wide_double_select(a < b, a, b);
#endif
}

/// a > b ? a : b, as above.
static inline WideDouble wide_double_max(WideDouble a, WideDouble b)
{
#if defined(ABUT_WIDE_AVX2)
    return (WideDouble)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif defined(ABUT_WIDE_SSE2)
    return (WideDouble)_mm_max_pd((__m128d)a, (__m128d)b);
#else
    return wide_double_select(a > b, a, b);
#endif
}

/// The largest of all lanes; none is NaN.
static inline double wide_double_largest(WideDouble a)
{
#if defined(ABUT_WIDE_AVX2)
    __m128d m = _mm_max_pd(_mm256_castpd256_pd128((__m256d)a), _mm256_extractf128_pd((__m256d)a, 1));
    return _mm_cvtsd_f64(_mm_max_sd(m, _mm_unpackhi_pd(m, m)));
#else
    return a[0] > a[1] ? a[0] : a[1];
#endif
}

/// The least of all lanes; none is NaN.
static inline double wide_double_least(WideDouble a)
{
#if defined(ABUT_WIDE_AVX2)
    __m128d m = _mm_min_pd(_mm256_castpd256_pd128((__m256d)a), _mm256_extractf128_pd((__m256d)a, 1));
    return _mm_cvtsd_f64(_mm_min_sd(m, _mm_unpackhi_pd(m, m)));
#else
    return a[0] < a[1] ? a[0] : a[1];
#endif
}

#endif
