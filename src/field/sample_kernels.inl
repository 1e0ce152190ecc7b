// Kernels that sample fields.
#ifndef ABUT_FIELD_SAMPLE_KERNELS_INL
#define ABUT_FIELD_SAMPLE_KERNELS_INL

#include "field/cell_lanes.inl"

/// Consecutive points are usually near each other, and their nodes in the cache. Where the ends of a group of
/// lanes are further apart than this many cells, prefetching the cell of a later group pays.
#define SCATTERED 16.0f

/// Groups between the prefetch of nodes and their use.
enum
{
    GROUPS_AHEAD = 3
};

KERNEL_INLINE bool is_scattered(const AbutFieldView* view, AbutPoints points, size_t i)
{
    const size_t last = i + WIDE_LANES - 1;
    const float limit = SCATTERED * view->cell_size;
    return fabsf(points.x[last] - points.x[i]) > limit || fabsf(points.y[last] - points.y[i]) > limit ||
           fabsf(points.z[last] - points.z[i]) > limit;
}

KERNEL_INLINE void prefetch_cells(const AbutFieldView* view, int format, AbutPoints points, size_t i)
{
    const size_t bytes = format == ABUT_FIELD_F32 ? 4 : (format == ABUT_FIELD_F16 ? 2 : 8);
    const WideGridPoint point = grid_point(view, load_points(points, i, WIDE_LANES));
    const WideCell cell = dense_cell(view, point.at);
    for (int lane = 0; lane < WIDE_LANES; ++lane)
    {
        UNROLL_ROWS
        for (int row = 0; row < 4; ++row)
        {
            __builtin_prefetch((const char*)view->nodes + bytes * (cell.offset[row] + cell.index[0][lane]));
        }
    }
}

KERNEL_INLINE void sample_points(const AbutFieldView* field, int format, bool sparse, AbutPoints points,
                                 size_t count, AbutSamples out, bool gradient)
{
    const AbutFieldView view = *field; // a copy, which the stores below cannot alias
    const size_t ahead = GROUPS_AHEAD * WIDE_LANES;
    // A prefetch costs as much as a read where cells are found through bricks or lanes are one.
    const bool prefetch = !sparse && WIDE_LANES > 1;
    FOR_LANES(
        count, if (prefetch && i + ahead + WIDE_LANES <= count && is_scattered(&view, points, i + ahead)) {
            prefetch_cells(&view, format, points, i + ahead);
        } store_samples(out, i, n, sample_field(&view, format, sparse, load_points(points, i, n)), gradient));
}

#define FIELD_KERNEL(name, format, sparse)                                                                   \
    static void name(const AbutFieldView* view, AbutPoints points, size_t count, AbutSamples out)            \
    {                                                                                                        \
        WITH_AND_WITHOUT_GRADIENT(out, sample_points(view, format, sparse, points, count, out, gradient));   \
    }

FIELD_KERNEL(dense_f32_kernel, ABUT_FIELD_F32, false)
FIELD_KERNEL(dense_f16_kernel, ABUT_FIELD_F16, false)
FIELD_KERNEL(dense_first_order_kernel, ABUT_FIELD_FIRST_ORDER, false)
FIELD_KERNEL(sparse_f32_kernel, ABUT_FIELD_F32, true)
FIELD_KERNEL(sparse_f16_kernel, ABUT_FIELD_F16, true)
FIELD_KERNEL(sparse_first_order_kernel, ABUT_FIELD_FIRST_ORDER, true)

#endif
