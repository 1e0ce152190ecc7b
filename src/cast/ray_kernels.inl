// Starts and steps of rays (cast/kernels.h).
#ifndef ABUT_CAST_RAY_KERNELS_INL
#define ABUT_CAST_RAY_KERNELS_INL

#include "cast/cell_kernels.inl"
#include "cast/ray_lanes.inl"

// -----------------------------------------------------------------------------------------------------------
// Steps over the lower planes of a field
// -----------------------------------------------------------------------------------------------------------

/// Step by the number of a brick below which the lower plane of the box of 4 cells is better: to the end of
/// the box and beyond.
#define LOWER_PLANE_STEP 5.0f

/// The position a little ahead, so that a box at its exit is already passed.
KERNEL_INLINE WideGridCell grid_cell_ahead(const AbutRayField* field, const WideRay* ray, Wide* begin)
{
    *begin = wide_add(ray->time, wide_mul(wide_splat(field->pad), ray->per_length));
    return find_grid_cell(field, ray_position(field, ray, *begin));
}

/// Index of a position's box among the eight of its brick.
KERNEL_INLINE WideInt child_of_brick(const WideGridCell* grid_cell)
{
    return join_bits(wide_int_shift_right(grid_cell->x, 2), wide_int_shift_right(grid_cell->y, 2),
                     wide_int_shift_right(grid_cell->z, 2));
}

/// One byte of a lower plane; 128 stands for 0.
KERNEL_INLINE Wide plane_byte(WideInt plane, int byte, float unit)
{
    WideInt bits = wide_int_and(wide_int_shift_right(plane, 8 * byte), wide_int_splat(0xFF));
    return wide_mul(wide_sub(wide_int_to_float(bits), wide_splat(128.0f)), wide_splat(unit));
}

/// From the middle of the box of 4 cells to a position.
KERNEL_INLINE Wide from_middle(Wide at, WideInt cell)
{
    return wide_sub(at, middle_of(wide_int_shift_right(cell, 2), 4.0f));
}

/// Time until the ray leaves its box of 4 cells along an axis, from the offset `off` to its middle.
KERNEL_INLINE Wide leave_box_axis(Wide off, Wide displacement)
{
    WideMask moves = wide_less(wide_splat(STILL), wide_abs(displacement));
    Wide ahead = wide_sub(wide_copysign(wide_splat(2.0f), displacement), off);
    Wide time = wide_div(ahead, wide_select(moves, displacement, wide_splat(1.0f)));
    return wide_select(moves, time, wide_splat(INFINITY));
}

/// State of a pass over lower planes.
typedef struct LowerPlanePass
{
    uint32_t index[ABUT_RAYS_PADDED]; // of the brick's number, then of the brick, then of the lower plane
    uint32_t child[ABUT_RAYS_PADDED]; // of the brick
    float safe_radii[ABUT_RAYS_PADDED];
    float scales[ABUT_RAYS_PADDED]; // 0 where there is no lower plane
} LowerPlanePass;

/// A step by the brick's number, or by the lower plane of the box of 4 cells: to its crossing of σ, or beyond
/// the box as far as the value left permits. Stuck are rays that stop in the box.
KERNEL_INLINE void step_plane_lanes(const AbutRayField* field, AbutRays* rays, size_t i,
                                    const LowerPlanePass* pass, uint8_t* states)
{
    const size_t left = rays->count - i;
    const unsigned lanes = (1u << (left < WIDE_LANES ? left : WIDE_LANES)) - 1u;
    WideRay ray = load_ray(rays, i);
    Wide begin;
    WideGridCell grid_cell = grid_cell_ahead(field, &ray, &begin);
    WideInt plane = wide_int_gather(field->lower_planes, pass->index + i);
    WideVec slope = { plane_byte(plane, 0, 1.0f / 127.0f), plane_byte(plane, 1, 1.0f / 127.0f),
                      plane_byte(plane, 2, 1.0f / 127.0f) };
    WideVec off = { from_middle(grid_cell.at.x, grid_cell.x), from_middle(grid_cell.at.y, grid_cell.y),
                    from_middle(grid_cell.at.z, grid_cell.z) };
    Wide over = wide_splat(field->iso + field->margin);
    Wide first = wide_sub(wide_add(dot3(slope, off), plane_byte(plane, 3, 1.0f / 32.0f)), over);
    WideMask known =
        wide_and(wide_less(wide_zero(), first), wide_less(wide_zero(), wide_load(pass->scales + i)));
    Wide time = wide_min(
        leave_box_axis(off.x, ray.displacement.x),
        wide_min(leave_box_axis(off.y, ray.displacement.y), leave_box_axis(off.z, ray.displacement.z)));
    time = wide_max(wide_min(time, wide_sub(ray.end, begin)), wide_zero());
    Wide last = wide_add(first, wide_mul(time, dot3(slope, ray.displacement)));
    WideMask leaves = wide_and(known, wide_less(wide_zero(), last));
    // The value over σ keeps the field over σ for an interval beyond the box.
    Wide excess = wide_max(wide_sub(last, wide_splat(field->jump)), wide_zero());
    Wide beyond = wide_mul(wide_mul(excess, wide_splat(field->inverse_slope)), ray.per_length);
    Wide until = wide_add(time, beyond);
    Wide down = wide_div(wide_mul(time, first), wide_max(wide_sub(first, last), wide_splat(1e-20f)));
    Wide next = wide_add(begin, wide_select(leaves, until, wide_min(down, time)));
    next = wide_select(known, next, ray.time);
    Wide safe_radius = wide_load(pass->safe_radii + i);
    WideMask longer = wide_less(wide_splat(SHORTEST_STEP), safe_radius);
    Wide ball = wide_add(ray.time, wide_mul(safe_radius, ray.per_length));
    next = wide_max(next, wide_select(wide_less(wide_zero(), safe_radius), ball, ray.time));
    wide_store(rays->time + i, next);
    unsigned free = wide_bits(wide_less(ray.end, next));
    unsigned stuck = ~(wide_bits(leaves) | wide_bits(longer) | free) & lanes;
    store_ray_states(states + i, free, stuck);
    if (stuck != 0)
    {
        prefetch_ray_cells(field, field->view.slots != NULL, &ray, next, stuck);
    }
}

/// Prefetches the numbers of the bricks of rays.
KERNEL_INLINE void prefetch_distances(const AbutRayField* field, const AbutRays* rays, LowerPlanePass* pass)
{
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        WideGridCell grid_cell = grid_cell_at(field, rays, i, rays->time);
        wide_int_store(pass->index + i, brick_number_index(field, &grid_cell));
        prefetch_shorts(field->bricks, pass->index + i);
    }
}

KERNEL_INLINE WideMask is_short(Wide safe_radius)
{
    return wide_less(safe_radius, wide_splat(LOWER_PLANE_STEP));
}

/// Steps by numbers, and the boxes of rays with short steps. All others get the first box, which costs no
/// memory access.
KERNEL_INLINE void find_boxes(const AbutRayField* field, const AbutRays* rays, LowerPlanePass* pass)
{
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        WideRay ray = load_ray(rays, i);
        WideGridCell grid_cell = find_grid_cell(field, ray_position(field, &ray, ray.time));
        Wide begin, safe_radius = safe_radius_at(field, &grid_cell,
                                                 wide_gather_shorts(field->bricks, pass->index + i), 3);
        wide_store(pass->safe_radii + i, safe_radius);
        WideMask shorter = is_short(safe_radius);
        if (wide_bits(shorter) != 0)
        {
            WideGridCell ahead = grid_cell_ahead(field, &ray, &begin);
            WideInt brick = wide_int_select(shorter, brick_index(field, &ahead), wide_int_splat(0));
            wide_int_store(pass->index + i, brick);
            wide_int_store(pass->child + i, child_of_brick(&ahead));
            if (field->view.slots != NULL)
            {
                prefetch_words(field->view.slots, pass->index + i);
            }
        }
    }
}

/// Prefetches the lower planes of the boxes.
KERNEL_INLINE void prefetch_lower_planes(const AbutRayField* field, const AbutRays* rays,
                                         LowerPlanePass* pass)
{
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        WideMask shorter = is_short(wide_load(pass->safe_radii + i));
        if (wide_bits(shorter) != 0)
        {
            Wide scale;
            WideInt leaf = leaf_of_brick(field, wide_int_load(pass->index + i), &scale);
            wide_int_store(pass->index + i,
                           wide_int_or(wide_int_shift_left(leaf, 3), wide_int_load(pass->child + i)));
            wide_store(pass->scales + i, wide_select(shorter, scale, wide_zero()));
            prefetch_words(field->lower_planes, pass->index + i);
        }
    }
}

/// Each loop prefetches the memory of the next one.
static void step_by_lower_planes(const AbutRayField* field, AbutRays* rays, AbutRayStates states)
{
    LowerPlanePass pass;
    prefetch_distances(field, rays, &pass);
    find_boxes(field, rays, &pass);
    prefetch_lower_planes(field, rays, &pass);
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        if (wide_bits(is_short(wide_load(pass.safe_radii + i))) != 0)
        {
            step_plane_lanes(field, rays, i, &pass, states);
        }
        else
        {
            step_ray_lanes(rays, i, pass.safe_radii, states);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Begin
// -----------------------------------------------------------------------------------------------------------

/// The interval of [0, 1] in which a ray may be within the grid along an axis, widened by its rounding.
KERNEL_INLINE void clip_axis(Wide from, Wide displacement, Wide pad, float cells, Wide* begin, Wide* end)
{
    WideMask moves = wide_less(wide_splat(STILL), wide_abs(displacement));
    Wide safe = wide_select(moves, displacement, wide_splat(1.0f));
    Wide a = wide_div(wide_sub(wide_negate(pad), from), safe);
    Wide b = wide_div(wide_sub(wide_add(wide_splat(cells), pad), from), safe);
    WideMask within = wide_and(wide_less_equal(wide_negate(pad), from),
                               wide_less_equal(from, wide_add(wide_splat(cells), pad)));
    Wide nowhere = wide_select(within, wide_splat(1.0f), wide_splat(-1.0f));
    Wide low = wide_select(moves, wide_min(a, b), wide_zero()),
         high = wide_select(moves, wide_max(a, b), nowhere);
    *begin = wide_max(*begin, low);
    *end = wide_min(*end, high);
}

/// False for NaN.
KERNEL_INLINE WideMask is_within(WideVec p, float limit)
{
    Wide most = wide_splat(limit);
    return wide_and(wide_and(wide_less(wide_abs(p.x), most), wide_less(wide_abs(p.y), most)),
                    wide_less(wide_abs(p.z), most));
}

KERNEL_INLINE WideVec grid_position(const AbutFieldView* view, WideVec p)
{
    Wide inverse = wide_splat(view->inverse_cell_size);
    return (WideVec){ wide_mul(shift(p.x, view->origin_high[0], view->origin_low[0]), inverse),
                      wide_mul(shift(p.y, view->origin_high[1], view->origin_low[1]), inverse),
                      wide_mul(shift(p.z, view->origin_high[2], view->origin_low[2]), inverse) };
}

KERNEL_INLINE WideMask is_in_grid(const AbutRayField* field, WideVec p)
{
    WideMask low = wide_and(wide_and(wide_less_equal(wide_zero(), p.x), wide_less_equal(wide_zero(), p.y)),
                            wide_less_equal(wide_zero(), p.z));
    WideMask high = wide_and(wide_and(wide_less_equal(p.x, wide_splat(field->cells[0])),
                                      wide_less_equal(p.y, wide_splat(field->cells[1]))),
                             wide_less_equal(p.z, wide_splat(field->cells[2])));
    return wide_and(low, high);
}

KERNEL_INLINE void store_ray(AbutRays* rays, size_t i, const WideRay* ray)
{
    wide_store(rays->from[0] + i, ray->from.x);
    wide_store(rays->from[1] + i, ray->from.y);
    wide_store(rays->from[2] + i, ray->from.z);
    wide_store(rays->displacement[0] + i, ray->displacement.x);
    wide_store(rays->displacement[1] + i, ray->displacement.y);
    wide_store(rays->displacement[2] + i, ray->displacement.z);
    wide_store(rays->time + i, ray->time);
    wide_store(rays->end + i, ray->end);
    wide_store(rays->per_length + i, ray->per_length);
}

KERNEL_INLINE void begin_ray_lanes(const AbutRayField* field, WideVec from, WideVec to, AbutRays* rays,
                                   size_t i, float* halves, float* middles, uint8_t* states)
{
    const float most = field->cells[0] > field->cells[1] ? field->cells[0] : field->cells[1];
    const float limit = FAR_AWAY * (most > field->cells[2] ? most : field->cells[2]);
    WideRay ray = { .from = grid_position(&field->view, from) };
    WideVec end = grid_position(&field->view, to);
    ray.displacement = sub3(end, ray.from);
    Wide length = wide_sqrt(dot3(ray.displacement, ray.displacement));
    // A segment of length 0 gets a very small one.
    ray.per_length = wide_div(wide_splat(1.0f), wide_max(length, wide_splat(1e-20f)));
    ray.time = wide_zero();
    ray.end = wide_splat(1.0f);
    const unsigned all = (1u << WIDE_LANES) - 1u;
    unsigned inside = wide_bits(wide_and(is_in_grid(field, ray.from), is_in_grid(field, end)));
    unsigned stuck = 0, outside = 0;
    if (inside != all)
    {
        Wide pad = wide_splat(field->pad);
        clip_axis(ray.from.x, ray.displacement.x, pad, field->cells[0], &ray.time, &ray.end);
        clip_axis(ray.from.y, ray.displacement.y, pad, field->cells[1], &ray.time, &ray.end);
        clip_axis(ray.from.z, ray.displacement.z, pad, field->cells[2], &ray.time, &ray.end);
        outside = all & ~wide_bits(wide_less_equal(ray.time, ray.end));
        stuck = all & ~wide_bits(wide_and(is_within(ray.from, limit), is_within(end, limit)));
        stuck |= field->empty_outside ? 0u : all & ~inside;
        outside &= ~stuck;
    }
    store_ray(rays, i, &ray);
    wide_store(halves + i, wide_mul(wide_mul(wide_sub(ray.end, ray.time), wide_splat(0.5f)), length));
    wide_store(middles + i, wide_mul(wide_add(ray.end, ray.time), wide_splat(0.5f)));
    store_ray_states(states + i, outside, stuck);
}

static void begin_rays_kernel(const AbutRayField* field, AbutPoints from, AbutPoints to, size_t count,
                              AbutRays* rays, AbutRayStates states)
{
    const size_t first = rays->count;
    float halves[ABUT_RAYS_PADDED], middles[ABUT_RAYS_PADDED], safe_radii[ABUT_RAYS_PADDED];
    FOR_LANES(count, begin_ray_lanes(field, load_points(from, i, n), load_points(to, i, n), rays, first + i,
                                     halves, middles, states));
    rays->count = first + count;
    // Short ones are often free by the distance at their middle.
    find_safe_radii(field, rays, first, middles, halves, safe_radii);
    for (size_t i = first; i < rays->count; ++i)
    {
        bool free = halves[i] < safe_radii[i] && states[i] == 0;
        states[i] = free ? (uint8_t)ABUT_RAY_FREE : states[i];
    }
}

// -----------------------------------------------------------------------------------------------------------
// Steps
// -----------------------------------------------------------------------------------------------------------

static void step_by_distances(const AbutRayField* field, AbutRays* rays, AbutRayStates states)
{
    float safe_radii[ABUT_RAYS_PADDED], enough[ABUT_RAYS_PADDED];
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        wide_store(enough + i, wide_splat(BRICK_STEP));
    }
    find_safe_radii(field, rays, 0, rays->time, enough, safe_radii);
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        step_ray_lanes(rays, i, safe_radii, states);
    }
}

static void step_rays_kernel(const AbutRayField* field, AbutRays* rays, AbutRayStates states)
{
    (field->lower_planes != NULL ? step_by_lower_planes : step_by_distances)(field, rays, states);
}

#endif
