// The GLSL side of the texts named *_math.inl: one invocation is one lane. src/simd/wide_scalar.h is the
// specification of every operation, bit by bit.
//
// Vulkan promises less than C: products and sums may be contracted unless they are `precise`, quotients and
// roots may be off by ulps, conversions of integers may be rounded either way, and numbers under 2⁻¹²⁶ may be
// flushed to 0. So sums and products are `precise`; quotients and roots are a first guess that integers
// correct; conversions are exact; and no decision is made on numbers that may be flushed.
#ifndef ABUT_GPU_LANES_GLSL
#define ABUT_GPU_LANES_GLSL

#define Wide float
#define WideMask bool
#define WideInt uint
#define uint32_t uint
#define KERNEL_INLINE
#define UNROLL_ROWS
#define WIDE_STRUCT(name) struct name
#define GPU_RECORD(name) struct name

struct WideVec
{
    Wide x, y, z;
};

struct WideSample
{
    Wide distance;
    WideVec gradient;
};

#define wide_splat(a) (a)
#define wide_zero() 0.0f
#define wide_nan() uintBitsToFloat(0x7FC00000u)
#define wide_all(mask) (mask)
#define wide_any(mask) (mask)
#define wide_less(a, b) ((a) < (b))
#define wide_less_equal(a, b) ((a) <= (b))
#define wide_equal(a, b) ((a) == (b))
#define wide_and(a, b) ((a) && (b))
#define wide_int_splat(a) (a)
#define wide_int_store(to, a) to = (a)
#define wide_int_add(a, b) ((a) + (b))
#define wide_int_mul(a, b) ((a) * (b))
#define wide_int_and(a, b) ((a) & (b))
#define wide_int_or(a, b) ((a) | (b))
#define wide_int_shift_left(a, bits) ((a) << (bits))
#define wide_int_shift_right(a, bits) ((a) >> (bits))
#define wide_int_equal(a, b) ((a) == (b))
#define wide_from_bits(a) uintBitsToFloat(a)

float wide_add(float a, float b)
{
    precise float sum = a + b;
    return sum;
}

float wide_sub(float a, float b)
{
    precise float difference = a - b;
    return difference;
}

float wide_mul(float a, float b)
{
    precise float product = a * b;
    return product;
}

float wide_select(bool mask, float a, float b)
{
    return mask ? a : b;
}

float wide_keep(bool mask, float a)
{
    return mask ? a : 0.0f;
}

uint wide_int_select(bool mask, uint a, uint b)
{
    return mask ? a : b;
}

float wide_min(float a, float b)
{
    return a < b ? a : b;
}

float wide_max(float a, float b)
{
    return b < a ? a : b;
}

float wide_abs(float a)
{
    return uintBitsToFloat(floatBitsToUint(a) & 0x7FFFFFFFu);
}

/// For |a| ≤ 2²⁴, where every rounding is the same.
float exact_float(int a)
{
    return float(a);
}

float float_of_count(uint count)
{
    return exact_float(int(count));
}

/// Two exact conversions and one rounding of their sum.
float wide_int_to_float(uint a)
{
    int whole = int(a);
    float high = wide_mul(exact_float(whole >> 12), 4096.0f), low = exact_float(whole & 0xFFF);
    return wide_add(high, low);
}

uint wide_int_from_float(float a)
{
    return uint(int(a));
}

float guess_quotient(float a, float b)
{
    return a / b;
}

float guess_root(float a)
{
    return sqrt(a);
}

#ifndef GUESS_ERROR
#define GUESS_ERROR 0 // ulps that tests add to the guesses
#endif

/// The significand of a guess in [1, 2) or, for `low`, in [½, 1), as an integer in [2²³, 2²⁴).
uint significand(float guess, bool low)
{
    uint bits = floatBitsToUint(guess) + uint(GUESS_ERROR);
    uint exponent = bits >> 23;
    if (exponent < (low ? 126u : 127u))
    {
        return 0x800000u;
    }
    return exponent > (low ? 126u : 127u) ? 0xFFFFFFu : (bits & 0x7FFFFFu) | 0x800000u;
}

/// Normal numbers with a normal quotient. With significands m and n and the quotient's q, m·2ˢ − q n is small
/// near the right q, so 32 bits of it are enough; |m·2ˢ − q n| ≤ n/2 is the rounding to nearest, and there are
/// no ties.
float wide_div(float a, float b)
{
    uint a_bits = floatBitsToUint(a), b_bits = floatBitsToUint(b);
    uint m = (a_bits & 0x7FFFFFu) | 0x800000u, n = (b_bits & 0x7FFFFFu) | 0x800000u;
    uint exponents = ((a_bits >> 23) & 0xFFu) + 127u - ((b_bits >> 23) & 0xFFu);
    bool low = m < n;
    float guess = guess_quotient(uintBitsToFloat((m & 0x7FFFFFu) | 0x3F800000u),
                                 uintBitsToFloat((n & 0x7FFFFFu) | 0x3F800000u));
    uint q = significand(guess, low);
    int rest = int((m << (low ? 24 : 23)) - q * n), divisor = int(n);
    for (int i = 0; i < 8; ++i)
    {
        if (rest + rest > divisor)
        {
            q += 1u;
            rest -= divisor;
        }
        else if (rest + rest < -divisor)
        {
            q -= 1u;
            rest += divisor;
        }
    }
    uint magnitude = ((exponents - (low ? 1u : 0u)) << 23) + (q - 0x800000u);
    bool zero = (a_bits & 0x7F800000u) == 0u;
    return uintBitsToFloat((zero ? 0u : magnitude) | ((a_bits ^ b_bits) & 0x80000000u));
}

/// Of zero or a normal number. With the significand m of an even exponent, in [2²³, 2²⁵), and the root's s:
/// m·2²³ − s² is small near the right s, and −s < m·2²³ − s² ≤ s is the rounding to nearest.
float wide_sqrt(float a)
{
    uint bits = floatBitsToUint(a);
    uint exponent = bits >> 23;
    bool odd = (exponent & 1u) == 0u; // the bias is odd
    uint m = ((bits & 0x7FFFFFu) | 0x800000u) << (odd ? 1 : 0);
    float guess = guess_root(uintBitsToFloat((bits & 0x7FFFFFu) | (odd ? 0x40000000u : 0x3F800000u)));
    uint s = significand(guess, false);
    int rest = int((m << 23) - s * s);
    for (int i = 0; i < 8; ++i)
    {
        if (rest > int(s))
        {
            rest -= int(s + s + 1u);
            s += 1u;
        }
        else if (rest <= -int(s))
        {
            s -= 1u;
            rest += int(s + s + 1u);
        }
    }
    uint root = (((exponent + (odd ? 126u : 127u)) >> 1) << 23) + (s - 0x800000u);
    return exponent == 0u ? 0.0f : uintBitsToFloat(root);
}

/// Exact.
float half_to_float(uint bits)
{
    uint sign = (bits & 0x8000u) << 16, exponent = (bits >> 10) & 0x1Fu, mantissa = bits & 0x3FFu;
    if (exponent == 0u)
    {
        float magnitude = wide_mul(exact_float(int(mantissa)), 5.9604644775390625e-8f); // 2⁻²⁴
        return uintBitsToFloat(floatBitsToUint(magnitude) | sign);
    }
    uint rebased = exponent == 0x1Fu ? 0x7F800000u | (mantissa != 0u ? 0x00400000u : 0u)
                                     : (exponent + 112u) << 23;
    return uintBitsToFloat(sign | rebased | (mantissa << 13));
}

#include "simd/vec_math.inl"

#endif
