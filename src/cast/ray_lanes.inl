// Rays, and their free intervals by the distance octree.
#ifndef ABUT_CAST_RAY_LANES_INL
#define ABUT_CAST_RAY_LANES_INL

#include "cast/ray_kernels.h"
#include "field/bounds/octree_lanes.inl"
#include "field/cell_lanes.inl"

/// Shortest step that is better than one through a cell.
#define SHORTEST_STEP 1.0f

/// Step by the number of a brick below which the finer number is read.
#define BRICK_STEP 2.0f

/// Of a brick, in cells, rounded up.
#define BRICK_DIAGONAL 13.9f

/// Distance of an end from the first node, in grids, beyond which double precision is needed.
#define FAR_AWAY 2.0f

typedef struct WideRay
{
    WideVec from, displacement;
    Wide time, end, per_length;
} WideRay;

KERNEL_INLINE WideRay load_ray(const AbutRays* rays, size_t i)
{
    return (WideRay){
        .from = { wide_load(rays->from[0] + i), wide_load(rays->from[1] + i), wide_load(rays->from[2] + i) },
        .displacement = { wide_load(rays->displacement[0] + i), wide_load(rays->displacement[1] + i),
                          wide_load(rays->displacement[2] + i) },
        .time = wide_load(rays->time + i),
        .end = wide_load(rays->end + i),
        .per_length = wide_load(rays->per_length + i),
    };
}

KERNEL_INLINE void store_ray_states(uint8_t* states, unsigned free, unsigned stuck)
{
    const unsigned all = (1u << WIDE_LANES) - 1u;
    uint64_t bytes = bits_to_bytes(free & all) | bits_to_bytes(stuck & all) << 1;
    memcpy(states, &bytes, WIDE_LANES); // little endian, as all processors with lanes here
}

/// Position of the ray at a time, clamped to the grid against rounding.
KERNEL_INLINE WideVec ray_position(const AbutRayField* field, const WideRay* ray, Wide time)
{
    return (WideVec){
        clamp_to_grid(wide_add(ray->from.x, wide_mul(time, ray->displacement.x)), field->view.cell_count[0]),
        clamp_to_grid(wide_add(ray->from.y, wide_mul(time, ray->displacement.y)), field->view.cell_count[1]),
        clamp_to_grid(wide_add(ray->from.z, wide_mul(time, ray->displacement.z)), field->view.cell_count[2]),
    };
}

// -----------------------------------------------------------------------------------------------------------
// Proved distances
// -----------------------------------------------------------------------------------------------------------

typedef struct WideGridCell
{
    WideVec at;
    WideInt x, y, z; // cell
} WideGridCell;

KERNEL_INLINE WideGridCell find_grid_cell(const AbutRayField* field, WideVec at)
{
    return (WideGridCell){ at, cell_index(at.x, field->view.cell_count[0]),
                           cell_index(at.y, field->view.cell_count[1]),
                           cell_index(at.z, field->view.cell_count[2]) };
}

KERNEL_INLINE Wide distance_to_middle(const WideGridCell* grid_cell, int bits)
{
    const float size = (float)(1 << bits);
    WideVec middle = { middle_of(wide_int_shift_right(grid_cell->x, bits), size),
                       middle_of(wide_int_shift_right(grid_cell->y, bits), size),
                       middle_of(wide_int_shift_right(grid_cell->z, bits), size) };
    WideVec displacement = sub3(grid_cell->at, middle);
    return wide_sqrt(dot3(displacement, displacement));
}

/// Index of the number of a position's brick.
KERNEL_INLINE WideInt brick_number_index(const AbutRayField* field, const WideGridCell* grid_cell)
{
    WideInt bx = wide_int_shift_right(grid_cell->x, 3), by = wide_int_shift_right(grid_cell->y, 3),
            bz = wide_int_shift_right(grid_cell->z, 3);
    WideInt group = flat_grid_index(wide_int_shift_right(bx, 1), wide_int_shift_right(by, 1),
                                    wide_int_shift_right(bz, 1), field->group_row, field->group_slab);
    return wide_int_or(wide_int_shift_left(group, 3), join_bits(bx, by, bz));
}

KERNEL_INLINE WideInt brick_index(const AbutRayField* field, const WideGridCell* grid_cell)
{
    return flat_grid_index(wide_int_shift_right(grid_cell->x, 3), wide_int_shift_right(grid_cell->y, 3),
                           wide_int_shift_right(grid_cell->z, 3), field->view.brick_row,
                           field->view.brick_slab);
}

/// Index of the nodes of a brick. Where it has none, `scale` is 0 and the index that of another brick.
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

/// Index of the number of a position's box of two cells. Where the brick is not stored, `scale` is 0 and the
/// index that of another.
KERNEL_INLINE WideInt pair_number_index(const AbutRayField* field, const WideGridCell* grid_cell, Wide* scale)
{
    WideInt fine =
        wide_int_or(join_bits(wide_int_shift_right(grid_cell->x, 1), wide_int_shift_right(grid_cell->y, 1),
                              wide_int_shift_right(grid_cell->z, 1)),
                    wide_int_shift_left(join_bits(wide_int_shift_right(grid_cell->x, 2),
                                                  wide_int_shift_right(grid_cell->y, 2),
                                                  wide_int_shift_right(grid_cell->z, 2)),
                                        3));
    WideInt leaf = leaf_of_brick(field, brick_index(field, grid_cell), scale);
    return wide_int_add(wide_int_mul(leaf, wide_int_splat(72)), wide_int_add(fine, wide_int_splat(8)));
}

/// Radius around a position in which the field is proved over σ, by the number at the middle of a box around
/// it.
KERNEL_INLINE Wide safe_radius_at(const AbutRayField* field, const WideGridCell* grid_cell, Wide number,
                                  int bits)
{
    Wide distance = wide_sub(wide_mul(number, wide_splat(field->step)), distance_to_middle(grid_cell, bits));
    return wide_sub(distance, wide_splat(field->deduction));
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

KERNEL_INLINE void prefetch_slots(const AbutRayField* field, const WideGridCell* grid_cell)
{
    uint32_t index[WIDE_LANES];
    wide_int_store(index, brick_index(field, grid_cell));
    prefetch_words(field->view.slots, index);
}

KERNEL_INLINE WideGridCell grid_cell_at(const AbutRayField* field, const AbutRays* rays, size_t i,
                                        const float* times)
{
    WideRay ray = load_ray(rays, i);
    return find_grid_cell(field, ray_position(field, &ray, wide_load(times + i)));
}

/// True where the number of a brick is too small and that of a box in it may be larger: distances differ by
/// at most the distance of the middles, and so do the distances to them.
KERNEL_INLINE bool needs_finer(Wide safe_radius, Wide enough)
{
    return wide_bits(wide_and(wide_less(safe_radius, enough),
                              wide_less(enough, wide_add(safe_radius, wide_splat(BRICK_DIAGONAL))))) != 0;
}

/// Free radii of the rays [first, count) at some times; finer numbers are read where those of bricks are less
/// than `enough`. Memory is prefetched for all rays before its first use.
KERNEL_INLINE void find_safe_radii(const AbutRayField* field, const AbutRays* rays, size_t first,
                                   const float* times, const float* enough, float* safe_radii)
{
    uint32_t index[ABUT_RAYS_PADDED];
    float scales[ABUT_RAYS_PADDED];
    for (size_t i = first; i < rays->count; i += WIDE_LANES)
    {
        WideGridCell grid_cell = grid_cell_at(field, rays, i, times);
        wide_int_store(index + i, brick_number_index(field, &grid_cell));
        prefetch_shorts(field->bricks, index + i);
        if (field->view.slots != NULL)
        {
            prefetch_slots(field, &grid_cell);
        }
    }
    for (size_t i = first; i < rays->count; i += WIDE_LANES)
    {
        WideGridCell grid_cell = grid_cell_at(field, rays, i, times);
        Wide safe_radius = safe_radius_at(field, &grid_cell, wide_gather_shorts(field->bricks, index + i), 3);
        wide_store(safe_radii + i, safe_radius);
        if (needs_finer(safe_radius, wide_load(enough + i)))
        {
            Wide scale;
            wide_int_store(index + i, pair_number_index(field, &grid_cell, &scale));
            wide_store(scales + i, scale);
            prefetch_shorts(field->leaves, index + i);
        }
    }
    for (size_t i = first; i < rays->count; i += WIDE_LANES)
    {
        Wide safe_radius = wide_load(safe_radii + i);
        if (needs_finer(safe_radius, wide_load(enough + i)))
        {
            WideGridCell grid_cell = grid_cell_at(field, rays, i, times);
            Wide number = wide_mul(wide_gather_shorts(field->leaves, index + i), wide_load(scales + i));
            wide_store(safe_radii + i, wide_max(safe_radius, safe_radius_at(field, &grid_cell, number, 1)));
        }
    }
}

/// A step by the free radius.
KERNEL_INLINE void step_ray_lanes(AbutRays* rays, size_t i, const float* safe_radii, uint8_t* states)
{
    WideRay ray = load_ray(rays, i);
    Wide safe_radius = wide_load(safe_radii + i);
    WideMask moves = wide_less(wide_splat(SHORTEST_STEP), safe_radius);
    Wide time = wide_add(ray.time, wide_mul(safe_radius, ray.per_length));
    wide_store(rays->time + i, wide_select(moves, time, ray.time));
    unsigned free = wide_bits(wide_less(ray.end, time)) & wide_bits(wide_less(wide_zero(), safe_radius));
    store_ray_states(states + i, free, ~wide_bits(moves) & ~free);
}

#endif
