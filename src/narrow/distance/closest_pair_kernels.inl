// The parts of two boxes against each other (narrow/distance/kernels.h).
#ifndef ABUT_NARROW_DISTANCE_CLOSEST_PAIR_KERNELS_INL
#define ABUT_NARROW_DISTANCE_CLOSEST_PAIR_KERNELS_INL

#include "narrow/distance/kernels.h"
#include "simd/lanes.inl"

KERNEL_INLINE WideVec abs3(WideVec v)
{
    return (WideVec){ wide_abs(v.x), wide_abs(v.y), wide_abs(v.z) };
}

KERNEL_INLINE Wide sum3(WideVec v)
{
    return wide_add(wide_add(v.x, v.y), v.z);
}

KERNEL_INLINE WideVec moved_way(const float apart[3], const float corner[3][8], float step, int first)
{
    Wide by = wide_splat(step);
    return (WideVec){ wide_add(wide_splat(apart[0]), wide_mul(by, wide_load(corner[0] + first))),
                      wide_add(wide_splat(apart[1]), wide_mul(by, wide_load(corner[1] + first))),
                      wide_add(wide_splat(apart[2]), wide_mul(by, wide_load(corner[2] + first))) };
}

// ---------------------------------------------------------------------------------------------------------------------
// Plates
// ---------------------------------------------------------------------------------------------------------------------

typedef struct WidePlate
{
    WideVec normal;
    Wide offset;
} WidePlate;

KERNEL_INLINE WidePlate splat_plate(const float plate[4])
{
    return (WidePlate){ { wide_splat(plate[0]), wide_splat(plate[1]), wide_splat(plate[2]) },
                        wide_splat(plate[3]) };
}

KERNEL_INLINE Wide plate_bytes(const uint8_t* bytes, float unit)
{
    return wide_mul(wide_sub(wide_int_to_float(wide_int_load_bytes(bytes)), wide_splat(128.0f)),
                    wide_splat(unit));
}

KERNEL_INLINE WidePlate part_plates(const AbutGapTurn* turn, const AbutGapBoxes* boxes,
                                    const AbutGapParts* parts, int first)
{
    if (parts->plates != NULL)
    {
        const float unit = 1.0f / 127.0f;
        const uint8_t* at = parts->plates + first;
        return (WidePlate){ { plate_bytes(at, unit), plate_bytes(at + 8, unit), plate_bytes(at + 16, unit) },
                            plate_bytes(at + 24, parts->plate_unit) };
    }
    WidePlate plate = splat_plate(boxes->plate[parts->side]);
    const float(*corner)[8] = turn->corner[parts->side][parts->side];
    WideVec way = { wide_load(corner[0] + first), wide_load(corner[1] + first),
                    wide_load(corner[2] + first) };
    // The middle of a part is against the way that the other box seems to move.
    plate.offset = wide_add(plate.offset, wide_mul(wide_splat(parts->step), dot3(plate.normal, way)));
    return plate;
}

/// How far what is in a box behind a plate reaches along v, times the length of v: with λ ≥ 0, v·d = λ n·d + (v − λn)·d. The sum
/// of the largest of both is least at λ = 0 or where a coordinate of v − λn is 0. So large a λ that rounding matters does
/// not matter itself.
KERNEL_INLINE Wide plate_reach(WideVec v, Wide length, const WidePlate* plate, Wide half)
{
    const Wide scales[3] = { wide_div(v.x, plate->normal.x), wide_div(v.y, plate->normal.y),
                             wide_div(v.z, plate->normal.z) };
    Wide best = wide_mul(half, sum3(abs3(v))), most = wide_mul(wide_splat(16.0f), length);
    for (int i = 0; i < 3; ++i)
    {
        Wide scale = wide_max(wide_min(scales[i], most), wide_zero());
        Wide rest = wide_mul(half, sum3(abs3(sub3(v, scale3(plate->normal, scale)))));
        best = wide_min(wide_add(wide_mul(scale, plate->offset), rest), best);
    }
    return best;
}

// ---------------------------------------------------------------------------------------------------------------------
// Division
// ---------------------------------------------------------------------------------------------------------------------

KERNEL_INLINE Wide numbers_of(const int16_t* numbers)
{
    float lanes[WIDE_LANES];
    for (int i = 0; i < WIDE_LANES; ++i)
    {
        lanes[i] = (float)numbers[i];
    }
    return wide_load(lanes);
}

KERNEL_INLINE unsigned divide_gap_lanes(const AbutGapTurn* turn, const AbutGapBoxes* boxes,
                                        const AbutGapParts* parts, int first, float limit, float* low,
                                        float* least)
{
    int side = parts->side;
    Wide numbers = numbers_of(parts->numbers + first);
    WideMask holds = wide_and(wide_less_equal(wide_splat((float)parts->limits[0]), numbers),
                              wide_less_equal(numbers, wide_splat((float)parts->limits[1])));
    WidePlate divided = part_plates(turn, boxes, parts, first), other = splat_plate(boxes->plate[1 - side]);
    Wide half = wide_splat(0.5f * boxes->half[side]);
    // Nothing is in a box that is beyond its plate; a normal of 0 has an offset of 0.
    holds = wide_and(
        holds,
        wide_less_equal(wide_zero(), wide_add(divided.offset, wide_mul(half, sum3(abs3(divided.normal))))));
    WideVec way = moved_way(boxes->apart[side], turn->corner[side][side], parts->step, first),
            back = moved_way(boxes->apart[1 - side], turn->corner[side][1 - side], parts->step, first);
    Wide squared = dot3(way, way), length = wide_sqrt(squared);
    Wide reach = wide_add(plate_reach(way, length, &divided, half),
                          plate_reach(back, length, &other, wide_splat(boxes->half[1 - side])));
    Wide bound = wide_sub(wide_div(wide_sub(squared, reach), length), wide_splat(parts->rounding));
    bound = wide_max(bound, wide_splat(boxes->low));
    bound = wide_select(holds, bound, wide_splat(INFINITY));
    WideMask open = wide_less(bound, wide_splat(limit));
    wide_store(low + first, bound);
    wide_store(least + first,
               wide_min(wide_select(open, wide_splat(INFINITY), bound), wide_load(least + first)));
    return wide_bits(open) << first;
}

static unsigned divide_gap_kernel(const AbutGapTurn* turn, const AbutGapBoxes* boxes,
                                  const AbutGapParts* parts, float limit, float low[8], float least[8])
{
    unsigned open = 0;
    for (int first = 0; first < 8; first += WIDE_LANES)
    {
        open |= divide_gap_lanes(turn, boxes, parts, first, limit, low, least);
    }
    return open;
}

#endif
