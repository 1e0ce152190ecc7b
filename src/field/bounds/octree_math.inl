// Positions in octrees and grids, as integers: C and GLSL (simd/vec_math.inl).
#ifndef ABUT_FIELD_BOUNDS_OCTREE_MATH_INL
#define ABUT_FIELD_BOUNDS_OCTREE_MATH_INL

/// Bits of x, y and z side by side.
KERNEL_INLINE WideInt join_bits(WideInt x, WideInt y, WideInt z)
{
    WideInt one = wide_int_splat(1u);
    return wide_int_or(wide_int_and(x, one), wide_int_or(wide_int_shift_left(wide_int_and(y, one), 1),
                                                         wide_int_shift_left(wide_int_and(z, one), 2)));
}

KERNEL_INLINE Wide middle_of(WideInt index, float size)
{
    return wide_mul(wide_add(wide_int_to_float(index), wide_splat(0.5f)), wide_splat(size));
}

KERNEL_INLINE WideInt flat_grid_index(WideInt x, WideInt y, WideInt z, uint32_t row, uint32_t slab)
{
    return wide_int_add(
        x, wide_int_add(wide_int_mul(y, wide_int_splat(row)), wide_int_mul(z, wide_int_splat(slab))));
}

#endif
