// The test of the one cell that a segment is in (cast/crossing_kernels.h).
#ifndef ABUT_CAST_CROSSING_KERNELS_INL
#define ABUT_CAST_CROSSING_KERNELS_INL

#include "cast/crossing_kernels.h"
#include "simd/lanes.inl"
#include "simd/wide_double.h"

typedef struct CrossingLine
{
    WideDouble from[3], delta[3], inverse[3], rounding;
} CrossingLine;

/// The cell of a line: its index along each axis, and the times of the line in it.
typedef struct CrossingCell
{
    WideDouble number[3], enter, exit;
} CrossingCell;

KERNEL_INLINE WideDoubleMask crossing_line_init(const AbutCrossingField* field,
                                                const AbutCellCrossings* crossings, size_t i,
                                                CrossingLine* line)
{
    WideDouble size_sum = wide_double_splat(0.0);
    WideDoubleMask moves = size_sum <= size_sum;
    for (int axis = 0; axis < 3; ++axis)
    {
        WideDouble a = wide_double_from_floats(crossings->from[axis] + i);
        WideDouble b = wide_double_from_floats(crossings->to[axis] + i);
        WideDouble start = (a - field->origin[axis]) * field->per_length, delta = (b - a) * field->per_length;
        moves &= wide_double_abs(delta) >= ABUT_CAST_MIN_DISPLACEMENT;
        line->from[axis] = start;
        line->delta[axis] = delta;
        line->inverse[axis] = 1.0 / delta;
        size_sum = size_sum + (wide_double_abs(start) + wide_double_abs(delta));
    }
    line->rounding = field->rounding + ABUT_CAST_POSITION_ROUNDING * size_sum;
    return moves;
}

KERNEL_INLINE WideDoubleMask crossing_cell(const AbutCrossingField* field, const CrossingLine* line,
                                           WideDouble time, CrossingCell* cell)
{
    WideDoubleMask valid = time <= time;
    cell->enter = wide_double_splat(0.0);
    cell->exit = wide_double_splat(1.0);
    for (int axis = 0; axis < 3; ++axis)
    {
        WideDouble position = line->from[axis] + time * line->delta[axis];
        WideDoubleMask here = (position >= 0.0) & (position < (double)field->cells[axis]);
        position = wide_double_select(here, position, wide_double_splat(0.0));
        WideDouble number =
            __builtin_convertvector(__builtin_convertvector(position, WideDoubleInts), WideDouble);
        WideDouble a = (number - line->from[axis]) * line->inverse[axis];
        WideDouble b = (number + 1.0 - line->from[axis]) * line->inverse[axis];
        WideDouble first = wide_double_select(a < b, a, b), last = wide_double_select(a < b, b, a);
        cell->number[axis] = number;
        valid &= here & (first <= time) & (time < last);
        cell->enter = wide_double_max(first, cell->enter);
        cell->exit = wide_double_min(last, cell->exit);
    }
    return valid & (cell->enter < cell->exit);
}

/// First node of a lane's cell, and the strides of rows and slabs; false where the coarse level replaces its
/// brick.
KERNEL_INLINE bool crossing_nodes(const AbutCrossingField* field, const CrossingCell* cell, int lane,
                                  size_t nodes[3])
{
    const size_t x = (size_t)cell->number[0][lane], y = (size_t)cell->number[1][lane],
                 z = (size_t)cell->number[2][lane];
    nodes[0] = z * field->slab + y * field->row + x;
    nodes[1] = field->row;
    nodes[2] = field->slab;
    if (field->slots == NULL)
    {
        return true;
    }
    uint32_t slot = field->slots[z / 8 * field->brick_slab + y / 8 * field->brick_row + x / 8];
    bool stored = slot != UINT32_MAX;
    nodes[0] = stored ? field->fine_start + (size_t)slot * 729 + (z % 8 * 9 + y % 8) * 9 + x % 8 : 0;
    nodes[1] = 9;
    nodes[2] = 81;
    return stored;
}

KERNEL_INLINE WideDoubleMask crossing_load(const AbutCrossingField* field, const CrossingCell* cell,
                                           WideDouble values[8])
{
    float corners[8][WIDE_DOUBLES];
    WideDoubleMask stored;
    for (int lane = 0; lane < WIDE_DOUBLES; ++lane)
    {
        size_t nodes[3];
        stored[lane] = crossing_nodes(field, cell, lane, nodes) ? -1 : 0;
        for (int row = 0; row < 4; ++row)
        {
            const float* p =
                field->nodes + nodes[0] + (size_t)(row & 1) * nodes[1] + (size_t)(row >> 1) * nodes[2];
            corners[2 * row][lane] = p[0];
            corners[2 * row + 1][lane] = p[1];
        }
    }
    for (int i = 0; i < 8; ++i)
    {
        values[i] = wide_double_from_floats(corners[i]) * field->per_length;
    }
    return stored;
}

/// Error bound of positions and values.
KERNEL_INLINE WideDouble crossing_error(const AbutCrossingField* field, const CrossingLine* line,
                                        const WideDouble values[8], WideDouble* lowest)
{
    WideDouble low = values[0], high = values[0];
    for (int i = 1; i < 8; ++i)
    {
        low = wide_double_min(low, values[i]);
        high = wide_double_max(high, values[i]);
    }
    WideDouble size = wide_double_max(wide_double_abs(low), wide_double_abs(high));
    *lowest = low;
    return line->rounding * (3.0 * (high - low)) + ABUT_CAST_VALUE_ROUNDING * (size + fabs(field->iso));
}

KERNEL_INLINE WideDouble crossing_fraction(const CrossingLine* line, const CrossingCell* cell, int axis,
                                           WideDouble time)
{
    WideDouble at = line->from[axis] + time * line->delta[axis] - cell->number[axis];
    at = wide_double_max(at, wide_double_splat(0.0));
    return wide_double_min(at, wide_double_splat(1.0));
}

KERNEL_INLINE void crossing_cubic(const CrossingLine* line, const CrossingCell* cell, WideDouble v[8],
                                  WideDouble curve[4])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        WideDouble from = crossing_fraction(line, cell, axis, cell->enter),
                   to = crossing_fraction(line, cell, axis, cell->exit);
        for (int i = 0; i < 8; ++i)
        {
            if ((i >> axis & 1) == 0)
            {
                WideDouble low = v[i], delta = v[i | 1 << axis] - low;
                v[i] = low + from * delta;
                v[i | 1 << axis] = low + to * delta;
            }
        }
    }
    const double third = 1.0 / 3.0;
    curve[0] = v[0];
    curve[1] = (v[1] + v[2] + v[4]) * third;
    curve[2] = (v[3] + v[5] + v[6]) * third;
    curve[3] = v[7];
}

/// The only root of a cubic that starts over 0; false where Newton's method does not converge without a
/// bracket. Inactive lanes may have any root.
KERNEL_INLINE WideDoubleMask crossing_root(const WideDouble curve[4], WideDoubleMask wanted, WideDouble* root)
{
    WideDouble a = curve[0], b = 3.0 * (curve[1] - curve[0]),
               c = 3.0 * (curve[2] - 2.0 * curve[1] + curve[0]);
    WideDouble d = curve[3] - curve[0] + 3.0 * (curve[1] - curve[2]);
    WideDouble s = curve[0] / (curve[0] - curve[3]);
    WideDoubleMask landed = { 0 };
    for (int i = 0; i < ABUT_CUBIC_NEWTON_MAX_STEPS && !wide_double_all(landed | ~wanted); ++i)
    {
        WideDouble value = a + s * (b + s * (c + s * d)), slope = b + s * (2.0 * c + s * (3.0 * d));
        WideDouble step = value / slope;
        s = wide_double_select(landed, s, s - step);
        landed |= wide_double_abs(step) < ABUT_CUBIC_NEWTON_TOLERANCE;
    }
    WideDouble low = s - 0.5 * ABUT_CUBIC_ROOT_TOLERANCE;
    *root = low;
    return landed & (low > 0.0) & (s < 1.0) & (a + low * (b + low * (c + low * d)) > 0.0);
}

KERNEL_INLINE void crossing_lanes(const AbutCrossingField* field, AbutCellCrossings* crossings, size_t i)
{
    CrossingLine line;
    CrossingCell cell;
    WideDouble values[8], curve[4], lowest, root;
    WideDoubleMask simple = crossing_line_init(field, crossings, i, &line);
    simple &= crossing_cell(field, &line, wide_double_from_floats(crossings->time + i), &cell);
    simple &= crossing_load(field, &cell, values);
    WideDouble limit = field->iso + crossing_error(field, &line, values, &lowest);
    simple &= lowest <= limit;
    crossing_cubic(&line, &cell, values, curve);
    for (int k = 0; k < 4; ++k)
    {
        curve[k] = curve[k] - limit;
    }
    WideDoubleMask over[4] = { curve[0] > 0.0, curve[1] > 0.0, curve[2] > 0.0, curve[3] > 0.0 };
    WideDoubleMask falls = over[0] & ~over[3] & ~(~over[1] & over[2]);
    falls &= crossing_root(curve, falls & simple, &root);
    root = wide_double_select(over[0], root, wide_double_splat(0.0));
    WideDouble touch = cell.enter + root * (cell.exit - cell.enter);
    simple &= ~over[0] | falls;
    memcpy(crossings->touch + i, &touch, sizeof(touch));
    for (int lane = 0; lane < WIDE_DOUBLES; ++lane)
    {
        crossings->has_crossing[i + (size_t)lane] = simple[lane] != 0 ? 1 : 0;
    }
}

static void crossing_kernel(const AbutCrossingField* field, AbutCellCrossings* crossings, size_t count)
{
    for (size_t i = 0; i < count; i += WIDE_DOUBLES)
    {
        crossing_lanes(field, crossings, i);
    }
}

#endif
