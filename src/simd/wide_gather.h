/// @file wide_gather.h
/// Reads from places that differ by the lane, in what the sets of four lanes have in common. Included behind
/// the operations of such a set.
#ifndef ABUT_SIMD_WIDE_GATHER_H
#define ABUT_SIMD_WIDE_GATHER_H

static inline Wide wide_gather(const float* base, const uint32_t* index)
{
    const float lanes[4] = { base[index[0]], base[index[1]], base[index[2]], base[index[3]] };
    return wide_load(lanes);
}

static inline WideInt wide_int_gather(const uint32_t* base, const uint32_t* index)
{
    const uint32_t lanes[4] = { base[index[0]], base[index[1]], base[index[2]], base[index[3]] };
    return wide_int_load(lanes);
}

/// The halves in the low 16 bits of each lane, which has nothing above them.
static inline Wide wide_half_lanes(WideInt halves)
{
    WideInt magnitude = wide_int_and(halves, wide_int_splat(0x7FFF));
    WideInt sign = wide_int_shift_left(wide_int_and(halves, wide_int_splat(0x8000)), 16);
    // As a float the shifted bits lack 112 in the exponent; the product is exact, also for halves under 2⁻¹⁴.
    Wide number = wide_mul(wide_from_bits(wide_int_shift_left(magnitude, 13)), wide_splat(0x1p112f));
    WideInt special = wide_int_or(wide_int_shift_left(magnitude, 13), wide_int_splat(0x7F800000));
    WideInt quiet = wide_int_or(special, wide_int_splat(0x00400000));
    WideMask infinite = wide_int_equal(magnitude, wide_int_splat(0x7C00));
    Wide beyond = wide_from_bits(wide_int_select(infinite, special, quiet));
    // 65536 is what exponent 31 becomes above.
    number = wide_select(wide_less(number, wide_splat(65536.0f)), number, beyond);
    return wide_copysign(number, wide_from_bits(sign));
}

static inline void wide_load_half_pairs(const uint16_t* base, const uint32_t* index, Wide pair[2])
{
    uint32_t lanes[4];
    for (int i = 0; i < 4; ++i)
    {
        memcpy(&lanes[i], base + index[i], sizeof(uint32_t)); // little endian, like both of these processors
    }
    WideInt halves = wide_int_load(lanes);
    pair[0] = wide_half_lanes(wide_int_and(halves, wide_int_splat(0xFFFF)));
    pair[1] = wide_half_lanes(wide_int_shift_right(halves, 16));
}

#endif
