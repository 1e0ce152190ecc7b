// Rays, and how far they are free by the distance octree.
#ifndef ABUT_CAST_RAY_LANES_INL
#define ABUT_CAST_RAY_LANES_INL

#include "cast/ray_kernels.h"
#include "cast/verdict_lanes.inl"
#include "field/bounds/octree_lanes.inl"
#include "field/cell_lanes.inl"

/// A step must be worth more than going through a cell.
#define SHORTEST_STEP 1.0f

/// Where the number of a brick allows less than this, the finer one is worth reading.
#define BRICK_STEP 2.0f

/// Of a brick, in cells, rounded up.
#define BRICK_DIAGONAL 13.9f

/// Ends further from the first node than this many grids are left to double precision.
#define FAR_AWAY 2.0f

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

/// Where a brick keeps its own nodes. Where it has none, `scale` is 0 and the place another brick's.
KERNEL_INLINE WideInt leaf_of_brick(const AbutRayField* field, WideInt brick, Wide* scale)
{
    WideInt leaf = brick;
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
    return leaf;
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
    WideInt leaf = leaf_of_brick(field, brick_index(field, place), scale);
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

KERNEL_INLINE void prefetch_words(const uint32_t* base, const uint32_t* index)
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
    prefetch_words(field->view.slots, index);
}

KERNEL_INLINE WidePlace place_at(const AbutRayField* field, const AbutRays* rays, size_t i,
                                 const float* times)
{
    WideRay ray = load_ray(rays, i);
    return find_place(field, ray_place(field, &ray, wide_load(times + i)));
}

/// True where the number of a brick says less than enough and that of a part of it may say more: distances differ by at most
/// the way between the middles, and ways to them by no more than that.
KERNEL_INLINE bool asks_for_more(Wide reach, Wide enough)
{
    return wide_bits(wide_and(wide_less(reach, enough),
                              wide_less(enough, wide_add(reach, wide_splat(BRICK_DIAGONAL))))) != 0;
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
        if (asks_for_more(reach, wide_load(enough + i)))
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
        if (asks_for_more(reach, wide_load(enough + i)))
        {
            WidePlace place = place_at(field, rays, i, times);
            Wide number = wide_mul(wide_gather_shorts(field->leaves, index + i), wide_load(scales + i));
            wide_store(reaches + i, wide_max(reach, reach_of(field, &place, number, 1)));
        }
    }
}

/// As far as is free.
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

#endif
