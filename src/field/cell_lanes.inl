// Cells of fields in lanes: the memory that field/cell_math.inl reads, and the interpolant along a line.
#ifndef ABUT_FIELD_CELL_LANES_INL
#define ABUT_FIELD_CELL_LANES_INL

#include "field/kernels.h"
#include "simd/lanes.inl"
#include <abut/field.h>

/// Displacements along an axis under this count as 0.
#define STILL 1e-9f

/// Before loops over the four rows of a cell, which must stay in registers.
#define UNROLL_ROWS _Pragma("GCC unroll 4")

#define FieldRef const AbutFieldView*
#define FIELD(view) (*(view))
#define CellRef const WideCell*
#define CELL(cell) (*(cell))
#define REF(cell) (&(cell))

enum
{
    FORMAT_F32 = ABUT_FIELD_F32,
    FORMAT_FIRST_ORDER = ABUT_FIELD_FIRST_ORDER
};

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

#define set_offsets(cell, row, slab)                                                                         \
    ((cell).offset[0] = 0, (cell).offset[1] = (row), (cell).offset[2] = (slab),                              \
     (cell).offset[3] = (size_t)(row) + (slab))

KERNEL_INLINE const uint32_t* row_index(const WideCell* cell, int row, bool sparse)
{
    return cell->index[sparse ? row : 0];
}

KERNEL_INLINE WideInt load_slot(const AbutFieldView* view, const uint32_t* brick)
{
    return wide_int_gather(view->slots, brick);
}

/// Two neighbours along x.
typedef struct WidePair
{
    Wide first, second;
} WidePair;

/// The same, blended: the value, and the slope per cell.
typedef struct WideRow
{
    Wide value, slope;
} WideRow;

#define WideRow(value, slope) ((WideRow){ value, slope })

KERNEL_INLINE WidePair load_pair(const AbutFieldView* view, int format, bool sparse, const WideCell* cell,
                                 int row)
{
    const uint32_t* index = row_index(cell, row, sparse);
    Wide pair[2];
    if (format == ABUT_FIELD_F32)
    {
        wide_load_pairs((const float*)view->nodes + cell->offset[row], index, pair);
    }
    else
    {
        wide_load_half_pairs((const uint16_t*)view->nodes + cell->offset[row], index, pair);
    }
    return (WidePair){ pair[0], pair[1] };
}

/// The words of two neighbours along x, of order 1.
typedef struct WideWords
{
    WideInt a, b, c, d;
} WideWords;

KERNEL_INLINE WideWords load_words(const AbutFieldView* view, const WideCell* cell, int row, bool sparse)
{
    WideInt words[4];
    const uint32_t* base = (const uint32_t*)view->nodes + 2 * cell->offset[row];
    wide_load_quads(base, row_index(cell, row, sparse), words);
    return (WideWords){ words[0], words[1], words[2], words[3] };
}

#include "field/cell_math.inl"

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
