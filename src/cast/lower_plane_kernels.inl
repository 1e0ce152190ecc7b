// Rays over the lower planes of a field.
#ifndef ABUT_CAST_LOWER_PLANE_KERNELS_INL
#define ABUT_CAST_LOWER_PLANE_KERNELS_INL

#include "cast/ray_lanes.inl"

/// Where the number of a brick allows less than this, the floor of the box of 4 cells brings a ray further: to the end of the box and
/// beyond.
#define FLOOR_STEP 5.0f

/// The place a little ahead: a box that the ray is about to leave is behind it already.
KERNEL_INLINE WidePlace place_ahead(const AbutRayField* field, const WideRay* ray, Wide* begin)
{
    *begin = wide_add(ray->time, wide_mul(wide_splat(field->pad), ray->per_length));
    return find_place(field, ray_place(field, ray, *begin));
}

/// Which of the eight boxes of its brick a place is in.
KERNEL_INLINE WideInt part_of_brick(const WidePlace* place)
{
    return join_bits(wide_int_shift_right(place->x, 2), wide_int_shift_right(place->y, 2),
                     wide_int_shift_right(place->z, 2));
}

/// One byte of a floor, of which 128 stands for 0.
KERNEL_INLINE Wide floor_byte(WideInt floor, int byte, float unit)
{
    WideInt bits = wide_int_and(wide_int_shift_right(floor, 8 * byte), wide_int_splat(0xFF));
    return wide_mul(wide_sub(wide_int_to_float(bits), wide_splat(128.0f)), wide_splat(unit));
}

/// From the middle of the box of 4 cells to a place.
KERNEL_INLINE Wide from_middle(Wide at, WideInt cell)
{
    return wide_sub(at, middle_of(wide_int_shift_right(cell, 2), 4.0f));
}

/// Time until the ray leaves its box of 4 cells along an axis, from the place `off` its middle.
KERNEL_INLINE Wide leave_box_axis(Wide off, Wide way)
{
    WideMask moves = wide_less(wide_splat(STILL), wide_abs(way));
    Wide ahead = wide_sub(wide_copysign(wide_splat(2.0f), way), off);
    Wide time = wide_div(ahead, wide_select(moves, way, wide_splat(1.0f)));
    return wide_select(moves, time, wide_splat(INFINITY));
}

/// What a turn by floors knows of its rays.
typedef struct FloorTurn
{
    uint32_t index[ABUT_RAYS_PADDED]; // of the brick's number, then of the brick, then of the floor
    uint32_t part[ABUT_RAYS_PADDED];  // of the brick
    float reaches[ABUT_RAYS_PADDED];
    float scales[ABUT_RAYS_PADDED]; // 0 where there is no floor
} FloorTurn;

/// Goes as far as the brick's number says, or the floor of the box of 4 cells: to where that comes down to σ, or beyond the
/// box as far as what is left allows. Stuck are those that stop in the box.
KERNEL_INLINE void step_floor_lanes(const AbutRayField* field, AbutRays* rays, size_t i,
                                    const FloorTurn* turn, uint8_t* verdicts)
{
    const size_t left = rays->count - i;
    const unsigned lanes = (1u << (left < WIDE_LANES ? left : WIDE_LANES)) - 1u;
    WideRay ray = load_ray(rays, i);
    Wide begin;
    WidePlace place = place_ahead(field, &ray, &begin);
    WideInt floor = wide_int_gather(field->floors, turn->index + i);
    WideVec slope = { floor_byte(floor, 0, 1.0f / 127.0f), floor_byte(floor, 1, 1.0f / 127.0f),
                      floor_byte(floor, 2, 1.0f / 127.0f) };
    WideVec off = { from_middle(place.at.x, place.x), from_middle(place.at.y, place.y),
                    from_middle(place.at.z, place.z) };
    Wide over = wide_splat(field->iso + field->margin);
    Wide first = wide_sub(wide_add(dot3(slope, off), floor_byte(floor, 3, 1.0f / 32.0f)), over);
    WideMask known =
        wide_and(wide_less(wide_zero(), first), wide_less(wide_zero(), wide_load(turn->scales + i)));
    Wide time = wide_min(leave_box_axis(off.x, ray.way.x),
                         wide_min(leave_box_axis(off.y, ray.way.y), leave_box_axis(off.z, ray.way.z)));
    time = wide_max(wide_min(time, wide_sub(ray.end, begin)), wide_zero());
    Wide last = wide_add(first, wide_mul(time, dot3(slope, ray.way)));
    WideMask leaves = wide_and(known, wide_less(wide_zero(), last));
    // Over σ by so much, the field stays over it for a while beyond the box.
    Wide rest = wide_max(wide_sub(last, wide_splat(field->jump)), wide_zero());
    Wide beyond = wide_mul(wide_mul(rest, wide_splat(field->per_steep)), ray.per_length);
    Wide until = wide_add(time, beyond);
    Wide down = wide_div(wide_mul(time, first), wide_max(wide_sub(first, last), wide_splat(1e-20f)));
    Wide next = wide_add(begin, wide_select(leaves, until, wide_min(down, time)));
    next = wide_select(known, next, ray.time);
    Wide reach = wide_load(turn->reaches + i);
    WideMask far = wide_less(wide_splat(SHORTEST_STEP), reach);
    Wide ball = wide_add(ray.time, wide_mul(reach, ray.per_length));
    next = wide_max(next, wide_select(wide_less(wide_zero(), reach), ball, ray.time));
    wide_store(rays->time + i, next);
    unsigned free = wide_bits(wide_less(ray.end, next));
    unsigned stuck = ~(wide_bits(leaves) | wide_bits(far) | free) & lanes;
    store_verdicts(verdicts + i, free, stuck);
    if (stuck != 0)
    {
        prefetch_ray_cells(field, field->view.slots != NULL, &ray, next, stuck);
    }
}

/// Asks for the numbers of the bricks that rays are in.
KERNEL_INLINE void ask_for_numbers(const AbutRayField* field, const AbutRays* rays, FloorTurn* turn)
{
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        WidePlace place = place_at(field, rays, i, rays->time);
        wide_int_store(turn->index + i, brick_number_index(field, &place));
        prefetch_shorts(field->bricks, turn->index + i);
    }
}

KERNEL_INLINE WideMask is_near(Wide reach)
{
    return wide_less(reach, wide_splat(FLOOR_STEP));
}

/// Finds out how far numbers reach, and the boxes of those that they do not bring far. All others have the first box, which
/// costs no memory.
KERNEL_INLINE void find_boxes(const AbutRayField* field, const AbutRays* rays, FloorTurn* turn)
{
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        WideRay ray = load_ray(rays, i);
        WidePlace place = find_place(field, ray_place(field, &ray, ray.time));
        Wide begin, reach = reach_of(field, &place, wide_gather_shorts(field->bricks, turn->index + i), 3);
        wide_store(turn->reaches + i, reach);
        WideMask near = is_near(reach);
        if (wide_bits(near) != 0)
        {
            WidePlace ahead = place_ahead(field, &ray, &begin);
            WideInt brick = wide_int_select(near, brick_index(field, &ahead), wide_int_splat(0));
            wide_int_store(turn->index + i, brick);
            wide_int_store(turn->part + i, part_of_brick(&ahead));
            if (field->view.slots != NULL)
            {
                prefetch_words(field->view.slots, turn->index + i);
            }
        }
    }
}

/// Asks for the floors of the boxes.
KERNEL_INLINE void ask_for_floors(const AbutRayField* field, const AbutRays* rays, FloorTurn* turn)
{
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        WideMask near = is_near(wide_load(turn->reaches + i));
        if (wide_bits(near) != 0)
        {
            Wide scale;
            WideInt leaf = leaf_of_brick(field, wide_int_load(turn->index + i), &scale);
            wide_int_store(turn->index + i,
                           wide_int_or(wide_int_shift_left(leaf, 3), wide_int_load(turn->part + i)));
            wide_store(turn->scales + i, wide_select(near, scale, wide_zero()));
            prefetch_words(field->floors, turn->index + i);
        }
    }
}

/// In each loop all rays ask for memory that the next loop needs.
static void step_by_floors(const AbutRayField* field, AbutRays* rays, AbutRayVerdicts verdicts)
{
    FloorTurn turn;
    ask_for_numbers(field, rays, &turn);
    find_boxes(field, rays, &turn);
    ask_for_floors(field, rays, &turn);
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        if (wide_bits(is_near(wide_load(turn.reaches + i))) != 0)
        {
            step_floor_lanes(field, rays, i, &turn, verdicts);
        }
        else
        {
            step_ray_lanes(rays, i, turn.reaches, verdicts);
        }
    }
}

#endif
