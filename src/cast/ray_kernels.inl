// Starts and steps of rays (cast/kernels.h).
#ifndef ABUT_CAST_RAY_KERNELS_INL
#define ABUT_CAST_RAY_KERNELS_INL

#include "cast/cell_kernels.inl"
#include "cast/lower_plane_kernels.inl"
#include "cast/ray_lanes.inl"

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
