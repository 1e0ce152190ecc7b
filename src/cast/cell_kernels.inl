// Rays through the cells of a field of order 0.
#ifndef ABUT_CAST_CELL_KERNELS_INL
#define ABUT_CAST_CELL_KERNELS_INL

#include "cast/ray_lanes.inl"

KERNEL_INLINE void cross_ray_lanes(const AbutRayField* field, int format, bool sparse, AbutRays* rays,
                                   size_t i, uint8_t* states, float* above)
{
    WideRay ray = load_ray(rays, i);
    // The cell a little ahead, so that a cell at its exit is already passed.
    Wide nudge = wide_mul(wide_splat(field->pad), ray.per_length), begin = wide_add(ray.time, nudge);
    WideVec at = ray_position(field, &ray, begin);
    WideCell cell = sparse ? sparse_cell(&field->view, at) : dense_cell(&field->view, at);
    Wide per_grid = wide_splat(field->view.inverse_cell_size);
    Wide side = sparse ? wide_mul(cell.size, per_grid) : wide_splat(1.0f);
    Wide per_side =
        sparse ? wide_mul(cell.inverse_size, wide_splat(field->view.cell_size)) : wide_splat(1.0f);
    Wide time = wide_min(leave_axis(cell.fraction.x, ray.displacement.x, side),
                         wide_min(leave_axis(cell.fraction.y, ray.displacement.y, side),
                                  leave_axis(cell.fraction.z, ray.displacement.z, side)));
    time = wide_max(wide_min(time, wide_sub(ray.end, begin)), wide_zero());
    WideVec to = { fraction_after(cell.fraction.x, ray.displacement.x, time, per_side),
                   fraction_after(cell.fraction.y, ray.displacement.y, time, per_side),
                   fraction_after(cell.fraction.z, ray.displacement.z, time, per_side) };
    Wide rows[4][2], b[4];
    load_corners(field->view.nodes, format, sparse, &cell, format == ABUT_FIELD_F32 ? per_grid : side, rows,
                 cell.fraction.x, to.x);
    blend_coefficients(rows, cell.fraction, to, b);
    Wide over = wide_splat(field->iso + field->margin);
    Wide low = wide_sub(wide_min(wide_min(b[0], b[1]), wide_min(b[2], b[3])), over);
    Wide last = wide_sub(b[3], over);
    // The value over σ keeps the field over σ for an interval beyond the cell.
    Wide excess = wide_max(wide_sub(last, wide_mul(side, wide_splat(field->jump))), wide_zero());
    Wide beyond = wide_mul(excess, wide_splat(field->inverse_slope));
    Wide next = wide_add(wide_add(begin, time), wide_mul(beyond, ray.per_length));
    unsigned is_free = wide_bits(wide_less(wide_zero(), low));
    unsigned moves = wide_bits(wide_less(wide_add(begin, wide_mul(nudge, wide_splat(2.0f))), next));
    unsigned free = wide_bits(wide_less_equal(ray.end, next)) & is_free;
    WideMask advances = wide_and(wide_less(wide_zero(), low), wide_less(ray.time, next));
    wide_store(rays->time + i, wide_select(advances, next, ray.time));
    wide_store(above + i, last);
    store_ray_states(states + i, free, ~(is_free & moves) & ~free);
}

/// Prefetches the nodes of the cells of some lanes at a time.
KERNEL_INLINE void prefetch_ray_cells(const AbutRayField* field, bool sparse, const WideRay* ray, Wide time,
                                      unsigned lanes)
{
    const size_t bytes = field->format == ABUT_FIELD_F32 ? 4 : 2;
    WideVec at = ray_position(field, ray, time);
    const WideCell cell = sparse ? sparse_cell(&field->view, at) : dense_cell(&field->view, at);
    for (; lanes != 0; lanes &= lanes - 1)
    {
        const int lane = __builtin_ctz(lanes);
        UNROLL_ROWS
        for (int row = 0; row < 4; ++row)
        {
            size_t node = cell.offset[row] + row_index(&cell, row, sparse)[lane];
            __builtin_prefetch((const char*)field->view.nodes + bytes * node);
        }
    }
}

#define CROSS_KERNEL(name, format, sparse)                                                                   \
    static void name(const AbutRayField* field, AbutRays* rays, AbutRayStates states,                        \
                     float above[ABUT_RAYS_PADDED])                                                          \
    {                                                                                                        \
        for (size_t i = 0; i < rays->count; i += WIDE_LANES)                                                 \
        {                                                                                                    \
            cross_ray_lanes(field, format, sparse, rays, i, states, above);                                  \
        }                                                                                                    \
    }

CROSS_KERNEL(cross_dense_f32, ABUT_FIELD_F32, false)
CROSS_KERNEL(cross_dense_f16, ABUT_FIELD_F16, false)
CROSS_KERNEL(cross_sparse_f32, ABUT_FIELD_F32, true)
CROSS_KERNEL(cross_sparse_f16, ABUT_FIELD_F16, true)

static void cross_rays_kernel(const AbutRayField* field, AbutRays* rays, AbutRayStates states,
                              float above[ABUT_RAYS_PADDED])
{
    const bool sparse = field->view.slots != NULL;
    if (field->format == ABUT_FIELD_F32)
    {
        (sparse ? cross_sparse_f32 : cross_dense_f32)(field, rays, states, above);
    }
    else
    {
        (sparse ? cross_sparse_f16 : cross_dense_f16)(field, rays, states, above);
    }
}

static void prepare_rays_kernel(const AbutRayField* field, const AbutRays* rays, size_t first)
{
    for (size_t i = first; i < rays->count; i += WIDE_LANES)
    {
        WideRay ray = load_ray(rays, i);
        prefetch_ray_cells(field, field->view.slots != NULL, &ray, ray.time, (1u << WIDE_LANES) - 1u);
    }
}

#endif
