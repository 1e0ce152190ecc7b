// Rays from cell to cell; see kernels.inl for how they are compiled.

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

/// Coefficients of the cubic along a way through a cell (cast/cell_crossing.c says how).
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

/// Asks for the nodes of the cells that some lanes of a ray are in at a time.
KERNEL_INLINE void prefetch_ray_cells(const AbutRayField* field, bool sparse, const WideRay* ray, Wide time,
                                      unsigned lanes)
{
    const size_t bytes = field->format == FORMAT_F32 ? 4 : 2;
    WideVec at = ray_place(field, ray, time);
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
    for (size_t i = first; i < rays->count; i += WIDE_LANES)
    {
        WideRay ray = load_ray(rays, i);
        prefetch_ray_cells(field, field->view.slots != NULL, &ray, ray.time, (1u << WIDE_LANES) - 1u);
    }
}
