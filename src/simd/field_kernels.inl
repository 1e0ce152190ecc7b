// Bodies of the field kernels; see kernels.inl for how they are compiled.
//
// A point finds its cell, the cell its eight nodes (in the dense grid, in a stored brick, or at the corners
// of a brick that the coarse level stands for), and the nodes are blended. The gradient is that of the blend.

#include "simd/field_kernels.h"

enum
{
    FORMAT_F32,
    FORMAT_F16,
    FORMAT_FIRST_ORDER
};

/// Where the eight nodes are, and where the point is between them.
typedef struct WideCell
{
    WideInt node;      // number of the lowest one
    WideInt row, slab; // steps to the next along y and z
    WideVec part;      // of the way along each axis, in [0, 1]
    Wide size;         // of the cell
} WideCell;

/// A point in cells, brought into the grid; `beyond` is what was cut off.
typedef struct WideGridPoint
{
    WideVec at, beyond;
    WideMask number; // no coordinate is NaN
} WideGridPoint;

KERNEL_INLINE Wide into_grid(Wide a, float high, float low, float inverse_cell, uint32_t cells, Wide* beyond,
                             WideMask* number)
{
    Wide u = wide_mul(shift(a, high, low), wide_splat(inverse_cell));
    WideMask ordered = wide_less_equal(u, u);
    Wide safe = wide_select(ordered, u, wide_zero());
    Wide inside = wide_max(wide_zero(), wide_min(wide_splat((float)cells), safe));
    *beyond = wide_sub(safe, inside);
    *number = wide_and(*number, ordered);
    return inside;
}

KERNEL_INLINE WideGridPoint grid_point(const AbutFieldView* view, WideVec p)
{
    WideGridPoint point;
    point.number = wide_less_equal(wide_zero(), wide_zero());
    point.at.x = into_grid(p.x, view->origin_high[0], view->origin_low[0], view->inverse_cell_size,
                           view->cell_count[0], &point.beyond.x, &point.number);
    point.at.y = into_grid(p.y, view->origin_high[1], view->origin_low[1], view->inverse_cell_size,
                           view->cell_count[1], &point.beyond.y, &point.number);
    point.at.z = into_grid(p.z, view->origin_high[2], view->origin_low[2], view->inverse_cell_size,
                           view->cell_count[2], &point.beyond.z, &point.number);
    return point;
}

KERNEL_INLINE WideInt cell_index(Wide at, uint32_t cells)
{
    return wide_int_from_float(wide_min(wide_splat((float)(cells - 1)), at));
}

KERNEL_INLINE WideInt flat_index(WideInt x, WideInt y, WideInt z, WideInt row, WideInt slab)
{
    return wide_int_add(x, wide_int_add(wide_int_mul(y, row), wide_int_mul(z, slab)));
}

KERNEL_INLINE WideCell dense_cell(const AbutFieldView* view, WideVec at)
{
    WideInt x = cell_index(at.x, view->cell_count[0]), y = cell_index(at.y, view->cell_count[1]);
    WideInt z = cell_index(at.z, view->cell_count[2]);
    WideInt row = wide_int_splat(view->row), slab = wide_int_splat(view->slab);
    WideVec part = { wide_sub(at.x, wide_int_to_float(x)), wide_sub(at.y, wide_int_to_float(y)),
                     wide_sub(at.z, wide_int_to_float(z)) };
    return (WideCell){ flat_index(x, y, z, row, slab), row, slab, part, wide_splat(view->cell_size) };
}

KERNEL_INLINE Wide coarse_part(Wide at, WideInt brick)
{
    return wide_mul(wide_sub(at, wide_mul(wide_int_to_float(brick), wide_splat(8.0f))), wide_splat(0.125f));
}

KERNEL_INLINE WideCell sparse_cell(const AbutFieldView* view, WideVec at)
{
    WideInt x = cell_index(at.x, view->cell_count[0]), y = cell_index(at.y, view->cell_count[1]);
    WideInt z = cell_index(at.z, view->cell_count[2]);
    WideInt bx = wide_int_shift_right(x, 3), by = wide_int_shift_right(y, 3), bz = wide_int_shift_right(z, 3);
    WideInt brick = flat_index(bx, by, bz, wide_int_splat(view->brick_row), wide_int_splat(view->brick_slab));
    WideInt slot = wide_int_gather(view->slots, brick);
    WideMask coarse = wide_int_equal(slot, wide_int_splat(UINT32_MAX));

    WideInt seven = wide_int_splat(7), nine = wide_int_splat(9), slab = wide_int_splat(81);
    WideInt in_brick =
        flat_index(wide_int_and(x, seven), wide_int_and(y, seven), wide_int_and(z, seven), nine, slab);
    WideInt fine_node = wide_int_add(
        wide_int_add(wide_int_mul(slot, wide_int_splat(729)), wide_int_splat(view->fine_start)), in_brick);
    WideInt coarse_row = wide_int_splat(view->row), coarse_slab = wide_int_splat(view->slab);
    WideVec part = {
        wide_select(coarse, coarse_part(at.x, bx), wide_sub(at.x, wide_int_to_float(x))),
        wide_select(coarse, coarse_part(at.y, by), wide_sub(at.y, wide_int_to_float(y))),
        wide_select(coarse, coarse_part(at.z, bz), wide_sub(at.z, wide_int_to_float(z))),
    };
    return (WideCell){
        wide_int_select(coarse, flat_index(bx, by, bz, coarse_row, coarse_slab), fine_node),
        wide_int_select(coarse, coarse_row, nine),
        wide_int_select(coarse, coarse_slab, slab),
        part,
        wide_select(coarse, wide_splat(8.0f * view->cell_size), wide_splat(view->cell_size)),
    };
}

/// Two nodes that are neighbours along x: values, and gradients for order 1. In units of the cell for 16-bit
/// formats.
typedef struct WideNodePair
{
    Wide value[2];
    WideVec gradient[2];
} WideNodePair;

KERNEL_INLINE WideSample first_order_node(const uint16_t* nodes, WideInt node)
{
    WideInt at = wide_int_add(wide_int_add(node, node), wide_int_add(node, node));
    WideInt fx = wide_gather_half_pair(nodes, at);
    WideInt yz = wide_gather_half_pair(nodes, wide_int_add(at, wide_int_splat(2)));
    return (WideSample){ wide_half_lanes(fx),
                         { wide_half_lanes(wide_int_shift_right(fx, 16)), wide_half_lanes(yz),
                           wide_half_lanes(wide_int_shift_right(yz, 16)) } };
}

KERNEL_INLINE WideNodePair load_pair(const AbutFieldView* view, int format, WideInt node)
{
    WideNodePair pair = { { wide_zero(), wide_zero() },
                          { { wide_zero(), wide_zero(), wide_zero() },
                            { wide_zero(), wide_zero(), wide_zero() } } };
    if (format == FORMAT_F32)
    {
        pair.value[0] = wide_gather(view->nodes, node);
        pair.value[1] = wide_gather(view->nodes, wide_int_add(node, wide_int_splat(1)));
    }
    else if (format == FORMAT_F16)
    {
        WideInt halves = wide_gather_half_pair(view->nodes, node);
        pair.value[0] = wide_half_lanes(halves);
        pair.value[1] = wide_half_lanes(wide_int_shift_right(halves, 16));
    }
    else
    {
        WideSample a = first_order_node(view->nodes, node);
        WideSample b = first_order_node(view->nodes, wide_int_add(node, wide_int_splat(1)));
        pair = (WideNodePair){ { a.distance, b.distance }, { a.gradient, b.gradient } };
    }
    return pair;
}

KERNEL_INLINE Wide blend(Wide a, Wide b, Wide part)
{
    return wide_add(a, wide_mul(part, wide_sub(b, a)));
}

KERNEL_INLINE WideVec blend3(WideVec a, WideVec b, Wide part)
{
    return (WideVec){ blend(a.x, b.x, part), blend(a.y, b.y, part), blend(a.z, b.z, part) };
}

/// Adds half of each node's gradient times the way from the node to the point, which is (x, y, z) − (corner)
/// in cells.
KERNEL_INLINE void add_first_order(WideNodePair* pair, Wide x, Wide y, Wide z)
{
    Wide half = wide_splat(0.5f), back = wide_sub(x, wide_splat(1.0f));
    WideVec near = { x, y, z }, far = { back, y, z };
    pair->value[0] = wide_add(pair->value[0], wide_mul(half, dot3(pair->gradient[0], near)));
    pair->value[1] = wide_add(pair->value[1], wide_mul(half, dot3(pair->gradient[1], far)));
}

/// Blend of a row of two nodes along x.
typedef struct WideRow
{
    Wide value, slope; // slope along x, per cell
    WideVec gradient;  // blended node gradients (order 1)
} WideRow;

KERNEL_INLINE WideRow blend_row(const AbutFieldView* view, int format, const WideCell* cell, WideInt node,
                                Wide y, Wide z)
{
    WideNodePair pair = load_pair(view, format, node);
    WideRow row = { .gradient = { wide_zero(), wide_zero(), wide_zero() } };
    if (format == FORMAT_FIRST_ORDER)
    {
        add_first_order(&pair, cell->part.x, y, z);
        row.gradient = blend3(pair.gradient[0], pair.gradient[1], cell->part.x);
    }
    row.slope = wide_sub(pair.value[1], pair.value[0]);
    row.value = wide_add(pair.value[0], wide_mul(cell->part.x, row.slope));
    return row;
}

/// Value and gradient of the blend, both in cells.
KERNEL_INLINE WideSample blend_cell(const AbutFieldView* view, int format, const WideCell* cell)
{
    Wide y = cell->part.y, z = cell->part.z, one = wide_splat(1.0f);
    Wide y_back = wide_sub(y, one), z_back = wide_sub(z, one);
    WideInt up = wide_int_add(cell->node, cell->slab);
    WideRow r00 = blend_row(view, format, cell, cell->node, y, z);
    WideRow r10 = blend_row(view, format, cell, wide_int_add(cell->node, cell->row), y_back, z);
    WideRow r01 = blend_row(view, format, cell, up, y, z_back);
    WideRow r11 = blend_row(view, format, cell, wide_int_add(up, cell->row), y_back, z_back);

    Wide slope_y0 = wide_sub(r10.value, r00.value), slope_y1 = wide_sub(r11.value, r01.value);
    Wide low = wide_add(r00.value, wide_mul(y, slope_y0)), high = wide_add(r01.value, wide_mul(y, slope_y1));
    Wide slope_z = wide_sub(high, low);
    WideSample sample = {
        wide_add(low, wide_mul(z, slope_z)),
        { blend(blend(r00.slope, r10.slope, y), blend(r01.slope, r11.slope, y), z),
          blend(slope_y0, slope_y1, z), slope_z },
    };
    if (format == FORMAT_FIRST_ORDER)
    {
        WideVec nodes =
            blend3(blend3(r00.gradient, r10.gradient, y), blend3(r01.gradient, r11.gradient, y), z);
        sample.gradient.x = wide_add(sample.gradient.x, wide_mul(nodes.x, wide_splat(0.5f)));
        sample.gradient.y = wide_add(sample.gradient.y, wide_mul(nodes.y, wide_splat(0.5f)));
        sample.gradient.z = wide_add(sample.gradient.z, wide_mul(nodes.z, wide_splat(0.5f)));
    }
    return sample;
}

KERNEL_INLINE Wide zero_where_moved(Wide g, Wide beyond)
{
    WideMask still = wide_and(wide_less_equal(beyond, wide_zero()), wide_less_equal(wide_zero(), beyond));
    return wide_select(still, g, wide_zero());
}

/// Continues the sample at the nearest point of the box to a point `out` further away: √(d² + f²), or f + d
/// inside.
KERNEL_INLINE WideSample continue_outside(WideSample s, WideVec out)
{
    WideVec along = { zero_where_moved(s.gradient.x, out.x), zero_where_moved(s.gradient.y, out.y),
                      zero_where_moved(s.gradient.z, out.z) };
    Wide squared = dot3(out, out);
    Wide d = wide_sqrt(squared);
    Wide total = wide_sqrt(wide_add(squared, wide_mul(s.distance, s.distance)));
    WideMask negative = wide_less(s.distance, wide_zero());
    Wide weight_out = wide_select(negative, inverse_length(d), inverse_length(total));
    Wide weight_along = wide_select(negative, wide_splat(1.0f), wide_mul(s.distance, inverse_length(total)));
    WideVec a = scale3(out, weight_out), b = scale3(along, weight_along);
    WideSample outside = { wide_select(negative, wide_add(s.distance, d), total),
                           { wide_add(a.x, b.x), wide_add(a.y, b.y), wide_add(a.z, b.z) } };
    return choose_sample(wide_less(wide_zero(), squared), outside, s);
}

KERNEL_INLINE WideSample sample_field(const AbutFieldView* view, int format, bool sparse, WideVec p)
{
    WideGridPoint point = grid_point(view, p);
    WideCell cell = sparse ? sparse_cell(view, point.at) : dense_cell(view, point.at);
    WideSample sample = blend_cell(view, format, &cell);
    if (format == FORMAT_F32)
    {
        sample.gradient = scale3(sample.gradient, wide_div(wide_splat(1.0f), cell.size));
    }
    else
    {
        sample.distance = wide_mul(sample.distance, cell.size);
    }
    WideVec out = scale3(point.beyond, wide_splat(view->cell_size));
    Wide furthest = wide_max(wide_abs(out.x), wide_max(wide_abs(out.y), wide_abs(out.z)));
    if (wide_bits(wide_less(wide_zero(), furthest)) != 0)
    {
        sample = continue_outside(sample, out);
    }
    sample.distance = wide_select(point.number, sample.distance, wide_splat(NAN));
    return sample;
}

KERNEL_INLINE void run_field(const AbutFieldView* field, int format, bool sparse, AbutPoints points,
                             size_t count, AbutSamples out, bool gradient)
{
    const AbutFieldView view = *field; // a copy, which the stores below cannot alias
    FOR_LANES(count, store_samples(out, i, n, sample_field(&view, format, sparse, load_points(points, i, n)),
                                   gradient));
}

#define FIELD_KERNEL(name, format, sparse)                                                                   \
    static void name(const AbutFieldView* view, AbutPoints points, size_t count, AbutSamples out)            \
    {                                                                                                        \
        WITH_AND_WITHOUT_GRADIENT(out, run_field(view, format, sparse, points, count, out, gradient));       \
    }

FIELD_KERNEL(dense_f32_kernel, FORMAT_F32, false)
FIELD_KERNEL(dense_f16_kernel, FORMAT_F16, false)
FIELD_KERNEL(dense_first_order_kernel, FORMAT_FIRST_ORDER, false)
FIELD_KERNEL(sparse_f32_kernel, FORMAT_F32, true)
FIELD_KERNEL(sparse_f16_kernel, FORMAT_F16, true)
FIELD_KERNEL(sparse_first_order_kernel, FORMAT_FIRST_ORDER, true)

#define FIELD_KERNEL_TABLE                                                                                   \
    {                                                                                                        \
        .dense = { dense_f32_kernel, dense_f16_kernel, dense_first_order_kernel },                           \
        .sparse = { sparse_f32_kernel, sparse_f16_kernel, sparse_first_order_kernel },                       \
    }
