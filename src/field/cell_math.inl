// Cells, nodes and interpolation of a field: C and GLSL (simd/vec_math.inl).
//
// A point has its cell, the cell its eight nodes (in the dense grid, in a stored brick, or at the corners of
// a brick of the coarse level), and the nodes are blended. The gradient is that of the blend.
//
// The layer of the language provides FieldRef and FIELD(), the members of an AbutFieldView; CellRef, CELL()
// and REF(), a WideCell; load_slot(), load_pair() and load_words(), which read nodes; wide_all() and
// wide_any().
#ifndef ABUT_FIELD_CELL_MATH_INL
#define ABUT_FIELD_CELL_MATH_INL

/// In cells. In samples coordinates under it are 0, and points outside of the grid by no more are on its
/// face. So products and squares of displacements are normal numbers: GPUs may flush the others to 0. It is
/// 2⁻⁹ of the rounding of a coordinate in the middle of the smallest grid.
#define LEAST_DISPLACEMENT 9.31322574615478515625e-10f // 2⁻³⁰

/// A point in cells, clamped to the grid.
WIDE_STRUCT(WideGridPoint)
{
    WideVec at, before; // clamped, and before that
    WideMask inside;    // not clamped, and no coordinate is NaN
};

/// NaN becomes the far end, so that reads stay within the grid.
KERNEL_INLINE Wide clamp_to_grid(Wide u, uint32_t cells)
{
    return wide_max(wide_min(u, wide_splat(float_of_count(cells))), wide_zero());
}

KERNEL_INLINE Wide without_tiny(Wide u)
{
    return wide_keep(wide_less_equal(wide_splat(LEAST_DISPLACEMENT), u), u);
}

KERNEL_INLINE WideVec without_tiny3(WideVec u)
{
    return WideVec(without_tiny(u.x), without_tiny(u.y), without_tiny(u.z));
}

KERNEL_INLINE WideGridPoint grid_point(FieldRef view, WideVec p)
{
    Wide inverse = wide_splat(FIELD(view).inverse_cell_size);
    WideGridPoint point;
    point.before.x = wide_mul(shift(p.x, FIELD(view).origin_high[0], FIELD(view).origin_low[0]), inverse);
    point.before.y = wide_mul(shift(p.y, FIELD(view).origin_high[1], FIELD(view).origin_low[1]), inverse);
    point.before.z = wide_mul(shift(p.z, FIELD(view).origin_high[2], FIELD(view).origin_low[2]), inverse);
    point.at.x = clamp_to_grid(point.before.x, FIELD(view).cell_count[0]);
    point.at.y = clamp_to_grid(point.before.y, FIELD(view).cell_count[1]);
    point.at.z = clamp_to_grid(point.before.z, FIELD(view).cell_count[2]);
    point.inside =
        wide_and(wide_and(wide_equal(point.at.x, point.before.x), wide_equal(point.at.y, point.before.y)),
                 wide_equal(point.at.z, point.before.z));
    return point;
}

KERNEL_INLINE WideInt cell_index(Wide at, uint32_t cells)
{
    return wide_int_from_float(wide_min(at, wide_splat(float_of_count(cells - 1u))));
}

KERNEL_INLINE WideInt flat_index(WideInt x, WideInt y, WideInt z, WideInt row, WideInt slab)
{
    return wide_int_add(x, wide_int_add(wide_int_mul(y, row), wide_int_mul(z, slab)));
}

KERNEL_INLINE WideCell dense_cell(FieldRef view, WideVec at)
{
    WideInt x = cell_index(at.x, FIELD(view).cell_count[0]), y = cell_index(at.y, FIELD(view).cell_count[1]);
    WideInt z = cell_index(at.z, FIELD(view).cell_count[2]);
    WideCell cell;
    set_offsets(cell, FIELD(view).row, FIELD(view).slab);
    cell.fraction = WideVec(wide_sub(at.x, wide_int_to_float(x)), wide_sub(at.y, wide_int_to_float(y)),
                            wide_sub(at.z, wide_int_to_float(z)));
    cell.size = wide_splat(FIELD(view).cell_size);
    cell.inverse_size = wide_splat(FIELD(view).inverse_cell_size);
    wide_int_store(cell.index[0],
                   flat_index(x, y, z, wide_int_splat(FIELD(view).row), wide_int_splat(FIELD(view).slab)));
    return cell;
}

KERNEL_INLINE Wide coarse_fraction(Wide at, WideInt brick)
{
    return wide_mul(wide_sub(at, wide_mul(wide_int_to_float(brick), wide_splat(8.0f))), wide_splat(0.125f));
}

KERNEL_INLINE WideCell sparse_cell(FieldRef view, WideVec at)
{
    WideInt x = cell_index(at.x, FIELD(view).cell_count[0]), y = cell_index(at.y, FIELD(view).cell_count[1]);
    WideInt z = cell_index(at.z, FIELD(view).cell_count[2]);
    WideInt bx = wide_int_shift_right(x, 3), by = wide_int_shift_right(y, 3), bz = wide_int_shift_right(z, 3);
    WideCell cell;
    set_offsets(cell, 0u, 0u);
    wide_int_store(cell.index[0], flat_index(bx, by, bz, wide_int_splat(FIELD(view).brick_row),
                                             wide_int_splat(FIELD(view).brick_slab)));
    WideInt slot = load_slot(view, cell.index[0]);
    WideMask coarse = wide_int_equal(slot, wide_int_splat(0xFFFFFFFFu));

    WideInt seven = wide_int_splat(7u), nine = wide_int_splat(9u), eighty_one = wide_int_splat(81u);
    WideInt in_brick =
        flat_index(wide_int_and(x, seven), wide_int_and(y, seven), wide_int_and(z, seven), nine, eighty_one);
    WideInt fine_node = wide_int_add(
        wide_int_add(wide_int_mul(slot, wide_int_splat(729u)), wide_int_splat(FIELD(view).fine_start)),
        in_brick);
    WideInt coarse_row = wide_int_splat(FIELD(view).row), coarse_slab = wide_int_splat(FIELD(view).slab);
    cell.fraction =
        WideVec(wide_select(coarse, coarse_fraction(at.x, bx), wide_sub(at.x, wide_int_to_float(x))),
                wide_select(coarse, coarse_fraction(at.y, by), wide_sub(at.y, wide_int_to_float(y))),
                wide_select(coarse, coarse_fraction(at.z, bz), wide_sub(at.z, wide_int_to_float(z))));
    Wide size = wide_splat(FIELD(view).cell_size), inverse_size = wide_splat(FIELD(view).inverse_cell_size);
    cell.size = wide_select(coarse, wide_mul(wide_splat(8.0f), size), size);
    cell.inverse_size = wide_select(coarse, wide_mul(wide_splat(0.125f), inverse_size), inverse_size);
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

KERNEL_INLINE WideRow blend_row(Wide low, Wide high, Wide fraction)
{
    Wide slope = wide_sub(high, low);
    return WideRow(wide_add(low, wide_mul(fraction, slope)), slope);
}

/// Value and slopes per cell of the blend of four rows.
KERNEL_INLINE WideSample blend_rows(const WideRow rows[4], WideVec fraction)
{
    Wide slope_low = wide_sub(rows[1].value, rows[0].value),
         slope_high = wide_sub(rows[3].value, rows[2].value);
    Wide low = wide_add(rows[0].value, wide_mul(fraction.y, slope_low));
    Wide high = wide_add(rows[2].value, wide_mul(fraction.y, slope_high));
    Wide slope_z = wide_sub(high, low);
    return WideSample(wide_add(low, wide_mul(fraction.z, slope_z)),
                      WideVec(blend(blend(rows[0].slope, rows[1].slope, fraction.y),
                                    blend(rows[2].slope, rows[3].slope, fraction.y), fraction.z),
                              blend(slope_low, slope_high, fraction.z), slope_z));
}

/// In units of length for f32, otherwise of the cell; slopes always per cell.
KERNEL_INLINE WideSample sample_order_0(FieldRef view, int format, bool sparse, CellRef cell)
{
    WideRow rows[4];
    UNROLL_ROWS
    for (int i = 0; i < 4; ++i)
    {
        WidePair pair = load_pair(view, format, sparse, cell, i);
        rows[i] = blend_row(pair.first, pair.second, CELL(cell).fraction.x);
    }
    return blend_rows(rows, CELL(cell).fraction);
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
#define NODE_SHIFT_Y 14
#define NODE_SHIFT_Z_HIGH 27
#define NODE_SHIFT_Z_LOW 18
#define NODE_MASK_Z_LOW 0x1FEu
#define NODE_MASK_THIN 1u

/// Half of the unit of gradients, 1/2146959360.
#define HALF_GRADIENT_UNIT 2.32887515e-10f

KERNEL_INLINE Wide gradient_z(WideInt first, WideInt second)
{
    WideInt low = wide_int_and(first, wide_int_splat(NODE_MASK_Z_LOW));
    return wide_int_to_float(wide_int_or(wide_int_shift_left(second, NODE_SHIFT_Z_HIGH),
                                         wide_int_shift_left(low, NODE_SHIFT_Z_LOW)));
}

/// Two neighbours along x, blended; gradients in units of 2 HALF_GRADIENT_UNIT.
WIDE_STRUCT(WideNodeRow)
{
    WideRow value, y, z;
    Wide x; // the first less the second
    WideInt first_words;
};

KERNEL_INLINE WideNodeRow load_node_row(FieldRef view, CellRef cell, int row, bool sparse)
{
    WideWords words = load_words(view, cell, row, sparse);
    Wide fraction = CELL(cell).fraction.x;
    WideNodeRow nodes;
    nodes.value = blend_row(wide_from_bits(words.a), wide_from_bits(words.c), fraction);
    nodes.y = blend_row(wide_int_to_float(wide_int_shift_left(words.b, NODE_SHIFT_Y)),
                        wide_int_to_float(wide_int_shift_left(words.d, NODE_SHIFT_Y)), fraction);
    nodes.z = blend_row(gradient_z(words.a, words.b), gradient_z(words.c, words.d), fraction);
    nodes.x = wide_sub(wide_int_to_float(words.b), wide_int_to_float(words.d));
    nodes.first_words = wide_int_or(words.a, words.c);
    return nodes;
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
    WideVec one_minus_t = WideVec(wide_sub(one, t.x), wide_sub(one, t.y), wide_sub(one, t.z));
    WideVec hump =
        WideVec(wide_mul(t.x, one_minus_t.x), wide_mul(t.y, one_minus_t.y), wide_mul(t.z, one_minus_t.z));
    WideVec one_minus_2t =
        WideVec(wide_sub(one_minus_t.x, t.x), wide_sub(one_minus_t.y, t.y), wide_sub(one_minus_t.z, t.z));
    Wide y_along_x = blend(wide_sub(r[0].y.slope, r[1].y.slope), wide_sub(r[2].y.slope, r[3].y.slope), t.z);
    Wide z_along_x = blend(wide_sub(r[0].z.slope, r[2].z.slope), wide_sub(r[1].z.slope, r[3].z.slope), t.y);
    Wide x_along_y = blend(wide_sub(r[1].x, r[0].x), wide_sub(r[3].x, r[2].x), t.z);
    WideVec from_x = WideVec(wide_mul(one_minus_2t.x, x_all), wide_mul(hump.x, x_along_y),
                             wide_mul(hump.x, wide_sub(x_at_z[1], x_at_z[0])));
    WideVec from_y = WideVec(wide_mul(hump.y, y_along_x), wide_mul(one_minus_2t.y, y_all),
                             wide_mul(hump.y, wide_sub(y_at_z[1], y_at_z[0])));
    WideVec from_z = WideVec(wide_mul(hump.z, z_along_x), wide_mul(hump.z, wide_sub(z_at_y[1], z_at_y[0])),
                             wide_mul(one_minus_2t.z, z_all));
    return WideSample(dot3(hump, WideVec(x_all, y_all, z_all)),
                      WideVec(wide_add(wide_add(from_x.x, from_y.x), from_z.x),
                              wide_add(wide_add(from_x.y, from_y.y), from_z.y),
                              wide_add(wide_add(from_x.z, from_y.z), from_z.z)));
}

/// Where a cell has thin nodes the factor ½ of the second sum is blended between ½ and the 1 of thin nodes.
KERNEL_INLINE WideSample sample_thin(FieldRef view, CellRef cell, bool sparse, WideSample values,
                                     WideSample sum, WideSample plain)
{
    WideRow rows[4];
    WideInt any = wide_int_splat(0u), bit = wide_int_splat(NODE_MASK_THIN);
    UNROLL_ROWS
    for (int i = 0; i < 4; ++i)
    {
        WideWords words = load_words(view, cell, i, sparse);
        rows[i] = blend_row(wide_int_to_float(wide_int_and(words.a, bit)),
                            wide_int_to_float(wide_int_and(words.c, bit)), CELL(cell).fraction.x);
        any = wide_int_or(any, wide_int_and(wide_int_or(words.a, words.c), bit));
    }
    Wide unit = wide_splat(HALF_GRADIENT_UNIT);
    WideSample thin = blend_rows(rows, CELL(cell).fraction);
    Wide factor = wide_add(unit, wide_mul(unit, thin.distance));
    WideSample corrected = WideSample(wide_add(values.distance, wide_mul(factor, sum.distance)),
                                      add_scaled(add_scaled(values.gradient, factor, sum.gradient),
                                                 wide_mul(unit, sum.distance), thin.gradient));
    return choose_sample(wide_int_equal(any, bit), corrected, plain);
}

/// In units of the cell.
KERNEL_INLINE WideSample sample_order_1(FieldRef view, bool sparse, CellRef cell)
{
    WideNodeRow nodes[4];
    WideRow rows[4];
    WideInt words = wide_int_splat(0u), bit = wide_int_splat(NODE_MASK_THIN);
    UNROLL_ROWS
    for (int i = 0; i < 4; ++i)
    {
        nodes[i] = load_node_row(view, cell, i, sparse);
        rows[i] = nodes[i].value;
        words = wide_int_or(words, nodes[i].first_words);
    }
    WideSample values = blend_rows(rows, CELL(cell).fraction);
    WideSample sum = blend_gradients(nodes, CELL(cell).fraction);
    Wide unit = wide_splat(HALF_GRADIENT_UNIT);
    WideSample plain = WideSample(wide_add(values.distance, wide_mul(unit, sum.distance)),
                                  add_scaled(values.gradient, unit, sum.gradient));
    if (wide_any(wide_int_equal(wide_int_and(words, bit), bit)))
    {
        plain = sample_thin(view, cell, sparse, values, sum, plain);
    }
    return plain;
}

// -----------------------------------------------------------------------------------------------------------
// Outside of the box, and the whole
// -----------------------------------------------------------------------------------------------------------

KERNEL_INLINE Wide zero_where_moved(Wide g, Wide beyond)
{
    WideMask still = wide_and(wide_less_equal(beyond, wide_zero()), wide_less_equal(wide_zero(), beyond));
    return wide_keep(still, g);
}

/// Continues the sample at the nearest point of the box to a point `beyond` it: √(d² + f²), or f + d inside.
KERNEL_INLINE WideSample continue_outside(WideSample s, WideVec beyond)
{
    WideVec along =
        WideVec(zero_where_moved(s.gradient.x, beyond.x), zero_where_moved(s.gradient.y, beyond.y),
                zero_where_moved(s.gradient.z, beyond.z));
    Wide squared = dot3(beyond, beyond);
    Wide d = wide_sqrt(squared);
    Wide total = wide_sqrt(wide_add(squared, wide_mul(s.distance, s.distance)));
    WideMask negative = wide_less(s.distance, wide_zero());
    Wide weight_beyond = wide_select(negative, inverse_length(d), inverse_length(total));
    Wide weight_along = wide_select(negative, wide_splat(1.0f), wide_mul(s.distance, inverse_length(total)));
    WideVec a = scale3(beyond, weight_beyond), b = scale3(along, weight_along);
    WideSample outside = WideSample(wide_select(negative, wide_add(s.distance, d), total),
                                    WideVec(wide_add(a.x, b.x), wide_add(a.y, b.y), wide_add(a.z, b.z)));
    return choose_sample(wide_less(wide_zero(), squared), outside, s);
}

/// 0 for up to LEAST_DISPLACEMENT, and for NaN.
KERNEL_INLINE Wide displacement_beyond(Wide before, Wide at)
{
    Wide displacement = wide_sub(before, at);
    return wide_keep(wide_less(wide_splat(LEAST_DISPLACEMENT), wide_abs(displacement)), displacement);
}

KERNEL_INLINE WideSample finish_outside(FieldRef view, WideGridPoint point, WideSample inside)
{
    WideVec beyond = WideVec(displacement_beyond(point.before.x, point.at.x),
                             displacement_beyond(point.before.y, point.at.y),
                             displacement_beyond(point.before.z, point.at.z));
    WideMask number = wide_and(
        wide_and(wide_equal(point.before.x, point.before.x), wide_equal(point.before.y, point.before.y)),
        wide_equal(point.before.z, point.before.z));
    WideSample outside = continue_outside(inside, scale3(beyond, wide_splat(FIELD(view).cell_size)));
    outside.distance = wide_select(number, outside.distance, wide_nan());
    return outside;
}

/// The cell of a sample. In the dense grid tiny fractions are removed, not tiny coordinates, whose cells are
/// the same: the addresses of nodes are known sooner.
KERNEL_INLINE WideCell sample_cell(FieldRef view, bool sparse, WideVec at)
{
    if (sparse)
    {
        return sparse_cell(view, without_tiny3(at));
    }
    WideCell cell = dense_cell(view, at);
    cell.fraction = without_tiny3(cell.fraction);
    return cell;
}

KERNEL_INLINE WideSample sample_field(FieldRef view, int format, bool sparse, WideVec p)
{
    WideGridPoint point = grid_point(view, p);
    WideCell cell = sample_cell(view, sparse, point.at);
    WideSample inside;
    if (format == FORMAT_F32)
    {
        inside = sample_order_0(view, format, sparse, REF(cell));
        inside.gradient = scale3(inside.gradient, cell.inverse_size);
    }
    else
    {
        inside = format == FORMAT_FIRST_ORDER ? sample_order_1(view, sparse, REF(cell))
                                              : sample_order_0(view, format, sparse, REF(cell));
        inside.distance = wide_mul(inside.distance, cell.size);
    }
    return wide_all(point.inside) ? inside : finish_outside(view, point, inside);
}

#endif
