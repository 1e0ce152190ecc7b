/// @file wide_avx2.h
/// Eight floats, x86-64 with AVX2 and F16C. Included by wide.h, which says what the operations mean.
#ifndef ABUT_SIMD_WIDE_AVX2_H
#define ABUT_SIMD_WIDE_AVX2_H

#include <immintrin.h>

enum
{
    WIDE_LANES = 8
};

typedef __m256 Wide;
typedef __m256 WideMask;

static inline Wide wide_splat(float a)
{
    return _mm256_set1_ps(a);
}
static inline Wide wide_load(const float* p)
{
    return _mm256_loadu_ps(p);
}
static inline void wide_store(float* p, Wide a)
{
    _mm256_storeu_ps(p, a);
}
static inline Wide wide_add(Wide a, Wide b)
{
    return _mm256_add_ps(a, b);
}
static inline Wide wide_sub(Wide a, Wide b)
{
    return _mm256_sub_ps(a, b);
}
static inline Wide wide_mul(Wide a, Wide b)
{
    return _mm256_mul_ps(a, b);
}
static inline Wide wide_div(Wide a, Wide b)
{
    return _mm256_div_ps(a, b);
}
static inline Wide wide_sqrt(Wide a)
{
    return _mm256_sqrt_ps(a);
}
static inline Wide wide_abs(Wide a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}
static inline Wide wide_negate(Wide a)
{
    return _mm256_xor_ps(_mm256_set1_ps(-0.0f), a);
}
static inline Wide wide_copysign(Wide a, Wide b)
{
    const __m256 sign = _mm256_set1_ps(-0.0f);
    return _mm256_or_ps(_mm256_andnot_ps(sign, a), _mm256_and_ps(sign, b));
}
static inline WideMask wide_less(Wide a, Wide b)
{
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
static inline WideMask wide_less_equal(Wide a, Wide b)
{
    return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}
static inline WideMask wide_equal(Wide a, Wide b)
{
    return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}
static inline WideMask wide_and(WideMask a, WideMask b)
{
    return _mm256_and_ps(a, b);
}
static inline Wide wide_select(WideMask mask, Wide a, Wide b)
{
    return _mm256_blendv_ps(b, a, mask);
}
static inline Wide wide_keep(WideMask mask, Wide a)
{
    return _mm256_and_ps(mask, a);
}
static inline Wide wide_min(Wide a, Wide b)
{
    return _mm256_min_ps(a, b);
} // the instruction is a < b ? a : b
static inline Wide wide_max(Wide a, Wide b)
{
    return _mm256_max_ps(a, b);
}

/// The largest lane; none is NaN.
static inline float wide_largest(Wide a)
{
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_max_ss(m, _mm_shuffle_ps(m, m, 1)));
}

typedef __m256i WideInt;

static inline unsigned wide_bits(WideMask a)
{
    return (unsigned)_mm256_movemask_ps(a);
}
static inline WideInt wide_int_splat(uint32_t a)
{
    return _mm256_set1_epi32((int)a);
}
static inline WideInt wide_int_load(const uint32_t* p)
{
    return _mm256_loadu_si256((const __m256i*)p);
}
static inline WideInt wide_int_load_bytes(const uint8_t* p)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)(const void*)p));
}
static inline void wide_int_store(uint32_t* p, WideInt a)
{
    _mm256_storeu_si256((__m256i*)p, a);
}
static inline WideInt wide_int_select(WideMask mask, WideInt a, WideInt b)
{
    return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(b), _mm256_castsi256_ps(a), mask));
}

static inline WideInt wide_int_add(WideInt a, WideInt b)
{
    return _mm256_add_epi32(a, b);
}
static inline WideInt wide_int_mul(WideInt a, WideInt b)
{
    return _mm256_mullo_epi32(a, b);
}
static inline WideInt wide_int_shift_left(WideInt a, int bits)
{
    return _mm256_slli_epi32(a, bits);
}
static inline WideInt wide_int_shift_right(WideInt a, int bits)
{
    return _mm256_srli_epi32(a, bits);
}
static inline WideInt wide_int_and(WideInt a, WideInt b)
{
    return _mm256_and_si256(a, b);
}
static inline WideInt wide_int_or(WideInt a, WideInt b)
{
    return _mm256_or_si256(a, b);
}
static inline WideMask wide_int_equal(WideInt a, WideInt b)
{
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b));
}
static inline WideMask wide_int_less(WideInt a, WideInt b)
{
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a));
}
static inline WideInt wide_int_from_float(Wide a)
{
    return _mm256_cvttps_epi32(a);
}
static inline Wide wide_int_to_float(WideInt a)
{
    return _mm256_cvtepi32_ps(a);
}
static inline Wide wide_from_bits(WideInt a)
{
    return _mm256_castsi256_ps(a);
}

// Loads one by one instead of gather instructions: those take one step per element on every processor so far,
// and many more on some, and cannot fetch neighbours together.

static inline int wide_load_int_1(const void* p)
{
    int value;
    memcpy(&value, p, sizeof(value));
    return value;
}
static inline __m128i wide_load_int_4(const void* p0, const void* p1, const void* p2, const void* p3)
{
    __m128i low = _mm_insert_epi32(_mm_cvtsi32_si128(wide_load_int_1(p0)), wide_load_int_1(p1), 1);
    __m128i high = _mm_insert_epi32(_mm_cvtsi32_si128(wide_load_int_1(p2)), wide_load_int_1(p3), 1);
    return _mm_unpacklo_epi64(low, high);
}
static inline Wide wide_gather(const float* base, const uint32_t* index)
{
    return _mm256_setr_ps(base[index[0]], base[index[1]], base[index[2]], base[index[3]], base[index[4]],
                          base[index[5]], base[index[6]], base[index[7]]);
}
static inline WideInt wide_int_gather(const uint32_t* base, const uint32_t* index)
{
    __m128i low = wide_load_int_4(base + index[0], base + index[1], base + index[2], base + index[3]);
    __m128i high = wide_load_int_4(base + index[4], base + index[5], base + index[6], base + index[7]);
    return _mm256_set_m128i(high, low);
}
static inline float wide_least(Wide a)
{
    __m128 m = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    m = _mm_min_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_min_ss(m, _mm_shuffle_ps(m, m, 1)));
}
static inline Wide wide_load_shorts(const int16_t* p)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i*)(const void*)p)));
}
static inline __m128i wide_gather_shorts_4(const int16_t* base, const uint32_t* index)
{
    __m128i a = _mm_insert_epi16(_mm_cvtsi32_si128(base[index[0]]), base[index[1]], 1);
    return _mm_insert_epi16(_mm_insert_epi16(a, base[index[2]], 2), base[index[3]], 3);
}
static inline Wide wide_gather_shorts(const int16_t* base, const uint32_t* index)
{
    __m128i shorts =
        _mm_unpacklo_epi64(wide_gather_shorts_4(base, index), wide_gather_shorts_4(base, index + 4));
    return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(shorts));
}
static inline __m128 wide_load_pair_2(const float* p0, const float* p1)
{
    return _mm_loadh_pi(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i*)(const void*)p0)),
                        (const __m64*)(const void*)p1);
}
static inline void wide_load_pairs(const float* base, const uint32_t* index, Wide pair[2])
{
    // Lanes 0 1 4 5 and 2 3 6 7, so that what the shuffles take from each half falls into place.
    __m256 a = _mm256_set_m128(wide_load_pair_2(base + index[4], base + index[5]),
                               wide_load_pair_2(base + index[0], base + index[1]));
    __m256 b = _mm256_set_m128(wide_load_pair_2(base + index[6], base + index[7]),
                               wide_load_pair_2(base + index[2], base + index[3]));
    pair[0] = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0));
    pair[1] = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1));
}
static inline void wide_load_half_pairs(const uint16_t* base, const uint32_t* index, Wide pair[2])
{
    __m256 a =
        _mm256_cvtph_ps(wide_load_int_4(base + index[0], base + index[1], base + index[4], base + index[5]));
    __m256 b =
        _mm256_cvtph_ps(wide_load_int_4(base + index[2], base + index[3], base + index[6], base + index[7]));
    pair[0] = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0));
    pair[1] = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1));
}
static inline __m256i wide_load_quad_2(const uint32_t* base, uint32_t i, uint32_t j)
{
    const __m128i* low = (const __m128i*)(const void*)(base + 2 * (size_t)i);
    const __m128i* high = (const __m128i*)(const void*)(base + 2 * (size_t)j);
    return _mm256_set_m128i(_mm_loadu_si128(high), _mm_loadu_si128(low));
}
static inline void wide_load_quads(const uint32_t* base, const uint32_t* index, WideInt quad[4])
{
    __m256i a = wide_load_quad_2(base, index[0], index[4]), b = wide_load_quad_2(base, index[1], index[5]);
    __m256i c = wide_load_quad_2(base, index[2], index[6]), d = wide_load_quad_2(base, index[3], index[7]);
    __m256i ab_low = _mm256_unpacklo_epi32(a, b), ab_high = _mm256_unpackhi_epi32(a, b);
    __m256i cd_low = _mm256_unpacklo_epi32(c, d), cd_high = _mm256_unpackhi_epi32(c, d);
    quad[0] = _mm256_unpacklo_epi64(ab_low, cd_low);
    quad[1] = _mm256_unpackhi_epi64(ab_low, cd_low);
    quad[2] = _mm256_unpacklo_epi64(ab_high, cd_high);
    quad[3] = _mm256_unpackhi_epi64(ab_high, cd_high);
}

#endif
