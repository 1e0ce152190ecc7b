// The children of a box against the other box (narrow/distance/kernels.h).
#ifndef ABUT_NARROW_DISTANCE_CLOSEST_PAIR_KERNELS_INL
#define ABUT_NARROW_DISTANCE_CLOSEST_PAIR_KERNELS_INL

#include "field/bounds/half_space_lanes.inl"
#include "narrow/distance/kernels.h"

KERNEL_INLINE WideVec moved_displacement(const float to_other[3], const float corner[3][8], float step,
                                         int first)
{
    Wide by = wide_splat(step);
    return (WideVec){ wide_add(wide_splat(to_other[0]), wide_mul(by, wide_load(corner[0] + first))),
                      wide_add(wide_splat(to_other[1]), wide_mul(by, wide_load(corner[1] + first))),
                      wide_add(wide_splat(to_other[2]), wide_mul(by, wide_load(corner[2] + first))) };
}

// -----------------------------------------------------------------------------------------------------------
// Half spaces
// -----------------------------------------------------------------------------------------------------------

KERNEL_INLINE WideHalfSpace child_half_spaces(const AbutClosestPairRotation* rotation,
                                              const AbutClosestPairBoxes* boxes,
                                              const AbutClosestPairChildren* children, int first)
{
    if (children->half_spaces != NULL)
    {
        const float unit = 1.0f / 127.0f;
        const uint8_t* at = children->half_spaces + first;
        return (WideHalfSpace){ { half_space_bytes(at, unit), half_space_bytes(at + 8, unit),
                                  half_space_bytes(at + 16, unit) },
                                half_space_bytes(at + 24, children->half_space_unit) };
    }
    WideHalfSpace half_space = splat_half_space(boxes->half_space[children->side]);
    const float(*corner)[8] = rotation->corner[children->side][children->side];
    WideVec displacement = { wide_load(corner[0] + first), wide_load(corner[1] + first),
                             wide_load(corner[2] + first) };
    // The offset of a child is opposite to the apparent displacement of the other box.
    half_space.offset = wide_add(half_space.offset,
                                 wide_mul(wide_splat(children->step), dot3(half_space.normal, displacement)));
    return half_space;
}

// -----------------------------------------------------------------------------------------------------------
// Division
// -----------------------------------------------------------------------------------------------------------

KERNEL_INLINE Wide numbers_of(const int16_t* numbers)
{
    float lanes[WIDE_LANES];
    for (int i = 0; i < WIDE_LANES; ++i)
    {
        lanes[i] = (float)numbers[i];
    }
    return wide_load(lanes);
}

KERNEL_INLINE unsigned divide_pair_lanes(const AbutClosestPairRotation* rotation,
                                         const AbutClosestPairBoxes* boxes,
                                         const AbutClosestPairChildren* children, int first, float limit,
                                         float* low, float* least)
{
    int side = children->side;
    Wide numbers = numbers_of(children->numbers + first);
    WideMask occupied = wide_and(wide_less_equal(wide_splat((float)children->limits[0]), numbers),
                                 wide_less_equal(numbers, wide_splat((float)children->limits[1])));
    WideHalfSpace divided = child_half_spaces(rotation, boxes, children, first),
                  other = splat_half_space(boxes->half_space[1 - side]);
    Wide half = wide_splat(0.5f * boxes->half[side]);
    // A box beyond its half space is empty; a normal of 0 has an offset of 0.
    occupied = wide_and(
        occupied,
        wide_less_equal(wide_zero(), wide_add(divided.offset, wide_mul(half, sum3(abs3(divided.normal))))));
    WideVec displacement = moved_displacement(boxes->to_other[side], rotation->corner[side][side],
                                              children->step, first),
            back = moved_displacement(boxes->to_other[1 - side], rotation->corner[side][1 - side],
                                      children->step, first);
    Wide squared = dot3(displacement, displacement), length = wide_sqrt(squared);
    Wide most = wide_mul(wide_splat(16.0f), length);
    Wide support = wide_add(half_space_support(displacement, most, &divided, half),
                            half_space_support(back, most, &other, wide_splat(boxes->half[1 - side])));
    Wide bound = wide_sub(wide_div(wide_sub(squared, support), length), wide_splat(children->rounding));
    bound = wide_max(bound, wide_splat(boxes->low));
    bound = wide_select(occupied, bound, wide_splat(INFINITY));
    WideMask open = wide_less(bound, wide_splat(limit));
    wide_store(low + first, bound);
    wide_store(least + first,
               wide_min(wide_select(open, wide_splat(INFINITY), bound), wide_load(least + first)));
    return wide_bits(open) << first;
}

static unsigned divide_pair_kernel(const AbutClosestPairRotation* rotation, const AbutClosestPairBoxes* boxes,
                                   const AbutClosestPairChildren* children, float limit, float low[8],
                                   float least[8])
{
    unsigned open = 0;
    for (int first = 0; first < 8; first += WIDE_LANES)
    {
        open |= divide_pair_lanes(rotation, boxes, children, first, limit, low, least);
    }
    return open;
}

#endif
