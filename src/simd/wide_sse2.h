/// @file wide_sse2.h
/// Four floats, x86-64 without extensions. Included by wide.h, which says what the operations mean.
#ifndef ABUT_SIMD_WIDE_SSE2_H
#define ABUT_SIMD_WIDE_SSE2_H

#include <emmintrin.h>

enum
{
    WIDE_LANES = 4
};

typedef __m128 Wide;
typedef __m128 WideMask;

static inline Wide wide_splat(float a)
{
    return _mm_set1_ps(a);
}
static inline Wide wide_load(const float* p)
{
    return _mm_loadu_ps(p);
}
static inline void wide_store(float* p, Wide a)
{
    _mm_storeu_ps(p, a);
}
static inline Wide wide_add(Wide a, Wide b)
{
    return _mm_add_ps(a, b);
}
static inline Wide wide_sub(Wide a, Wide b)
{
    return _mm_sub_ps(a, b);
}
static inline Wide wide_mul(Wide a, Wide b)
{
    return _mm_mul_ps(a, b);
}
static inline Wide wide_div(Wide a, Wide b)
{
    return _mm_div_ps(a, b);
}
static inline Wide wide_sqrt(Wide a)
{
    return _mm_sqrt_ps(a);
}
static inline Wide wide_abs(Wide a)
{
    return _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
}
static inline Wide wide_negate(Wide a)
{
    return _mm_xor_ps(_mm_set1_ps(-0.0f), a);
}
static inline Wide wide_copysign(Wide a, Wide b)
{
    const __m128 sign = _mm_set1_ps(-0.0f);
    return _mm_or_ps(_mm_andnot_ps(sign, a), _mm_and_ps(sign, b));
}
static inline WideMask wide_less(Wide a, Wide b)
{
    return _mm_cmplt_ps(a, b);
}
static inline WideMask wide_less_equal(Wide a, Wide b)
{
    return _mm_cmple_ps(a, b);
}
static inline WideMask wide_equal(Wide a, Wide b)
{
    return _mm_cmpeq_ps(a, b);
}
static inline WideMask wide_and(WideMask a, WideMask b)
{
    return _mm_and_ps(a, b);
}
static inline Wide wide_select(WideMask mask, Wide a, Wide b)
{
    return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}
static inline Wide wide_keep(WideMask mask, Wide a)
{
    return _mm_and_ps(mask, a);
}
static inline Wide wide_min(Wide a, Wide b)
{
    return _mm_min_ps(a, b);
} // the instruction is a < b ? a : b
static inline Wide wide_max(Wide a, Wide b)
{
    return _mm_max_ps(a, b);
}

/// The largest lane; none is NaN.
static inline float wide_largest(Wide a)
{
    __m128 m = _mm_max_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_max_ss(m, _mm_shuffle_ps(m, m, 1)));
}

typedef __m128i WideInt;

static inline unsigned wide_bits(WideMask a)
{
    return (unsigned)_mm_movemask_ps(a);
}
static inline WideInt wide_int_splat(uint32_t a)
{
    return _mm_set1_epi32((int)a);
}
static inline WideInt wide_int_load(const uint32_t* p)
{
    return _mm_loadu_si128((const __m128i*)p);
}
static inline WideInt wide_int_load_bytes(const uint8_t* p)
{
    int bytes;
    memcpy(&bytes, p, sizeof(bytes));
    __m128i halves = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), _mm_setzero_si128());
    return _mm_unpacklo_epi16(halves, _mm_setzero_si128());
}
static inline float wide_least(Wide a)
{
    __m128 m = _mm_min_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_min_ss(m, _mm_shuffle_ps(m, m, 1)));
}
static inline Wide wide_from_shorts(__m128i shorts)
{
    return _mm_cvtepi32_ps(_mm_srai_epi32(_mm_unpacklo_epi16(shorts, shorts), 16));
}
static inline Wide wide_load_shorts(const int16_t* p)
{
    return wide_from_shorts(_mm_loadl_epi64((const __m128i*)(const void*)p));
}
static inline Wide wide_gather_shorts(const int16_t* base, const uint32_t* index)
{
    __m128i a = _mm_insert_epi16(_mm_cvtsi32_si128(base[index[0]]), base[index[1]], 1);
    return wide_from_shorts(_mm_insert_epi16(_mm_insert_epi16(a, base[index[2]], 2), base[index[3]], 3));
}
static inline void wide_int_store(uint32_t* p, WideInt a)
{
    _mm_storeu_si128((__m128i*)p, a);
}
static inline WideInt wide_int_select(WideMask mask, WideInt a, WideInt b)
{
    const __m128i m = _mm_castps_si128(mask);
    return _mm_or_si128(_mm_and_si128(m, a), _mm_andnot_si128(m, b));
}

static inline WideInt wide_int_add(WideInt a, WideInt b)
{
    return _mm_add_epi32(a, b);
}
static inline WideInt wide_int_mul(WideInt a, WideInt b)
{
    __m128i even = _mm_mul_epu32(a, b), odd = _mm_mul_epu32(_mm_srli_si128(a, 4), _mm_srli_si128(b, 4));
    return _mm_unpacklo_epi32(_mm_shuffle_epi32(even, _MM_SHUFFLE(0, 0, 2, 0)),
                              _mm_shuffle_epi32(odd, _MM_SHUFFLE(0, 0, 2, 0)));
}
static inline WideInt wide_int_shift_left(WideInt a, int bits)
{
    return _mm_slli_epi32(a, bits);
}
static inline WideInt wide_int_shift_right(WideInt a, int bits)
{
    return _mm_srli_epi32(a, bits);
}
static inline WideInt wide_int_and(WideInt a, WideInt b)
{
    return _mm_and_si128(a, b);
}
static inline WideInt wide_int_or(WideInt a, WideInt b)
{
    return _mm_or_si128(a, b);
}
static inline WideMask wide_int_equal(WideInt a, WideInt b)
{
    return _mm_castsi128_ps(_mm_cmpeq_epi32(a, b));
}
static inline WideMask wide_int_less(WideInt a, WideInt b)
{
    return _mm_castsi128_ps(_mm_cmplt_epi32(a, b));
}
static inline WideInt wide_int_from_float(Wide a)
{
    return _mm_cvttps_epi32(a);
}
static inline Wide wide_int_to_float(WideInt a)
{
    return _mm_cvtepi32_ps(a);
}
static inline Wide wide_from_bits(WideInt a)
{
    return _mm_castsi128_ps(a);
}
static inline void wide_load_pairs(const float* base, const uint32_t* index, Wide pair[2])
{
    const __m128i* p[4];
    for (int i = 0; i < 4; ++i)
    {
        p[i] = (const __m128i*)(const void*)(base + index[i]);
    }
    __m128 a = _mm_castsi128_ps(_mm_unpacklo_epi64(_mm_loadl_epi64(p[0]), _mm_loadl_epi64(p[1])));
    __m128 b = _mm_castsi128_ps(_mm_unpacklo_epi64(_mm_loadl_epi64(p[2]), _mm_loadl_epi64(p[3])));
    pair[0] = _mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0));
    pair[1] = _mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1));
}
static inline void wide_load_quads(const uint32_t* base, const uint32_t* index, WideInt quad[4])
{
    __m128i row[4];
    for (int i = 0; i < 4; ++i)
    {
        row[i] = _mm_loadu_si128((const __m128i*)(const void*)(base + 2 * (size_t)index[i]));
    }
    __m128i ab_low = _mm_unpacklo_epi32(row[0], row[1]), ab_high = _mm_unpackhi_epi32(row[0], row[1]);
    __m128i cd_low = _mm_unpacklo_epi32(row[2], row[3]), cd_high = _mm_unpackhi_epi32(row[2], row[3]);
    quad[0] = _mm_unpacklo_epi64(ab_low, cd_low);
    quad[1] = _mm_unpackhi_epi64(ab_low, cd_low);
    quad[2] = _mm_unpacklo_epi64(ab_high, cd_high);
    quad[3] = _mm_unpackhi_epi64(ab_high, cd_high);
}

#include "simd/wide_gather.h"

#endif
