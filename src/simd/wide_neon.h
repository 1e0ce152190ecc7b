/// @file wide_neon.h
/// Four floats, 64-bit Arm. Included by wide.h, which says what the operations mean.
#ifndef ABUT_SIMD_WIDE_NEON_H
#define ABUT_SIMD_WIDE_NEON_H

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
static inline WideMask wide_equal(Wide a, Wide b)
{
    return vceqq_f32(a, b);
}
static inline WideMask wide_and(WideMask a, WideMask b)
{
    return vandq_u32(a, b);
}
static inline Wide wide_select(WideMask mask, Wide a, Wide b)
{
    return vbslq_f32(mask, a, b);
}
static inline Wide wide_keep(WideMask mask, Wide a)
{
    return vreinterpretq_f32_u32(vandq_u32(mask, vreinterpretq_u32_f32(a)));
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

/// The largest lane; none is NaN.
static inline float wide_largest(Wide a)
{
    return vmaxvq_f32(a);
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
static inline WideInt wide_int_load_bytes(const uint8_t* p)
{
    uint32_t bytes;
    memcpy(&bytes, p, sizeof(bytes));
    uint16x8_t halves = vmovl_u8(vreinterpret_u8_u32(vdup_n_u32(bytes)));
    return vmovl_u16(vget_low_u16(halves));
}
static inline float wide_least(Wide a)
{
    return vminvq_f32(a);
}
static inline Wide wide_load_shorts(const int16_t* p)
{
    return vcvtq_f32_s32(vmovl_s16(vld1_s16(p)));
}
static inline Wide wide_gather_shorts(const int16_t* base, const uint32_t* index)
{
    const int16_t lanes[4] = { base[index[0]], base[index[1]], base[index[2]], base[index[3]] };
    return wide_load_shorts(lanes);
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
static inline WideInt wide_int_shift_left(WideInt a, int bits)
{
    return vshlq_u32(a, vdupq_n_s32(bits));
}
static inline WideInt wide_int_shift_right(WideInt a, int bits)
{
    return vshlq_u32(a, vdupq_n_s32(-bits));
}
static inline WideInt wide_int_and(WideInt a, WideInt b)
{
    return vandq_u32(a, b);
}
static inline WideInt wide_int_or(WideInt a, WideInt b)
{
    return vorrq_u32(a, b);
}
static inline WideMask wide_int_equal(WideInt a, WideInt b)
{
    return vceqq_u32(a, b);
}
static inline WideMask wide_int_less(WideInt a, WideInt b)
{
    return vcltq_s32(vreinterpretq_s32_u32(a), vreinterpretq_s32_u32(b));
}
static inline WideInt wide_int_from_float(Wide a)
{
    return vreinterpretq_u32_s32(vcvtq_s32_f32(a));
}
static inline Wide wide_int_to_float(WideInt a)
{
    return vcvtq_f32_s32(vreinterpretq_s32_u32(a));
}
static inline Wide wide_from_bits(WideInt a)
{
    return vreinterpretq_f32_u32(a);
}
static inline void wide_load_pairs(const float* base, const uint32_t* index, Wide pair[2])
{
    float32x4_t a = vcombine_f32(vld1_f32(base + index[0]), vld1_f32(base + index[1]));
    float32x4_t b = vcombine_f32(vld1_f32(base + index[2]), vld1_f32(base + index[3]));
    pair[0] = vuzp1q_f32(a, b);
    pair[1] = vuzp2q_f32(a, b);
}
static inline void wide_load_quads(const uint32_t* base, const uint32_t* index, WideInt quad[4])
{
    uint32x4_t row[4];
    for (int i = 0; i < 4; ++i)
    {
        row[i] = vld1q_u32(base + 2 * (size_t)index[i]);
    }
    uint32x4_t ac_even = vuzp1q_u32(row[0], row[1]), ac_odd = vuzp2q_u32(row[0], row[1]);
    uint32x4_t bd_even = vuzp1q_u32(row[2], row[3]), bd_odd = vuzp2q_u32(row[2], row[3]);
    quad[0] = vuzp1q_u32(ac_even, bd_even);
    quad[1] = vuzp1q_u32(ac_odd, bd_odd);
    quad[2] = vuzp2q_u32(ac_even, bd_even);
    quad[3] = vuzp2q_u32(ac_odd, bd_odd);
}

#include "simd/wide_gather.h"

#endif
