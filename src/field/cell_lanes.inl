// Cells, nodes and interpolation of a field, for every kernel that reads one.
//
// A point has its cell, the cell its eight nodes (in the dense grid, in a stored brick, or at the corners of
// a brick of the coarse level), and the nodes are blended. The gradient is that of the blend.
#ifndef ABUT_FIELD_CELL_LANES_INL
#define ABUT_FIELD_CELL_LANES_INL

#include "field/kernels.h"
#include "simd/lanes.inl"
#include <abut/field.h>

/// Displacements along an axis under this count as 0.
#define STILL 1e-9f

/// Before loops over the four rows of a cell, which must stay in registers.
#define UNROLL_ROWS _Pragma("GCC unroll 4")

/// The eight nodes around a point, and the position of the point between them.
typedef struct WideCell
{
    size_t offset[4]; // of the rows along x at (y, z), (y + 1, z), (y, z + 1), (y + 1, z + 1)
    uint32_t index
        [4]
        [WIDE_LANES]; // of their first nodes, counted from the offset; one for all where cells have one size
    WideVec fraction; // of the cell along each axis, in [0, 1]
    Wide size, inverse_size; // of the cell
} WideCell;

/// A point in cells, clamped to the grid.
typedef struct WideGridPoint
{
    WideVec at, before; // clamped, and before that
    WideMask inside;    // not clamped, and no coordinate is NaN
} WideGridPoint;

/// NaN becomes the far end, so that reads stay within the grid.
KERNEL_INLINE Wide into_grid(Wide u, uint32_t cells)
{
    return wide_max(wide_min(u, wide_splat((float)cells)), wide_zero());
}

KERNEL_INLINE WideGridPoint grid_point(const AbutFieldView* view, WideVec p)
{
    Wide inverse = wide_splat(view->inverse_cell_size);
    WideGridPoint point;
    point.before.x = wide_mul(shift(p.x, view->origin_high[0], view->origin_low[0]), inverse);
    point.before.y = wide_mul(shift(p.y, view->origin_high[1], view->origin_low[1]), inverse);
    point.before.z = wide_mul(shift(p.z, view->origin_high[2], view->origin_low[2]), inverse);
    point.at.x = into_grid(point.before.x, view->cell_count[0]);
    point.at.y = into_grid(point.before.y, view->cell_count[1]);
    point.at.z = into_grid(point.before.z, view->cell_count[2]);
    point.inside =
        wide_and(wide_and(wide_equal(point.at.x, point.before.x), wide_equal(point.at.y, point.before.y)),
                 wide_equal(point.at.z, point.before.z));
    return point;
}

KERNEL_INLINE WideInt cell_index(Wide at, uint32_t cells)
{
    return wide_int_from_float(wide_min(at, wide_splat((float)(cells - 1))));
}

KERNEL_INLINE WideInt flat_index(WideInt x, WideInt y, WideInt z, WideInt row, WideInt slab)
{
    return wide_int_add(x, wide_int_add(wide_int_mul(y, row), wide_int_mul(z, slab)));
}

KERNEL_INLINE WideCell dense_cell(const AbutFieldView* view, WideVec at)
{
    WideInt x = cell_index(at.x, view->cell_count[0]), y = cell_index(at.y, view->cell_count[1]);
    WideInt z = cell_index(at.z, view->cell_count[2]);
    WideCell cell = {
        .offset = { 0, view->row, view->slab, (size_t)view->row + view->slab },
        .fraction = { wide_sub(at.x, wide_int_to_float(x)), wide_sub(at.y, wide_int_to_float(y)),
                      wide_sub(at.z, wide_int_to_float(z)) },
        .size = wide_splat(view->cell_size),
        .inverse_size = wide_splat(view->inverse_cell_size),
    };
    wide_int_store(cell.index[0], flat_index(x, y, z, wide_int_splat(view->row), wide_int_splat(view->slab)));
    return cell;
}

KERNEL_INLINE Wide coarse_fraction(Wide at, WideInt brick)
{
    return wide_mul(wide_sub(at, wide_mul(wide_int_to_float(brick), wide_splat(8.0f))), wide_splat(0.125f));
}

KERNEL_INLINE WideCell sparse_cell(const AbutFieldView* view, WideVec at)
{
    WideInt x = cell_index(at.x, view->cell_count[0]), y = cell_index(at.y, view->cell_count[1]);
    WideInt z = cell_index(at.z, view->cell_count[2]);
    WideInt bx = wide_int_shift_right(x, 3), by = wide_int_shift_right(y, 3), bz = wide_int_shift_right(z, 3);
    WideCell cell = { .offset = { 0, 0, 0, 0 } };
    wide_int_store(cell.index[0],
                   flat_index(bx, by, bz, wide_int_splat(view->brick_row), wide_int_splat(view->brick_slab)));
    WideInt slot = wide_int_gather(view->slots, cell.index[0]);
    WideMask coarse = wide_int_equal(slot, wide_int_splat(UINT32_MAX));

    WideInt seven = wide_int_splat(7), nine = wide_int_splat(9), eighty_one = wide_int_splat(81);
    WideInt in_brick =
        flat_index(wide_int_and(x, seven), wide_int_and(y, seven), wide_int_and(z, seven), nine, eighty_one);
    WideInt fine_node = wide_int_add(
        wide_int_add(wide_int_mul(slot, wide_int_splat(729)), wide_int_splat(view->fine_start)), in_brick);
    WideInt coarse_row = wide_int_splat(view->row), coarse_slab = wide_int_splat(view->slab);
    cell.fraction = (WideVec){
        wide_select(coarse, coarse_fraction(at.x, bx), wide_sub(at.x, wide_int_to_float(x))),
        wide_select(coarse, coarse_fraction(at.y, by), wide_sub(at.y, wide_int_to_float(y))),
        wide_select(coarse, coarse_fraction(at.z, bz), wide_sub(at.z, wide_int_to_float(z))),
    };
    cell.size = wide_select(coarse, wide_splat(8.0f * view->cell_size), wide_splat(view->cell_size));
    cell.inverse_size = wide_select(coarse, wide_splat(0.125f * view->inverse_cell_size),
                                    wide_splat(view->inverse_cell_size));
    WideInt node = wide_int_select(coarse, flat_index(bx, by, bz, coarse_row, coarse_slab), fine_node);
    WideInt row = wide_int_select(coarse, coarse_row, nine);
    WideInt above = wide_int_add(node, wide_int_select(coarse, coarse_slab, eighty_one));
    wide_int_store(cell.index[0], node);
    wide_int_store(cell.index[1], wide_int_add(node, row));
    wide_int_store(cell.index[2], above);
    wide_int_store(cell.index[3], wide_int_add(above, row));
    return cell;
}

KERNEL_INLINE Wide blend(Wide a, Wide b, Wide fraction)
{
    return wide_add(a, wide_mul(fraction, wide_sub(b, a)));
}

// -----------------------------------------------------------------------------------------------------------
// Order 0
// -----------------------------------------------------------------------------------------------------------

/// Two neighbours along x, blended: the value, and the slope per cell.
typedef struct WideRow
{
    Wide value, slope;
} WideRow;

KERNEL_INLINE WideRow blend_row(const Wide pair[2], Wide fraction)
{
    Wide slope = wide_sub(pair[1], pair[0]);
    return (WideRow){ wide_add(pair[0], wide_mul(fraction, slope)), slope };
}

/// Value and slopes per cell of the blend of four rows.
KERNEL_INLINE WideSample blend_rows(const WideRow rows[4], WideVec fraction)
{
    Wide slope_low = wide_sub(rows[1].value, rows[0].value),
         slope_high = wide_sub(rows[3].value, rows[2].value);
    Wide low = wide_add(rows[0].value, wide_mul(fraction.y, slope_low));
    Wide high = wide_add(rows[2].value, wide_mul(fraction.y, slope_high));
    Wide slope_z = wide_sub(high, low);
    return (WideSample){
        wide_add(low, wide_mul(fraction.z, slope_z)),
        { blend(blend(rows[0].slope, rows[1].slope, fraction.y),
                blend(rows[2].slope, rows[3].slope, fraction.y), fraction.z),
          blend(slope_low, slope_high, fraction.z), slope_z },
    };
}

KERNEL_INLINE const uint32_t* row_index(const WideCell* cell, int row, bool sparse)
{
    return cell->index[sparse ? row : 0];
}

/// In units of length for f32, otherwise of the cell; slopes always per cell.
KERNEL_INLINE WideSample sample_order_0(const AbutFieldView* view, int format, bool sparse,
                                        const WideCell* cell)
{
    WideRow rows[4];
    UNROLL_ROWS
    for (int i = 0; i < 4; ++i)
    {
        const uint32_t* index = row_index(cell, i, sparse);
        Wide pair[2];
        if (format == ABUT_FIELD_F32)
        {
            wide_load_pairs((const float*)view->nodes + cell->offset[i], index, pair);
        }
        else
        {
            wide_load_half_pairs((const uint16_t*)view->nodes + cell->offset[i], index, pair);
        }
        rows[i] = blend_row(pair, cell->fraction.x);
    }
    return blend_rows(rows, cell->fraction);
}

// -----------------------------------------------------------------------------------------------------------
// Order 1
//
// Σ wᵢ (fᵢ + ½ gᵢ·(x − xᵢ)) is the blend of the values plus ½ Σ wᵢ gᵢ·(x − xᵢ). Along x the weights of two
// neighbours are 1 − t and t and the offsets from them t and t − 1, so their share of the second sum is t(1 −
// t)(g_low − g_high): the sum is t(1 − t) times the difference of gradients, blended over the other two axes,
// for each axis.
// -----------------------------------------------------------------------------------------------------------

/// Words of a node: see docs/field_format.md. The low bits of a word belong to other numbers; each number was
/// rounded with the bits below it in place, so they are not masked out.
enum
{
    NODE_SHIFT_Y = 14,
    NODE_SHIFT_Z_HIGH = 27,
    NODE_SHIFT_Z_LOW = 18,
    NODE_MASK_Z_LOW = 0x1FE,
    NODE_MASK_THIN = 1
};

/// Unit of gradients.
#define NODE_GRADIENT_UNIT (1.0f / 2146959360.0f)

/// Two neighbours along x, blended; gradients in NODE_GRADIENT_UNIT.
typedef struct WideNodeRow
{
    WideRow value, y, z;
    Wide x; // the first less the second
    WideInt first_words;
} WideNodeRow;

KERNEL_INLINE void load_words(const AbutFieldView* view, const WideCell* cell, int row, bool sparse,
                              WideInt words[4])
{
    const uint32_t* base = (const uint32_t*)view->nodes + 2 * cell->offset[row];
    wide_load_quads(base, row_index(cell, row, sparse), words);
}

KERNEL_INLINE Wide gradient_z(WideInt first, WideInt second)
{
    WideInt low = wide_int_and(first, wide_int_splat(NODE_MASK_Z_LOW));
    return wide_int_to_float(wide_int_or(wide_int_shift_left(second, NODE_SHIFT_Z_HIGH),
                                         wide_int_shift_left(low, NODE_SHIFT_Z_LOW)));
}

KERNEL_INLINE WideNodeRow load_node_row(const AbutFieldView* view, const WideCell* cell, int row, bool sparse)
{
    WideInt words[4];
    load_words(view, cell, row, sparse, words);
    Wide value[2] = { wide_from_bits(words[0]), wide_from_bits(words[2]) };
    Wide y[2] = { wide_int_to_float(wide_int_shift_left(words[1], NODE_SHIFT_Y)),
                  wide_int_to_float(wide_int_shift_left(words[3], NODE_SHIFT_Y)) };
    Wide z[2] = { gradient_z(words[0], words[1]), gradient_z(words[2], words[3]) };
    return (WideNodeRow){
        .value = blend_row(value, cell->fraction.x),
        .y = blend_row(y, cell->fraction.x),
        .z = blend_row(z, cell->fraction.x),
        .x = wide_sub(wide_int_to_float(words[1]), wide_int_to_float(words[3])),
        .first_words = wide_int_or(words[0], words[2]),
    };
}

/// The second sum, Σ wᵢ gᵢ·(x − xᵢ), and its slopes, both per cell and in units of the gradient.
KERNEL_INLINE WideSample blend_gradients(const WideNodeRow r[4], WideVec t)
{
    // Differences along the axis of each component; [0] and [1] are the low and the high side of an axis
    // across it.
    Wide x_at_z[2] = { blend(r[0].x, r[1].x, t.y), blend(r[2].x, r[3].x, t.y) };
    Wide y_at_z[2] = { wide_sub(r[0].y.value, r[1].y.value), wide_sub(r[2].y.value, r[3].y.value) };
    Wide z_at_y[2] = { wide_sub(r[0].z.value, r[2].z.value), wide_sub(r[1].z.value, r[3].z.value) };
    Wide x_all = blend(x_at_z[0], x_at_z[1], t.z), y_all = blend(y_at_z[0], y_at_z[1], t.z);
    Wide z_all = blend(z_at_y[0], z_at_y[1], t.y);

    Wide one = wide_splat(1.0f);
    WideVec one_minus_t = { wide_sub(one, t.x), wide_sub(one, t.y), wide_sub(one, t.z) };
    WideVec hump = { wide_mul(t.x, one_minus_t.x), wide_mul(t.y, one_minus_t.y),
                     wide_mul(t.z, one_minus_t.z) };
    WideVec one_minus_2t = { wide_sub(one_minus_t.x, t.x), wide_sub(one_minus_t.y, t.y),
                             wide_sub(one_minus_t.z, t.z) };
    Wide y_along_x = blend(wide_sub(r[0].y.slope, r[1].y.slope), wide_sub(r[2].y.slope, r[3].y.slope), t.z);
    Wide z_along_x = blend(wide_sub(r[0].z.slope, r[2].z.slope), wide_sub(r[1].z.slope, r[3].z.slope), t.y);
    Wide x_along_y = blend(wide_sub(r[1].x, r[0].x), wide_sub(r[3].x, r[2].x), t.z);
    WideVec from_x = { wide_mul(one_minus_2t.x, x_all), wide_mul(hump.x, x_along_y),
                       wide_mul(hump.x, wide_sub(x_at_z[1], x_at_z[0])) };
    WideVec from_y = { wide_mul(hump.y, y_along_x), wide_mul(one_minus_2t.y, y_all),
                       wide_mul(hump.y, wide_sub(y_at_z[1], y_at_z[0])) };
    WideVec from_z = { wide_mul(hump.z, z_along_x), wide_mul(hump.z, wide_sub(z_at_y[1], z_at_y[0])),
                       wide_mul(one_minus_2t.z, z_all) };
    return (WideSample){
        dot3(hump, (WideVec){ x_all, y_all, z_all }),
        { wide_add(wide_add(from_x.x, from_y.x), from_z.x), wide_add(wide_add(from_x.y, from_y.y), from_z.y),
          wide_add(wide_add(from_x.z, from_y.z), from_z.z) },
    };
}

KERNEL_INLINE WideVec add_scaled(WideVec a, Wide s, WideVec b)
{
    return (WideVec){ wide_add(a.x, wide_mul(s, b.x)), wide_add(a.y, wide_mul(s, b.y)),
                      wide_add(a.z, wide_mul(s, b.z)) };
}

/// Where a cell has thin nodes the factor ½ of the second sum is blended between ½ and the 1 of thin nodes.
KERNEL_INLINE WideSample sample_thin(const AbutFieldView* view, const WideCell* cell, bool sparse,
                                     WideSample values, WideSample sum, WideSample plain)
{
    WideRow rows[4];
    WideInt any = wide_int_splat(0), bit = wide_int_splat(NODE_MASK_THIN);
    UNROLL_ROWS
    for (int i = 0; i < 4; ++i)
    {
        WideInt words[4];
        load_words(view, cell, i, sparse, words);
        Wide thin[2] = { wide_int_to_float(wide_int_and(words[0], bit)),
                         wide_int_to_float(wide_int_and(words[2], bit)) };
        rows[i] = blend_row(thin, cell->fraction.x);
        any = wide_int_or(any, wide_int_and(wide_int_or(words[0], words[2]), bit));
    }
    Wide half = wide_splat(0.5f * NODE_GRADIENT_UNIT);
    WideSample thin = blend_rows(rows, cell->fraction);
    Wide factor = wide_add(half, wide_mul(half, thin.distance));
    WideSample sample = { wide_add(values.distance, wide_mul(factor, sum.distance)),
                          add_scaled(add_scaled(values.gradient, factor, sum.gradient),
                                     wide_mul(half, sum.distance), thin.gradient) };
    return choose_sample(wide_int_equal(any, bit), sample, plain);
}

/// In units of the cell.
KERNEL_INLINE WideSample sample_order_1(const AbutFieldView* view, bool sparse, const WideCell* cell)
{
    WideNodeRow nodes[4];
    WideRow rows[4];
    WideInt words = wide_int_splat(0), bit = wide_int_splat(NODE_MASK_THIN);
    UNROLL_ROWS
    for (int i = 0; i < 4; ++i)
    {
        nodes[i] = load_node_row(view, cell, i, sparse);
        rows[i] = nodes[i].value;
        words = wide_int_or(words, nodes[i].first_words);
    }
    WideSample values = blend_rows(rows, cell->fraction);
    WideSample sum = blend_gradients(nodes, cell->fraction);
    Wide half = wide_splat(0.5f * NODE_GRADIENT_UNIT);
    WideSample sample = { wide_add(values.distance, wide_mul(half, sum.distance)),
                          add_scaled(values.gradient, half, sum.gradient) };
    if (wide_bits(wide_int_equal(wide_int_and(words, bit), bit)) != 0)
    {
        sample = sample_thin(view, cell, sparse, values, sum, sample);
    }
    return sample;
}

// -----------------------------------------------------------------------------------------------------------
// Outside of the box, and the kernels
// -----------------------------------------------------------------------------------------------------------

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

KERNEL_INLINE WideSample finish_outside(const AbutFieldView* view, const WideGridPoint* point,
                                        WideSample sample)
{
    WideVec displacement = sub3(point->before, point->at);
    WideMask number = wide_and(
        wide_and(wide_equal(displacement.x, displacement.x), wide_equal(displacement.y, displacement.y)),
        wide_equal(displacement.z, displacement.z));
    WideVec out = scale3(select3(number, displacement, (WideVec){ wide_zero(), wide_zero(), wide_zero() }),
                         wide_splat(view->cell_size));
    sample = continue_outside(sample, out);
    sample.distance = wide_select(number, sample.distance, wide_splat(NAN));
    return sample;
}

KERNEL_INLINE WideSample sample_field(const AbutFieldView* view, int format, bool sparse, WideVec p)
{
    WideGridPoint point = grid_point(view, p);
    WideCell cell = sparse ? sparse_cell(view, point.at) : dense_cell(view, point.at);
    WideSample sample;
    if (format == ABUT_FIELD_F32)
    {
        sample = sample_order_0(view, format, sparse, &cell);
        sample.gradient = scale3(sample.gradient, cell.inverse_size);
    }
    else
    {
        sample = format == ABUT_FIELD_FIRST_ORDER ? sample_order_1(view, sparse, &cell)
                                                  : sample_order_0(view, format, sparse, &cell);
        sample.distance = wide_mul(sample.distance, cell.size);
    }
    const unsigned all = (1u << WIDE_LANES) - 1u;
    return wide_bits(point.inside) == all ? sample : finish_outside(view, &point, sample);
}

// -----------------------------------------------------------------------------------------------------------
// The interpolant of order 0 along a line through a cell
// -----------------------------------------------------------------------------------------------------------

/// Time until the ray leaves the cell along an axis.
KERNEL_INLINE Wide leave_axis(Wide fraction, Wide displacement, Wide side)
{
    WideMask moves = wide_less(wide_splat(STILL), wide_abs(displacement));
    Wide ahead = wide_select(wide_less(wide_zero(), displacement), wide_sub(wide_splat(1.0f), fraction),
                             wide_negate(fraction));
    Wide time = wide_div(wide_mul(ahead, side), wide_select(moves, displacement, wide_splat(1.0f)));
    return wide_select(moves, time, wide_splat(INFINITY));
}

KERNEL_INLINE Wide fraction_after(Wide fraction, Wide displacement, Wide time, Wide per_side)
{
    Wide at = wide_add(fraction, wide_mul(wide_mul(displacement, time), per_side));
    return wide_max(wide_min(at, wide_splat(1.0f)), wide_zero());
}

/// Corners of a cell, blended along x at both ends of a segment through it: pairs of values for the rows (y,
/// z).
KERNEL_INLINE void load_corners(const void* nodes, int format, bool sparse, const WideCell* cell, Wide scale,
                                Wide rows[4][2], Wide from, Wide to)
{
    UNROLL_ROWS
    for (int i = 0; i < 4; ++i)
    {
        const uint32_t* index = row_index(cell, i, sparse);
        Wide pair[2];
        if (format == ABUT_FIELD_F32)
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

/// Coefficients of the cubic along a segment through a cell (derived in cast/cell_crossing.c).
KERNEL_INLINE void blend_coefficients(Wide rows[4][2], WideVec from, WideVec to, Wide out[4])
{
    Wide v[2][2][2]; // [z][y][x], with 0 for the start of the segment and 1 for its end
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

#endif
