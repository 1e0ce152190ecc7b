// Steps of rays by the floors of boxes (field/floors.h); see kernels.inl for how they are compiled.

/// The place a little ahead: a box that the ray is about to leave is behind it already.
KERNEL_INLINE WidePlace place_ahead(const AbutRayField* field, const WideRay* ray, Wide* begin)
{
    *begin = wide_add(ray->time, wide_mul(wide_splat(field->pad), ray->per_length));
    return find_place(field, ray_place(field, ray, *begin));
}

KERNEL_INLINE WideInt floor_index(const AbutRayField* field, const WidePlace* place, Wide* scale)
{
    WideInt leaf = leaf_index(field, place, scale);
    WideInt part = join_bits(wide_int_shift_right(place->x, 2), wide_int_shift_right(place->y, 2),
                             wide_int_shift_right(place->z, 2));
    return wide_int_or(wide_int_shift_left(leaf, 3), part);
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

/// Goes as far as the brick's number says, or the floor of the box of 4 cells: to where that comes down to σ, or beyond the
/// box as far as what is left allows. Stuck are those that stop in the box.
KERNEL_INLINE void step_floor_lanes(const AbutRayField* field, AbutRays* rays, size_t i,
                                    const uint32_t* index, Wide scale, Wide reach, uint8_t* verdicts)
{
    const size_t left = rays->count - i;
    const unsigned lanes = (1u << (left < WIDE_LANES ? left : WIDE_LANES)) - 1u;
    WideRay ray = load_ray(rays, i);
    Wide begin;
    WidePlace place = place_ahead(field, &ray, &begin);
    WideInt floor = wide_int_gather(field->floors, index);
    WideVec slope = { floor_byte(floor, 0, 1.0f / 127.0f), floor_byte(floor, 1, 1.0f / 127.0f),
                      floor_byte(floor, 2, 1.0f / 127.0f) };
    WideVec off = { from_middle(place.at.x, place.x), from_middle(place.at.y, place.y),
                    from_middle(place.at.z, place.z) };
    Wide over = wide_splat(field->iso + field->margin);
    Wide first = wide_sub(wide_add(dot3(slope, off), floor_byte(floor, 3, 1.0f / 32.0f)), over);
    WideMask known = wide_and(wide_less(wide_zero(), first), wide_less(wide_zero(), scale));
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

static void step_by_floors(const AbutRayField* field, AbutRays* rays, AbutRayVerdicts verdicts)
{
    uint32_t index[ABUT_RAYS_PADDED];
    float reaches[ABUT_RAYS_PADDED], scales[ABUT_RAYS_PADDED];
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        WideRay ray = load_ray(rays, i);
        Wide begin, scale = wide_splat(1.0f);
        WidePlace place = find_place(field, ray_place(field, &ray, ray.time));
        wide_int_store(index + i, brick_number_index(field, &place));
        Wide reach = reach_of(field, &place, wide_gather_shorts(field->bricks, index + i), 3);
        wide_store(reaches + i, reach);
        if (wide_bits(wide_less(reach, wide_splat(BRICK_STEP))) != 0)
        {
            WidePlace ahead = place_ahead(field, &ray, &begin);
            wide_int_store(index + i, floor_index(field, &ahead, &scale));
            for (int lane = 0; lane < WIDE_LANES; ++lane)
            {
                __builtin_prefetch(field->floors + index[i + (size_t)lane]);
            }
        }
        wide_store(scales + i, scale);
    }
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        Wide reach = wide_load(reaches + i);
        if (wide_bits(wide_less(reach, wide_splat(BRICK_STEP))) != 0)
        {
            step_floor_lanes(field, rays, i, index + i, wide_load(scales + i), reach, verdicts);
        }
        else
        {
            step_ray_lanes(rays, i, reaches, verdicts);
        }
    }
}
