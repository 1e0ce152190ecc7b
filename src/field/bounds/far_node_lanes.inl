// Values of any nodes of a field.
#ifndef ABUT_FIELD_BOUNDS_FAR_NODE_LANES_INL
#define ABUT_FIELD_BOUNDS_FAR_NODE_LANES_INL

#include "field/bounds/far_nodes.h"
#include "field/bounds/octree_lanes.inl"
#include <abut/field.h>

KERNEL_INLINE WideInt brick_of(WideInt node, uint32_t bricks)
{
    WideInt brick = wide_int_shift_right(node, 3), last = wide_int_splat(bricks - 1);
    return wide_int_select(wide_int_less(last, brick), last, brick);
}

/// Indices of WIDE_LANES nodes; nodes that the field does not store have 0 and are in *none.
KERNEL_INLINE void node_indices(const AbutFarNodes* f, WideInt x, WideInt y, WideInt z, uint32_t* position,
                                WideMask* none)
{
    if (f->slots == NULL)
    {
        wide_int_store(position, flat_grid_index(x, y, z, f->row, f->slab));
        *none = wide_less(wide_zero(), wide_zero());
        return;
    }
    WideInt bx = brick_of(x, f->bricks[0]), by = brick_of(y, f->bricks[1]), bz = brick_of(z, f->bricks[2]);
    wide_int_store(position, flat_grid_index(bx, by, bz, f->bricks[0], f->bricks[0] * f->bricks[1]));
    WideInt slot = wide_int_gather(f->slots, position), eight = wide_int_splat((uint32_t)-8);
    WideInt in_brick =
        flat_grid_index(wide_int_add(x, wide_int_mul(bx, eight)), wide_int_add(y, wide_int_mul(by, eight)),
                        wide_int_add(z, wide_int_mul(bz, eight)), 9, 81);
    WideInt index = wide_int_add(wide_int_add(wide_int_mul(slot, wide_int_splat(729)), in_brick),
                                 wide_int_splat(f->fine_start));
    *none = wide_int_equal(slot, wide_int_splat(UINT32_MAX));
    wide_int_store(position, wide_int_select(*none, wide_int_splat(0), index));
}

KERNEL_INLINE Wide node_value(const AbutFarNodes* f, WideVec node)
{
    uint32_t position[WIDE_LANES];
    WideMask none;
    node_indices(f, wide_int_from_float(node.x), wide_int_from_float(node.y), wide_int_from_float(node.z),
                 position, &none);
    Wide value;
    if (f->format == ABUT_FIELD_F32)
    {
        value = wide_gather(f->nodes, position);
    }
    else if (f->format == ABUT_FIELD_F16)
    {
        uint16_t halves[WIDE_LANES];
        for (int i = 0; i < WIDE_LANES; ++i)
        {
            halves[i] = ((const uint16_t*)f->nodes)[position[i]];
        }
        value = wide_load_half(halves);
    }
    else
    {
        for (int i = 0; i < WIDE_LANES; ++i)
        {
            position[i] *= 2;
        }
        value = wide_from_bits(wide_int_gather(f->nodes, position));
    }
    return wide_select(none, wide_splat(-1.0f), wide_mul(value, wide_splat(f->value_scale)));
}

#endif
