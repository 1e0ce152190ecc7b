// Starts of particles: C and GLSL (simd/vec_math.inl), one particle at a time.
#ifndef ABUT_NARROW_PARTICLES_START_MATH_INL
#define ABUT_NARROW_PARTICLES_START_MATH_INL

/// Fractions of i / gʲ, j = 1, 2, 3: with the root g of g⁴ = g + 1 the points i·(1/g, 1/g², 1/g³) mod 1 fill
/// a cube evenly (M. Roberts, "The unreasonable effectiveness of quasirandom sequences"). The factors are
/// 2³²/gʲ, made odd.
KERNEL_INLINE Wide quasi_random_number(uint32_t number, uint32_t factor)
{
    uint32_t bits = 0x80000000u + (number + 1u) * factor;
    return wide_mul(wide_int_to_float(wide_int_splat(bits >> 8)), wide_splat(5.9604644775390625e-8f)); // 2⁻²⁴
}

KERNEL_INLINE WideVec quasi_random_fractions(uint32_t number)
{
    return WideVec(quasi_random_number(number, 3518319155u), quasi_random_number(number, 2882110345u),
                   quasi_random_number(number, 2360945575u));
}

KERNEL_INLINE Wide grid_fraction(uint32_t index, float inverse)
{
    return wide_mul(wide_add(wide_int_to_float(wide_int_splat(index)), wide_splat(0.5f)),
                    wide_splat(inverse));
}

/// The position at a fraction of a side.
KERNEL_INLINE Wide start_position(float low, float side, Wide fraction)
{
    return wide_add(wide_splat(low), wide_mul(fraction, wide_splat(side)));
}

#endif
