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
static inline WideMask wide_and(WideMask a, WideMask b)
{
    return _mm256_and_ps(a, b);
}
static inline Wide wide_select(WideMask mask, Wide a, Wide b)
{
    return _mm256_blendv_ps(b, a, mask);
}
static inline Wide wide_min(Wide a, Wide b)
{
    return _mm256_min_ps(a, b);
} // the instruction is a < b ? a : b
static inline Wide wide_max(Wide a, Wide b)
{
    return _mm256_max_ps(a, b);
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
static inline WideInt wide_int_shift_right(WideInt a, int bits)
{
    return _mm256_srli_epi32(a, bits);
}
static inline WideInt wide_int_and(WideInt a, WideInt b)
{
    return _mm256_and_si256(a, b);
}
static inline WideMask wide_int_equal(WideInt a, WideInt b)
{
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b));
}
static inline WideInt wide_int_from_float(Wide a)
{
    return _mm256_cvttps_epi32(a);
}
static inline Wide wide_int_to_float(WideInt a)
{
    return _mm256_cvtepi32_ps(a);
}
static inline Wide wide_gather(const float* base, WideInt index)
{
    return _mm256_i32gather_ps(base, index, 4);
}
static inline WideInt wide_int_gather(const uint32_t* base, WideInt index)
{
    return _mm256_i32gather_epi32((const int*)base, index, 4);
}
static inline WideInt wide_gather_half_pair(const uint16_t* base, WideInt index)
{
    return _mm256_i32gather_epi32((const int*)(const void*)base, index, 2);
}

#endif
