/// @file wide.h
/// Lanes of floats, one definition per instruction set. Intrinsics appear in the files that it includes
/// (wide_<set>.h) and nowhere else.
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

// -----------------------------------------------------------------------------------------------------------
// Half precision (IEEE binary16 in a uint16_t), one at a time
// -----------------------------------------------------------------------------------------------------------

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

#if defined(ABUT_WIDE_SCALAR)
#include "simd/wide_scalar.h"
#elif defined(ABUT_WIDE_SSE2)
#include "simd/wide_sse2.h"
#elif defined(ABUT_WIDE_AVX2)
#include "simd/wide_avx2.h"
#elif defined(ABUT_WIDE_NEON)
#include "simd/wide_neon.h"
#else
#error                                                                                                       \
    "define ABUT_WIDE_SCALAR, ABUT_WIDE_SSE2, ABUT_WIDE_AVX2 or ABUT_WIDE_NEON before including simd/wide.h"
#endif

static inline Wide wide_zero(void)
{
    return wide_splat(0.0f);
}

/// WIDE_LANES halves.
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

#endif
