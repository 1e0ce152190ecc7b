/// @file wide.h
/// Lanes of floats, one definition per instruction set. Intrinsics appear here and nowhere else.
///
/// A file that includes it first defines one of ABUT_WIDE_SCALAR, ABUT_WIDE_SSE2, ABUT_WIDE_AVX2,
/// ABUT_WIDE_NEON.
///
/// Every operation is lane-wise and correctly rounded (or exact), so all sets give the same bits; the scalar
/// one is the specification. That is why there is no fused multiply-add, no approximate reciprocal and no sum
/// across lanes, and why min and max are written as a choice between two values (processors differ where a
/// NaN or two zeros meet): wide_min(a, b) is a < b ? a : b and wide_max(a, b) is b < a ? a : b.
#ifndef ABUT_SIMD_WIDE_H
#define ABUT_SIMD_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(ABUT_WIDE_SCALAR)

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
static inline WideMask wide_and(WideMask a, WideMask b)
{
    return a && b;
}
/// mask ? a : b, lane by lane.
static inline Wide wide_select(WideMask mask, Wide a, Wide b)
{
    return mask ? a : b;
}
static inline Wide wide_min(Wide a, Wide b)
{
    return a < b ? a : b;
}
static inline Wide wide_max(Wide a, Wide b)
{
    return b < a ? a : b;
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
static inline WideInt wide_int_shift_right(WideInt a, int bits)
{
    return a >> bits;
}
static inline WideInt wide_int_and(WideInt a, WideInt b)
{
    return a & b;
}
static inline WideMask wide_int_equal(WideInt a, WideInt b)
{
    return a == b;
}
/// Towards zero; the value must be in [0, 2³¹).
static inline WideInt wide_int_from_float(Wide a)
{
    return (uint32_t)(int32_t)a;
}
/// The number must be under 2³¹.
static inline Wide wide_int_to_float(WideInt a)
{
    return (float)(int32_t)a;
}
/// base[index], lane by lane. Indices are under 2³¹.
static inline Wide wide_gather(const float* base, WideInt index)
{
    return base[index];
}
static inline WideInt wide_int_gather(const uint32_t* base, WideInt index)
{
    return base[index];
}
/// The four bytes at base + 2 · index: two neighbouring halves, the first in the low bits.
static inline WideInt wide_gather_half_pair(const uint16_t* base, WideInt index)
{
    return (uint32_t)base[index] | (uint32_t)base[index + 1] << 16;
}

#elif defined(ABUT_WIDE_SSE2)

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
static inline WideMask wide_and(WideMask a, WideMask b)
{
    return _mm_and_ps(a, b);
}
static inline Wide wide_select(WideMask mask, Wide a, Wide b)
{
    return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}
static inline Wide wide_min(Wide a, Wide b)
{
    return _mm_min_ps(a, b);
} // the instruction is a < b ? a : b
static inline Wide wide_max(Wide a, Wide b)
{
    return _mm_max_ps(a, b);
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
static inline WideInt wide_int_shift_right(WideInt a, int bits)
{
    return _mm_srli_epi32(a, bits);
}
static inline WideInt wide_int_and(WideInt a, WideInt b)
{
    return _mm_and_si128(a, b);
}
static inline WideMask wide_int_equal(WideInt a, WideInt b)
{
    return _mm_castsi128_ps(_mm_cmpeq_epi32(a, b));
}
static inline WideInt wide_int_from_float(Wide a)
{
    return _mm_cvttps_epi32(a);
}
static inline Wide wide_int_to_float(WideInt a)
{
    return _mm_cvtepi32_ps(a);
}

#elif defined(ABUT_WIDE_AVX2)

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

#elif defined(ABUT_WIDE_NEON)

#include <arm_neon.h>

enum
{
    WIDE_LANES = 4
};

typedef float32x4_t Wide;
typedef uint32x4_t WideMask;

static inline Wide wide_splat(float a)
{
    return vdupq_n_f32(a);
}
static inline Wide wide_load(const float* p)
{
    return vld1q_f32(p);
}
static inline void wide_store(float* p, Wide a)
{
    vst1q_f32(p, a);
}
static inline Wide wide_add(Wide a, Wide b)
{
    return vaddq_f32(a, b);
}
static inline Wide wide_sub(Wide a, Wide b)
{
    return vsubq_f32(a, b);
}
static inline Wide wide_mul(Wide a, Wide b)
{
    return vmulq_f32(a, b);
}
static inline Wide wide_div(Wide a, Wide b)
{
    return vdivq_f32(a, b);
}
static inline Wide wide_sqrt(Wide a)
{
    return vsqrtq_f32(a);
}
static inline Wide wide_abs(Wide a)
{
    return vabsq_f32(a);
}
static inline Wide wide_negate(Wide a)
{
    return vnegq_f32(a);
}
static inline Wide wide_copysign(Wide a, Wide b)
{
    return vbslq_f32(vdupq_n_u32(0x80000000u), b, a);
}
static inline WideMask wide_less(Wide a, Wide b)
{
    return vcltq_f32(a, b);
}
static inline WideMask wide_less_equal(Wide a, Wide b)
{
    return vcleq_f32(a, b);
}
static inline WideMask wide_and(WideMask a, WideMask b)
{
    return vandq_u32(a, b);
}
static inline Wide wide_select(WideMask mask, Wide a, Wide b)
{
    return vbslq_f32(mask, a, b);
}
// Not vminq and vmaxq: they treat NaN and signed zeros in their own way.
static inline Wide wide_min(Wide a, Wide b)
{
    return wide_select(wide_less(a, b), a, b);
}
static inline Wide wide_max(Wide a, Wide b)
{
    return wide_select(wide_less(b, a), a, b);
}

typedef uint32x4_t WideInt;

static inline unsigned wide_bits(WideMask a)
{
    static const uint32_t weights[4] = { 1, 2, 4, 8 };
    return vaddvq_u32(vandq_u32(a, vld1q_u32(weights)));
}
static inline WideInt wide_int_splat(uint32_t a)
{
    return vdupq_n_u32(a);
}
static inline WideInt wide_int_load(const uint32_t* p)
{
    return vld1q_u32(p);
}
static inline void wide_int_store(uint32_t* p, WideInt a)
{
    vst1q_u32(p, a);
}
static inline WideInt wide_int_select(WideMask mask, WideInt a, WideInt b)
{
    return vbslq_u32(mask, a, b);
}

static inline WideInt wide_int_add(WideInt a, WideInt b)
{
    return vaddq_u32(a, b);
}
static inline WideInt wide_int_mul(WideInt a, WideInt b)
{
    return vmulq_u32(a, b);
}
static inline WideInt wide_int_shift_right(WideInt a, int bits)
{
    return vshlq_u32(a, vdupq_n_s32(-bits));
}
static inline WideInt wide_int_and(WideInt a, WideInt b)
{
    return vandq_u32(a, b);
}
static inline WideMask wide_int_equal(WideInt a, WideInt b)
{
    return vceqq_u32(a, b);
}
static inline WideInt wide_int_from_float(Wide a)
{
    return vreinterpretq_u32_s32(vcvtq_s32_f32(a));
}
static inline Wide wide_int_to_float(WideInt a)
{
    return vcvtq_f32_s32(vreinterpretq_s32_u32(a));
}

#else
#error                                                                                                       \
    "define ABUT_WIDE_SCALAR, ABUT_WIDE_SSE2, ABUT_WIDE_AVX2 or ABUT_WIDE_NEON before including simd/wide.h"
#endif

#if defined(ABUT_WIDE_SSE2) || defined(ABUT_WIDE_NEON)
// No gathers: one load per lane.
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

static inline Wide wide_zero(void)
{
    return wide_splat(0.0f);
}

// ---------------------------------------------------------------------------------------------------------------------
// Half precision (IEEE binary16 in a uint16_t)
// ---------------------------------------------------------------------------------------------------------------------

/// Exact. A signalling NaN becomes a quiet one, as F16C does it.
static inline float wide_half_to_float_1(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    uint32_t exponent = (half >> 10) & 0x1Fu;
    uint32_t mantissa = half & 0x3FFu;
    uint32_t bits;
    if (exponent == 0x1Fu)
    {
        bits = sign | 0x7F800000u | (mantissa << 13) | (mantissa != 0 ? 0x00400000u : 0u);
    }
    else if (exponent != 0)
    {
        bits = sign | ((exponent + 112u) << 23) | (mantissa << 13);
    }
    else
    {
        float magnitude = (float)mantissa * 0x1p-24f;
        memcpy(&bits, &magnitude, sizeof(bits));
        bits |= sign;
    }
    float result;
    memcpy(&result, &bits, sizeof(result));
    return result;
}

/// Rounded to nearest, ties to even; too large becomes infinite.
static inline uint16_t wide_float_to_half_1(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    uint32_t sign = (bits >> 16) & 0x8000u;
    bits &= 0x7FFFFFFFu;
    if (bits > 0x7F800000u)
    {
        return (uint16_t)(sign | 0x7E00u | ((bits >> 13) & 0x3FFu));
    }
    if (bits >= 0x477FF000u) // 65520 rounds up, past the largest half
    {
        return (uint16_t)(sign | 0x7C00u);
    }
    if (bits < 0x38800000u) // under 2⁻¹⁴: adding ½ leaves the rounded half in the low bits of the sum
    {
        float magnitude;
        memcpy(&magnitude, &bits, sizeof(magnitude));
        magnitude += 0.5f;
        memcpy(&bits, &magnitude, sizeof(bits));
        return (uint16_t)(sign | (bits - 0x3F000000u));
    }
    uint32_t odd = (bits >> 13) & 1u;
    return (uint16_t)(sign | ((bits + 0xC8000FFFu + odd) >> 13)); // rebias the exponent by −112 and round
}

static inline Wide wide_load_half(const uint16_t* p)
{
#if defined(ABUT_WIDE_AVX2)
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i*)p));
#else
    float lanes[WIDE_LANES];
    for (int i = 0; i < WIDE_LANES; ++i)
    {
        lanes[i] = wide_half_to_float_1(p[i]);
    }
    return wide_load(lanes);
#endif
}

static inline void wide_store_half(uint16_t* p, Wide a)
{
#if defined(ABUT_WIDE_AVX2)
    _mm_storeu_si128((__m128i*)p, _mm256_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT));
#else
    float lanes[WIDE_LANES];
    wide_store(lanes, a);
    for (int i = 0; i < WIDE_LANES; ++i)
    {
        p[i] = wide_float_to_half_1(lanes[i]);
    }
#endif
}

/// The halves in the low 16 bits of each lane; what is above them is ignored.
static inline Wide wide_half_lanes(WideInt halves)
{
#if defined(ABUT_WIDE_AVX2)
    // 32-bit lanes to 16-bit ones, in order.
    __m256i low = _mm256_and_si256(halves, _mm256_set1_epi32(0xFFFF));
    __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, low), 0x08);
    return _mm256_cvtph_ps(_mm256_castsi256_si128(packed));
#else
    uint32_t bits[WIDE_LANES];
    float lanes[WIDE_LANES];
    wide_int_store(bits, halves);
    for (int i = 0; i < WIDE_LANES; ++i)
    {
        lanes[i] = wide_half_to_float_1((uint16_t)(bits[i] & 0xFFFFu));
    }
    return wide_load(lanes);
#endif
}

#endif
