// Bodies of the segment kernels; see kernels.inl for how they are compiled.

#include "simd/segment_kernels.h"

/// A step must be worth more than going through a cell.
#define SHORTEST_STEP 1.0f

/// Where the number of a brick allows less than this, the finer one is worth reading.
#define BRICK_STEP 2.0f

/// Ends further from the first node than this many grids are left to double precision.
#define FAR_AWAY 2.0f

/// Less than this along an axis is no movement.
#define STILL 1e-9f

typedef struct WideRay
{
    WideVec from, way;
    Wide time, end, per_length;
} WideRay;

KERNEL_INLINE WideRay load_ray(const AbutRays* rays, size_t i)
{
    return (WideRay){
        .from = { wide_load(rays->from[0] + i), wide_load(rays->from[1] + i), wide_load(rays->from[2] + i) },
        .way = { wide_load(rays->way[0] + i), wide_load(rays->way[1] + i), wide_load(rays->way[2] + i) },
        .time = wide_load(rays->time + i),
        .end = wide_load(rays->end + i),
        .per_length = wide_load(rays->per_length + i),
    };
}

/// A byte per lane, 1 where the bit is set.
KERNEL_INLINE uint64_t bits_to_bytes(unsigned bits)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t spread = bits * ones & 0x8040201008040201u; // each byte keeps its own bit
    return (spread + 0x7F * ones) >> 7 & ones;
}

KERNEL_INLINE void store_verdicts(uint8_t* verdicts, unsigned free, unsigned stuck)
{
    const unsigned all = (1u << WIDE_LANES) - 1u;
    uint64_t bytes = bits_to_bytes(free & all) | bits_to_bytes(stuck & all) << 1;
    memcpy(verdicts, &bytes, WIDE_LANES); // little endian, as all processors that have lanes here
}

/// Where the ray is at a time, in the grid: what is beside it by rounding is brought into it.
KERNEL_INLINE WideVec ray_place(const AbutRayField* field, const WideRay* ray, Wide time)
{
    return (WideVec){
        into_grid(wide_add(ray->from.x, wide_mul(time, ray->way.x)), field->view.cell_count[0]),
        into_grid(wide_add(ray->from.y, wide_mul(time, ray->way.y)), field->view.cell_count[1]),
        into_grid(wide_add(ray->from.z, wide_mul(time, ray->way.z)), field->view.cell_count[2]),
    };
}

// ---------------------------------------------------------------------------------------------------------------------
// Proved distances
// ---------------------------------------------------------------------------------------------------------------------

typedef struct WidePlace
{
    WideVec at;
    WideInt x, y, z; // cell
} WidePlace;

KERNEL_INLINE WidePlace find_place(const AbutRayField* field, WideVec at)
{
    return (WidePlace){ at, cell_index(at.x, field->view.cell_count[0]),
                        cell_index(at.y, field->view.cell_count[1]),
                        cell_index(at.z, field->view.cell_count[2]) };
}

KERNEL_INLINE Wide way_to_middle(const WidePlace* place, int bits)
{
    const float size = (float)(1 << bits);
    WideVec middle = { middle_of(wide_int_shift_right(place->x, bits), size),
                       middle_of(wide_int_shift_right(place->y, bits), size),
                       middle_of(wide_int_shift_right(place->z, bits), size) };
    WideVec way = sub3(place->at, middle);
    return wide_sqrt(dot3(way, way));
}

/// Where the number of a place's brick is.
KERNEL_INLINE WideInt brick_number_index(const AbutRayField* field, const WidePlace* place)
{
    WideInt bx = wide_int_shift_right(place->x, 3), by = wide_int_shift_right(place->y, 3),
            bz = wide_int_shift_right(place->z, 3);
    WideInt group = flat_place(wide_int_shift_right(bx, 1), wide_int_shift_right(by, 1),
                               wide_int_shift_right(bz, 1), field->group_row, field->group_slab);
    return wide_int_or(wide_int_shift_left(group, 3), join_bits(bx, by, bz));
}

KERNEL_INLINE WideInt brick_index(const AbutRayField* field, const WidePlace* place)
{
    return flat_place(wide_int_shift_right(place->x, 3), wide_int_shift_right(place->y, 3),
                      wide_int_shift_right(place->z, 3), field->view.brick_row, field->view.brick_slab);
}

/// Where the number of a place's box of two cells is. Where the brick is not stored, `scale` is 0 and the number another's.
KERNEL_INLINE WideInt pair_number_index(const AbutRayField* field, const WidePlace* place, Wide* scale)
{
    WideInt fine = wide_int_or(
        join_bits(wide_int_shift_right(place->x, 1), wide_int_shift_right(place->y, 1),
                  wide_int_shift_right(place->z, 1)),
        wide_int_shift_left(join_bits(wide_int_shift_right(place->x, 2), wide_int_shift_right(place->y, 2),
                                      wide_int_shift_right(place->z, 2)),
                            3));
    WideInt leaf = brick_index(field, place);
    *scale = wide_splat(1.0f);
    if (field->view.slots != NULL)
    {
        uint32_t index[WIDE_LANES];
        wide_int_store(index, leaf);
        leaf = wide_int_gather(field->view.slots, index);
        WideMask none = wide_int_equal(leaf, wide_int_splat(UINT32_MAX));
        leaf = wide_int_select(none, wide_int_splat(0), leaf);
        *scale = wide_select(none, wide_zero(), *scale);
    }
    return wide_int_add(wide_int_mul(leaf, wide_int_splat(72)), wide_int_add(fine, wide_int_splat(8)));
}

/// How far from a place the field is proved to be over σ, by a number at the middle of a box around it.
KERNEL_INLINE Wide reach_of(const AbutRayField* field, const WidePlace* place, Wide number, int bits)
{
    Wide distance = wide_sub(wide_mul(number, wide_splat(field->step)), way_to_middle(place, bits));
    return wide_sub(distance, wide_splat(field->taken));
}

KERNEL_INLINE void prefetch_shorts(const int16_t* base, const uint32_t* index)
{
    for (int lane = 0; lane < WIDE_LANES; ++lane)
    {
        __builtin_prefetch(base + index[lane]);
    }
}

KERNEL_INLINE void prefetch_slots(const AbutRayField* field, const WidePlace* place)
{
    uint32_t index[WIDE_LANES];
    wide_int_store(index, brick_index(field, place));
    for (int lane = 0; lane < WIDE_LANES; ++lane)
    {
        __builtin_prefetch(field->view.slots + index[lane]);
    }
}

KERNEL_INLINE WidePlace place_at(const AbutRayField* field, const AbutRays* rays, size_t i,
                                 const float* times)
{
    WideRay ray = load_ray(rays, i);
    return find_place(field, ray_place(field, &ray, wide_load(times + i)));
}

/// How far is free from the rays [first, count) at some times; finer numbers are read where those of bricks say less than
/// `enough`. All rays ask for memory before the first one needs it.
KERNEL_INLINE void find_reaches(const AbutRayField* field, const AbutRays* rays, size_t first,
                                const float* times, const float* enough, float* reaches)
{
    uint32_t index[ABUT_RAYS_PADDED];
    float scales[ABUT_RAYS_PADDED];
    for (size_t i = first; i < rays->count; i += WIDE_LANES)
    {
        WidePlace place = place_at(field, rays, i, times);
        wide_int_store(index + i, brick_number_index(field, &place));
        prefetch_shorts(field->bricks, index + i);
        if (field->view.slots != NULL)
        {
            prefetch_slots(field, &place);
        }
    }
    for (size_t i = first; i < rays->count; i += WIDE_LANES)
    {
        WidePlace place = place_at(field, rays, i, times);
        Wide reach = reach_of(field, &place, wide_gather_shorts(field->bricks, index + i), 3);
        wide_store(reaches + i, reach);
        if (wide_bits(wide_less(reach, wide_load(enough + i))) != 0)
        {
            Wide scale;
            wide_int_store(index + i, pair_number_index(field, &place, &scale));
            wide_store(scales + i, scale);
            prefetch_shorts(field->leaves, index + i);
        }
    }
    for (size_t i = first; i < rays->count; i += WIDE_LANES)
    {
        Wide reach = wide_load(reaches + i);
        if (wide_bits(wide_less(reach, wide_load(enough + i))) != 0)
        {
            WidePlace place = place_at(field, rays, i, times);
            Wide number = wide_mul(wide_gather_shorts(field->leaves, index + i), wide_load(scales + i));
            wide_store(reaches + i, wide_max(reach, reach_of(field, &place, number, 1)));
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Begin
// ---------------------------------------------------------------------------------------------------------------------

/// The part of [0, 1] that a ray may be within the grid along an axis, widened by its rounding.
KERNEL_INLINE void clip_axis(Wide from, Wide way, Wide pad, float cells, Wide* begin, Wide* end)
{
    WideMask moves = wide_less(wide_splat(STILL), wide_abs(way));
    Wide safe = wide_select(moves, way, wide_splat(1.0f));
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

/// False for what is not a number.
KERNEL_INLINE WideMask is_nearer_than(WideVec p, float limit)
{
    Wide most = wide_splat(limit);
    return wide_and(wide_and(wide_less(wide_abs(p.x), most), wide_less(wide_abs(p.y), most)),
                    wide_less(wide_abs(p.z), most));
}

KERNEL_INLINE WideVec grid_place(const AbutFieldView* view, WideVec p)
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
    wide_store(rays->way[0] + i, ray->way.x);
    wide_store(rays->way[1] + i, ray->way.y);
    wide_store(rays->way[2] + i, ray->way.z);
    wide_store(rays->time + i, ray->time);
    wide_store(rays->end + i, ray->end);
    wide_store(rays->per_length + i, ray->per_length);
}

KERNEL_INLINE void begin_ray_lanes(const AbutRayField* field, WideVec from, WideVec to, AbutRays* rays,
                                   size_t i, float* halves, float* middles, uint8_t* verdicts)
{
    const float most = field->cells[0] > field->cells[1] ? field->cells[0] : field->cells[1];
    const float limit = FAR_AWAY * (most > field->cells[2] ? most : field->cells[2]);
    WideRay ray = { .from = grid_place(&field->view, from) };
    WideVec end = grid_place(&field->view, to);
    ray.way = sub3(end, ray.from);
    Wide length = wide_sqrt(dot3(ray.way, ray.way));
    // A segment of no length is one of very little.
    ray.per_length = wide_div(wide_splat(1.0f), wide_max(length, wide_splat(1e-20f)));
    ray.time = wide_zero();
    ray.end = wide_splat(1.0f);
    const unsigned all = (1u << WIDE_LANES) - 1u;
    unsigned inside = wide_bits(wide_and(is_in_grid(field, ray.from), is_in_grid(field, end)));
    unsigned stuck = 0, outside = 0;
    if (inside != all)
    {
        Wide pad = wide_splat(field->pad);
        clip_axis(ray.from.x, ray.way.x, pad, field->cells[0], &ray.time, &ray.end);
        clip_axis(ray.from.y, ray.way.y, pad, field->cells[1], &ray.time, &ray.end);
        clip_axis(ray.from.z, ray.way.z, pad, field->cells[2], &ray.time, &ray.end);
        outside = all & ~wide_bits(wide_less_equal(ray.time, ray.end));
        stuck = all & ~wide_bits(wide_and(is_nearer_than(ray.from, limit), is_nearer_than(end, limit)));
        stuck |= field->clear_outside ? 0u : all & ~inside;
        outside &= ~stuck;
    }
    store_ray(rays, i, &ray);
    wide_store(halves + i, wide_mul(wide_mul(wide_sub(ray.end, ray.time), wide_splat(0.5f)), length));
    wide_store(middles + i, wide_mul(wide_add(ray.end, ray.time), wide_splat(0.5f)));
    store_verdicts(verdicts + i, outside, stuck);
}

static void begin_rays_kernel(const AbutRayField* field, AbutPoints from, AbutPoints to, size_t count,
                              AbutRays* rays, AbutRayVerdicts verdicts)
{
    const size_t first = rays->count;
    float halves[ABUT_RAYS_PADDED], middles[ABUT_RAYS_PADDED], reaches[ABUT_RAYS_PADDED];
    FOR_LANES(count, begin_ray_lanes(field, load_points(from, i, n), load_points(to, i, n), rays, first + i,
                                     halves, middles, verdicts));
    rays->count = first + count;
    // Short ones are often free by what is known at their middle.
    find_reaches(field, rays, first, middles, halves, reaches);
    for (size_t i = first; i < rays->count; ++i)
    {
        bool free = halves[i] < reaches[i] && verdicts[i] == 0;
        verdicts[i] = free ? (uint8_t)ABUT_RAY_FREE : verdicts[i];
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------------------------------------------------

KERNEL_INLINE void step_ray_lanes(AbutRays* rays, size_t i, const float* reaches, uint8_t* verdicts)
{
    WideRay ray = load_ray(rays, i);
    Wide reach = wide_load(reaches + i);
    WideMask moves = wide_less(wide_splat(SHORTEST_STEP), reach);
    Wide time = wide_add(ray.time, wide_mul(reach, ray.per_length));
    wide_store(rays->time + i, wide_select(moves, time, ray.time));
    unsigned free = wide_bits(wide_less(ray.end, time)) & wide_bits(wide_less(wide_zero(), reach));
    store_verdicts(verdicts + i, free, ~wide_bits(moves) & ~free);
}

static void step_rays_kernel(const AbutRayField* field, AbutRays* rays, AbutRayVerdicts verdicts)
{
    float reaches[ABUT_RAYS_PADDED], enough[ABUT_RAYS_PADDED];
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        wide_store(enough + i, wide_splat(BRICK_STEP));
    }
    find_reaches(field, rays, 0, rays->time, enough, reaches);
    for (size_t i = 0; i < rays->count; i += WIDE_LANES)
    {
        step_ray_lanes(rays, i, reaches, verdicts);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Cells
// ---------------------------------------------------------------------------------------------------------------------

/// Time until the ray leaves the cell along an axis.
KERNEL_INLINE Wide leave_axis(Wide part, Wide way, Wide side)
{
    WideMask moves = wide_less(wide_splat(STILL), wide_abs(way));
    Wide ahead =
        wide_select(wide_less(wide_zero(), way), wide_sub(wide_splat(1.0f), part), wide_negate(part));
    Wide time = wide_div(wide_mul(ahead, side), wide_select(moves, way, wide_splat(1.0f)));
    return wide_select(moves, time, wide_splat(INFINITY));
}

KERNEL_INLINE Wide part_after(Wide part, Wide way, Wide time, Wide per_side)
{
    Wide at = wide_add(part, wide_mul(wide_mul(way, time), per_side));
    return wide_max(wide_min(at, wide_splat(1.0f)), wide_zero());
}

/// A cell's corners, blended along x at both ends of the ray's way through it: pairs of values for the rows (y, z).
KERNEL_INLINE void load_corners(const void* nodes, int format, bool sparse, const WideCell* cell, Wide scale,
                                Wide rows[4][2], Wide from, Wide to)
{
    UNROLL_ROWS
    for (int i = 0; i < 4; ++i)
    {
        const uint32_t* index = row_index(cell, i, sparse);
        Wide pair[2];
        if (format == FORMAT_F32)
        {
            wide_load_pairs((const float*)nodes + cell->offset[i], index, pair);
        }
        else
        {
            wide_load_half_pairs((const uint16_t*)nodes + cell->offset[i], index, pair);
        }
        Wide first = wide_mul(pair[0], scale), change = wide_sub(wide_mul(pair[1], scale), first);
        rows[i][0] = wide_add(first, wide_mul(from, change));
        rows[i][1] = wide_add(first, wide_mul(to, change));
    }
}

/// Coefficients of the cubic along a way through a cell (sweep/segment_cell.c says how).
KERNEL_INLINE void blend_coefficients(Wide rows[4][2], WideVec from, WideVec to, Wide out[4])
{
    Wide v[2][2][2]; // [z][y][x], where 0 is the begin of the way and 1 its end
    UNROLL_ROWS
    for (int i = 0; i < 4; ++i)
    {
        const int z = i >> 1, x = i & 1;
        Wide low = rows[2 * z][x], change = wide_sub(rows[2 * z + 1][x], low);
        v[z][0][x] = wide_add(low, wide_mul(from.y, change));
        v[z][1][x] = wide_add(low, wide_mul(to.y, change));
    }
    Wide b[2][2][2];
    UNROLL_ROWS
    for (int i = 0; i < 4; ++i)
    {
        const int y = i >> 1, x = i & 1;
        Wide low = v[0][y][x], change = wide_sub(v[1][y][x], low);
        b[0][y][x] = wide_add(low, wide_mul(from.z, change));
        b[1][y][x] = wide_add(low, wide_mul(to.z, change));
    }
    const Wide third = wide_splat(1.0f / 3.0f);
    out[0] = b[0][0][0];
    out[1] = wide_mul(wide_add(wide_add(b[0][0][1], b[0][1][0]), b[1][0][0]), third);
    out[2] = wide_mul(wide_add(wide_add(b[0][1][1], b[1][0][1]), b[1][1][0]), third);
    out[3] = b[1][1][1];
}

KERNEL_INLINE void cross_ray_lanes(const AbutRayField* field, int format, bool sparse, AbutRays* rays,
                                   size_t i, uint8_t* verdicts, float* far)
{
    WideRay ray = load_ray(rays, i);
    // The cell a little ahead: one that the ray is about to leave is behind it already.
    Wide nudge = wide_mul(wide_splat(field->pad), ray.per_length), begin = wide_add(ray.time, nudge);
    WideVec at = ray_place(field, &ray, begin);
    WideCell cell = sparse ? sparse_cell(&field->view, at) : dense_cell(&field->view, at);
    Wide per_grid = wide_splat(field->view.inverse_cell_size);
    Wide side = sparse ? wide_mul(cell.size, per_grid) : wide_splat(1.0f);
    Wide per_side =
        sparse ? wide_mul(cell.inverse_size, wide_splat(field->view.cell_size)) : wide_splat(1.0f);
    Wide time = wide_min(
        leave_axis(cell.part.x, ray.way.x, side),
        wide_min(leave_axis(cell.part.y, ray.way.y, side), leave_axis(cell.part.z, ray.way.z, side)));
    time = wide_max(wide_min(time, wide_sub(ray.end, begin)), wide_zero());
    WideVec to = { part_after(cell.part.x, ray.way.x, time, per_side),
                   part_after(cell.part.y, ray.way.y, time, per_side),
                   part_after(cell.part.z, ray.way.z, time, per_side) };
    Wide rows[4][2], b[4];
    load_corners(field->view.nodes, format, sparse, &cell, format == FORMAT_F32 ? per_grid : side, rows,
                 cell.part.x, to.x);
    blend_coefficients(rows, cell.part, to, b);
    Wide over = wide_splat(field->iso + field->margin);
    Wide low = wide_sub(wide_min(wide_min(b[0], b[1]), wide_min(b[2], b[3])), over);
    Wide last = wide_sub(b[3], over);
    // Over σ by so much, the field stays over it for a while beyond the cell.
    Wide rest = wide_max(wide_sub(last, wide_mul(side, wide_splat(field->jump))), wide_zero());
    Wide beyond = wide_mul(rest, wide_splat(field->per_steep));
    Wide next = wide_add(wide_add(begin, time), wide_mul(beyond, ray.per_length));
    unsigned clear = wide_bits(wide_less(wide_zero(), low));
    unsigned moves = wide_bits(wide_less(wide_add(begin, wide_mul(nudge, wide_splat(2.0f))), next));
    unsigned free = wide_bits(wide_less_equal(ray.end, next)) & clear;
    WideMask goes = wide_and(wide_less(wide_zero(), low), wide_less(ray.time, next));
    wide_store(rays->time + i, wide_select(goes, next, ray.time));
    wide_store(far + i, last);
    store_verdicts(verdicts + i, free, ~(clear & moves) & ~free);
}

/// Asks for the nodes of the cells that rays are in.
KERNEL_INLINE void prefetch_ray_cells(const AbutRayField* field, int format, bool sparse,
                                      const AbutRays* rays, size_t first)
{
    const size_t bytes = format == FORMAT_F32 ? 4 : 2;
    for (size_t i = first; i < rays->count; i += WIDE_LANES)
    {
        WideRay ray = load_ray(rays, i);
        WideVec at = ray_place(field, &ray, ray.time);
        const WideCell cell = sparse ? sparse_cell(&field->view, at) : dense_cell(&field->view, at);
        for (int lane = 0; lane < WIDE_LANES; ++lane)
        {
            UNROLL_ROWS
            for (int row = 0; row < 4; ++row)
            {
                size_t node = cell.offset[row] + row_index(&cell, row, sparse)[lane];
                __builtin_prefetch((const char*)field->view.nodes + bytes * node);
            }
        }
    }
}

#define CROSS_KERNEL(name, format, sparse)                                                                   \
    static void name(const AbutRayField* field, AbutRays* rays, AbutRayVerdicts verdicts,                    \
                     float far[ABUT_RAYS_PADDED])                                                            \
    {                                                                                                        \
        for (size_t i = 0; i < rays->count; i += WIDE_LANES)                                                 \
        {                                                                                                    \
            cross_ray_lanes(field, format, sparse, rays, i, verdicts, far);                                  \
        }                                                                                                    \
    }

CROSS_KERNEL(cross_dense_f32, FORMAT_F32, false)
CROSS_KERNEL(cross_dense_f16, FORMAT_F16, false)
CROSS_KERNEL(cross_sparse_f32, FORMAT_F32, true)
CROSS_KERNEL(cross_sparse_f16, FORMAT_F16, true)

static void cross_rays_kernel(const AbutRayField* field, AbutRays* rays, AbutRayVerdicts verdicts,
                              float far[ABUT_RAYS_PADDED])
{
    const bool sparse = field->view.slots != NULL;
    if (field->format == FORMAT_F32)
    {
        (sparse ? cross_sparse_f32 : cross_dense_f32)(field, rays, verdicts, far);
    }
    else
    {
        (sparse ? cross_sparse_f16 : cross_dense_f16)(field, rays, verdicts, far);
    }
}

static void prepare_rays_kernel(const AbutRayField* field, const AbutRays* rays, size_t first)
{
    if (field->view.slots != NULL)
    {
        prefetch_ray_cells(field, field->format, true, rays, first);
    }
    else
    {
        prefetch_ray_cells(field, field->format, false, rays, first);
    }
}

#define SEGMENT_KERNEL_TABLE                                                                                 \
    {                                                                                                        \
        .begin = begin_rays_kernel, .step = step_rays_kernel, .prepare = prepare_rays_kernel,                \
        .cross = cross_rays_kernel                                                                           \
    }
