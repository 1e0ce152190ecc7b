// Bounds of the children of a box of A by the distance octrees of both fields (search/dual_octree_kernels.h):
// C and GLSL (simd/vec_math.inl). In cells of A, but for WideChild.
//
// The layer of the language provides OctreePairRef and OCTREE_PAIR(), the members of an AbutDualOctreePair;
// WideChild, a point looked up in B's octree; OCTREE_IS_DENSE() and load_octree_slot(), of B.
#ifndef ABUT_SEARCH_DUAL_OCTREE_MATH_INL
#define ABUT_SEARCH_DUAL_OCTREE_MATH_INL

#include "field/bounds/octree_math.inl"

KERNEL_INLINE WideInt pair_index(Wide at, float last)
{
    return wide_int_from_float(wide_min(wide_mul(at, wide_splat(0.5f)), wide_splat(last)));
}

KERNEL_INLINE Wide into_cells(Wide at, float cells)
{
    return wide_max(wide_min(at, wide_splat(cells)), wide_zero());
}

/// Finds the number of the box of two cells around a point of B's grid, or of the brick where it has no
/// leaves, and the distance from the middle of that box.
KERNEL_INLINE WideChild nearest_octree_box(OctreePairRef pair, WideVec at)
{
    WideChild child;
    WideInt x = pair_index(at.x, OCTREE_PAIR(pair).last[0]), y = pair_index(at.y, OCTREE_PAIR(pair).last[1]),
            z = pair_index(at.z, OCTREE_PAIR(pair).last[2]);
    WideInt bx = wide_int_shift_right(x, 2), by = wide_int_shift_right(y, 2), bz = wide_int_shift_right(z, 2);
    WideInt fine = wide_int_or(join_bits(x, y, z), wide_int_shift_left(join_bits(wide_int_shift_right(x, 1),
                                                                                 wide_int_shift_right(y, 1),
                                                                                 wide_int_shift_right(z, 1)),
                                                                       3));
    WideInt brick = flat_grid_index(bx, by, bz, OCTREE_PAIR(pair).brick_row, OCTREE_PAIR(pair).brick_slab);
    WideVec middle = WideVec(middle_of(x, 2.0f), middle_of(y, 2.0f), middle_of(z, 2.0f));
    // A leaf has 8 numbers of larger boxes first.
    WideInt leaf = wide_int_splat(72u), in_leaf = wide_int_add(fine, wide_int_splat(8u));
    if (OCTREE_IS_DENSE(pair))
    {
        wide_int_store(child.number, wide_int_add(wide_int_mul(brick, leaf), in_leaf));
    }
    else
    {
        wide_int_store(child.number, brick);
        WideInt slot = load_octree_slot(pair, child.number);
        WideInt group = flat_grid_index(wide_int_shift_right(bx, 1), wide_int_shift_right(by, 1),
                                        wide_int_shift_right(bz, 1), OCTREE_PAIR(pair).group_row,
                                        OCTREE_PAIR(pair).group_slab);
        WideInt in_bricks = wide_int_or(wide_int_shift_left(group, 3), join_bits(bx, by, bz));
        WideMask coarse = wide_int_equal(slot, wide_int_splat(0xFFFFFFFFu));
        WideInt number =
            wide_int_select(coarse, wide_int_add(in_bricks, wide_int_splat(OCTREE_PAIR(pair).first_brick)),
                            wide_int_add(wide_int_mul(slot, leaf), in_leaf));
        wide_int_store(child.number, number);
        middle =
            select3(coarse, WideVec(middle_of(bx, 8.0f), middle_of(by, 8.0f), middle_of(bz, 8.0f)), middle);
    }
    WideVec displacement = sub3(at, middle);
    child.off = wide_add(wide_sqrt(dot3(displacement, displacement)), wide_splat(OCTREE_PAIR(pair).rounding));
    return child;
}

/// Row of a matrix times a point.
#define TRANSFORM_TO_B(row, p)                                                                               \
    wide_add(wide_add(wide_mul(wide_splat((row)[0]), (p).x), wide_mul(wide_splat((row)[1]), (p).y)),         \
             wide_add(wide_mul(wide_splat((row)[2]), (p).z), wide_splat((row)[3])))

/// Looks up the middle of a child, in cells of A's grid.
KERNEL_INLINE WideChild locate_child(OctreePairRef pair, WideVec in_a)
{
    WideVec at = WideVec(TRANSFORM_TO_B(OCTREE_PAIR(pair).to_b[0], in_a),
                         TRANSFORM_TO_B(OCTREE_PAIR(pair).to_b[1], in_a),
                         TRANSFORM_TO_B(OCTREE_PAIR(pair).to_b[2], in_a));
    WideVec inside =
        WideVec(into_cells(at.x, OCTREE_PAIR(pair).cells[0]), into_cells(at.y, OCTREE_PAIR(pair).cells[1]),
                into_cells(at.z, OCTREE_PAIR(pair).cells[2]));
    WideVec beyond = sub3(at, inside);
    WideChild child = nearest_octree_box(pair, inside);
    child.outside = dot3(beyond, beyond);
    return child;
}

/// Lower bound of the distance to B at the middle of a child; `b` is its number there, in cells of B. Beyond
/// its grid, B is at least as far as the grid, and as the bound at the nearest point of the grid.
KERNEL_INLINE Wide child_low(OctreePairRef pair, Wide b, Wide off, Wide outside)
{
    Wide low = wide_max(wide_sub(b, off), wide_zero());
    Wide far = wide_sqrt(wide_add(outside, wide_mul(low, low)));
    return wide_sub(wide_mul(far, wide_splat(OCTREE_PAIR(pair).ratio)),
                    wide_splat(OCTREE_PAIR(pair).inflate));
}

/// A distance in cells of B, less the offset of its surface.
KERNEL_INLINE Wide child_distance(OctreePairRef pair, Wide b)
{
    return wide_sub(wide_mul(b, wide_splat(OCTREE_PAIR(pair).ratio)), wide_splat(OCTREE_PAIR(pair).inflate));
}

#endif
