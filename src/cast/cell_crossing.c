// The test of one cell: the crossings of the interpolant with σ, inside and outside of the grid.
#include "cast/cell_crossing.h"

#include "cast/cell_cubic.h"
#include "cast/crossing_kernels.h"
#include "field/nodes/kernels.h"
#include "field/nodes/node.h"

#include <math.h>
#include <string.h>

/// Relative error of values in float.
static const double VALUE_ROUNDING = ABUT_CAST_VALUE_ROUNDING;

/// Bound of the slopes that the gradients of order 1 add along the three axes together.
static const double GRADIENT_SLOPES = 24.0;

/// Bound of their reduction of a value, in cell sides: a mean distance of √3 / 2 times a gradient of √3.
static const double GRADIENT_DROP = 1.5;

/// Fraction of the line: an undecided interval as short as this counts as a crossing.
static const double NARROW = 0x1p-28;

enum
{
    MAX_HALVINGS = 29,
    MAX_PIECES = 1 << 16 // intervals of one cell; beyond that, undecided ones count as crossings
};

// -----------------------------------------------------------------------------------------------------------
// Nodes
// -----------------------------------------------------------------------------------------------------------

typedef struct CastCell
{
    double value[8]; // at the corners, x fastest; in cells of the grid
    // Order 1, in cells of the grid.
    double gradient[3][8];
    double thin[8];
    bool any_thin;
    double error; // added to σ: rounding of positions and values
} CastCell;

typedef struct CellNodes
{
    size_t first, row, slab;
} CellNodes;

static CellNodes find_nodes(const AbutCastWalk* walk)
{
    const AbutCastField* field = walk->field;
    const AbutFieldView* view = &field->field->view;
    size_t at[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        int32_t last = field->cells[axis] - 1, cell = walk->cell[axis];
        at[axis] = (size_t)(cell < 0 ? 0 : (cell > last ? last : cell));
    }
    if (!field->sparse)
    {
        return (CellNodes){ at[2] * view->slab + at[1] * view->row + at[0], view->row, view->slab };
    }
    if (walk->slot == ABUT_FIELD_NO_SLOT)
    {
        return (CellNodes){ at[2] / 8 * view->slab + at[1] / 8 * view->row + at[0] / 8, view->row,
                            view->slab };
    }
    size_t in_brick = (at[2] % 8 * ABUT_BRICK_NODES + at[1] % 8) * ABUT_BRICK_NODES + at[0] % 8;
    return (CellNodes){ view->fine_start + (size_t)walk->slot * ABUT_BRICK_NODE_TOTAL + in_brick,
                        ABUT_BRICK_NODES, ABUT_BRICK_NODES * ABUT_BRICK_NODES };
}

static void load_floats(const AbutCastWalk* walk, CellNodes nodes, double values[8])
{
    const float* first = (const float*)walk->field->field->view.nodes + nodes.first;
    const double scale = walk->field->per_length;
    for (int i = 0; i < 4; ++i)
    {
        const float* row = first + (size_t)(i & 1) * nodes.row + (size_t)(i >> 1) * nodes.slab;
        values[2 * i] = (double)row[0] * scale;
        values[2 * i + 1] = (double)row[1] * scale;
    }
}

static void load_halves(const AbutCastWalk* walk, CellNodes nodes, double values[8])
{
    const uint16_t* first = (const uint16_t*)walk->field->field->view.nodes + nodes.first;
    uint16_t halves[8];
    float floats[8];
    for (int i = 0; i < 4; ++i)
    {
        const uint16_t* row = first + (size_t)(i & 1) * nodes.row + (size_t)(i >> 1) * nodes.slab;
        memcpy(halves + 2 * i, row, 2 * sizeof(uint16_t));
    }
    abut_node_kernels()->half_to_float(halves, 8, floats);
    for (int i = 0; i < 8; ++i)
    {
        values[i] = (double)floats[i] * walk->size;
    }
}

static void load_first_order(const AbutCastWalk* walk, CellNodes nodes, CastCell* cell)
{
    cell->any_thin = false;
    for (int i = 0; i < 8; ++i)
    {
        size_t at =
            nodes.first + (size_t)(i & 1) + (size_t)(i >> 1 & 1) * nodes.row + (size_t)(i >> 2) * nodes.slab;
        AbutFieldNode node = abut_field_node(walk->field->field->view.nodes, ABUT_FIELD_FIRST_ORDER, 1.0, at);
        cell->value[i] = (double)node.value * walk->size;
        cell->gradient[0][i] = (double)node.gradient[0] * walk->size;
        cell->gradient[1][i] = (double)node.gradient[1] * walk->size;
        cell->gradient[2][i] = (double)node.gradient[2] * walk->size;
        cell->thin[i] = node.thin ? 1.0 : 0.0;
        cell->any_thin = cell->any_thin || node.thin;
    }
}

/// Divisions are slow, and both sizes have exact inverses.
static double per_size_of(const AbutCastWalk* walk)
{
    return walk->size > 1 ? 1.0 / ABUT_BRICK_CELLS : 1.0;
}

/// The nodes of the walk's cell; false when they alone prove the field over σ in the cell.
static bool load_cell(const AbutCastWalk* walk, CastCell* cell)
{
    CellNodes nodes = find_nodes(walk);
    double slopes = 0.0, drop = 0.0;
    switch (walk->field->format)
    {
    case ABUT_FIELD_F32:
        load_floats(walk, nodes, cell->value);
        break;
    case ABUT_FIELD_F16:
        load_halves(walk, nodes, cell->value);
        break;
    default:
        load_first_order(walk, nodes, cell);
        slopes = GRADIENT_SLOPES;
        drop = GRADIENT_DROP * walk->size;
        break;
    }
    double low = cell->value[0], high = cell->value[0];
    for (int i = 1; i < 8; ++i)
    {
        double value = cell->value[i];
        low = low < value ? low : value; // NaN is kept, here or at the end
        high = high > value ? high : value;
    }
    double size = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    cell->error = walk->line.rounding * (3.0 * (high - low) * per_size_of(walk) + slopes) +
                  VALUE_ROUNDING * (size + fabs(walk->field->iso) + drop);
    return !(low - drop > walk->field->iso + cell->error);
}

// -----------------------------------------------------------------------------------------------------------
// Curves
// -----------------------------------------------------------------------------------------------------------

/// Positions in the cell, as fractions of its sides.
typedef struct CellSpan
{
    double from[3], to[3];
} CellSpan;

/// Position of the line.
static void find_fractions(const AbutCastWalk* walk, double time, double* fraction)
{
    const double per_size = per_size_of(walk);
    for (int axis = 0; axis < 3; ++axis)
    {
        double at = (abut_cast_position(&walk->line, axis, time) - walk->cell[axis]) * per_size;
        at = at > 0.0 ? at : 0.0;
        fraction[axis] = at < 1.0 ? at : 1.0;
    }
    for (int axis = 0; axis < 3 && walk->outside; ++axis)
    {
        int32_t cell = walk->cell[axis], count = walk->field->cells[axis];
        bool beyond = cell < 0 || cell >= count;
        fraction[axis] = beyond ? (cell < 0 ? 0.0 : 1.0) : fraction[axis];
    }
}

/// A trilinear function along the diagonal of the box between two positions. Its coefficients are averages
/// over the corners of that box (the blossom), all within the range of the cell's corners.
static AbutCastCurve trilinear_curve(const double corner[8], const CellSpan* span)
{
    double v[8];
    memcpy(v, corner, sizeof(v));
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < 8; ++i)
        {
            if ((i >> axis & 1) == 0)
            {
                double low = v[i], displacement = v[i | 1 << axis] - low;
                v[i] = low + span->from[axis] * displacement;
                v[i | 1 << axis] = low + span->to[axis] * displacement;
            }
        }
    }
    const double third = 1.0 / 3.0;
    AbutCastCurve curve;
    curve.degree = 3;
    curve.b[0] = v[0];
    curve.b[1] = (v[1] + v[2] + v[4]) * third;
    curve.b[2] = (v[3] + v[5] + v[6]) * third;
    curve.b[3] = v[7];
    return curve;
}

/// The term of one axis in the second sum of order 1 (field/sample_kernels.inl): s (1 − s) along the axis
/// times the difference of its gradients, which is bilinear in the other two.
static AbutCastCurve gradient_curve(const CastCell* cell, int axis, const CellSpan* span)
{
    const double *from = span->from, *to = span->to;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double difference[4];
    for (int i = 0; i < 4; ++i)
    {
        int corner = (i & 1) << u | (i >> 1) << v;
        difference[i] = cell->gradient[axis][corner] - cell->gradient[axis][corner | 1 << axis];
    }
    double along[2][2]; // [v][u]
    for (int j = 0; j < 2; ++j)
    {
        double displacement = difference[2 * j + 1] - difference[2 * j];
        along[j][0] = difference[2 * j] + from[u] * displacement;
        along[j][1] = difference[2 * j] + to[u] * displacement;
    }
    double a = along[0][0] + from[v] * (along[1][0] - along[0][0]);
    double b = along[0][1] + from[v] * (along[1][1] - along[0][1]);
    double c = along[0][0] + to[v] * (along[1][0] - along[0][0]);
    double d = along[0][1] + to[v] * (along[1][1] - along[0][1]);
    AbutCastCurve blend = { .b = { a, 0.5 * (b + c), d }, .degree = 2 };
    double s = from[axis], t = to[axis];
    AbutCastCurve hump = { .b = { s * (1.0 - s), 0.5 * (s * (1.0 - t) + t * (1.0 - s)), t * (1.0 - t) },
                           .degree = 2 };
    return abut_cast_curve_product(&hump, &blend);
}

static AbutCastCurve first_order_curve(const CastCell* cell, const CellSpan* span)
{
    AbutCastCurve values = trilinear_curve(cell->value, span);
    AbutCastCurve sum = { .degree = 4 };
    for (int axis = 0; axis < 3; ++axis)
    {
        AbutCastCurve fraction = gradient_curve(cell, axis, span);
        for (int i = 0; i <= 4; ++i)
        {
            sum.b[i] += 0.5 * fraction.b[i];
        }
    }
    if (cell->any_thin)
    {
        // The ½ becomes ½ + ½ of the blend of thin nodes.
        AbutCastCurve factor = trilinear_curve(cell->thin, span);
        for (int i = 0; i <= 3; ++i)
        {
            factor.b[i] += 1.0;
        }
        sum = abut_cast_curve_product(&sum, &factor);
    }
    values = abut_cast_curve_raise(&values, sum.degree);
    for (int i = 0; i <= sum.degree; ++i)
    {
        values.b[i] += sum.b[i];
    }
    return values;
}

/// The field from one time to another, in cells; beyond the grid, at the closest point of the grid.
static AbutCastCurve cell_curve(const AbutCastWalk* walk, const CastCell* cell, double begin, double end)
{
    CellSpan span;
    find_fractions(walk, begin, span.from);
    find_fractions(walk, end, span.to);
    return walk->field->format == ABUT_FIELD_FIRST_ORDER ? first_order_curve(cell, &span)
                                                         : trilinear_curve(cell->value, &span);
}

// -----------------------------------------------------------------------------------------------------------
// The test
// -----------------------------------------------------------------------------------------------------------

static double time_of(const AbutCastWalk* walk, double s)
{
    return s < 1.0 ? walk->enter + s * (walk->exit - walk->enter) : walk->exit;
}

bool abut_cast_test_cell(const AbutCastWalk* walk, const AbutCastVisitor* visitor)
{
    CastCell cell;
    if (!load_cell(walk, &cell))
    {
        return true;
    }
    AbutCastCurve curve = cell_curve(walk, &cell, walk->enter, walk->exit);
    for (int i = 0; i <= curve.degree; ++i)
    {
        curve.b[i] -= walk->field->iso + cell.error;
    }
    if (visitor->first_only)
    {
        double s;
        return !abut_cast_curve_first(&curve, &s) ||
               visitor->visit(visitor->user, time_of(walk, s), walk->exit);
    }
    AbutCastCurveInterval intervals[ABUT_CAST_CURVE_MAX_INTERVALS];
    int count = abut_cast_curve_intervals(&curve, intervals);
    bool more = true;
    for (int i = 0; i < count && more; ++i)
    {
        more =
            visitor->visit(visitor->user, time_of(walk, intervals[i].begin), time_of(walk, intervals[i].end));
    }
    return more;
}

// -----------------------------------------------------------------------------------------------------------
// Outside of the grid
//
// There the field is √(d² + f²), or f + d where f is negative, of the distance d to the grid and the
// interpolant f at the closest point of the grid. Both grow with d and with f, so bounds of d and f bound it,
// and bisection until they decide finds the crossings.
// -----------------------------------------------------------------------------------------------------------

static double combine(double f, double d)
{
    return f < 0.0 ? f + d : sqrt(d * d + f * f);
}

typedef struct Range
{
    double low, high;
} Range;

/// Distance to the grid between two times: along each axis it is monotonic in the cell.
static Range distance_range(const AbutCastWalk* walk, double begin, double end)
{
    double low = 0.0, high = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        const int32_t count = walk->field->cells[axis];
        if (walk->cell[axis] >= 0 && walk->cell[axis] < count)
        {
            continue;
        }
        double a = abut_cast_position(&walk->line, axis, begin),
               b = abut_cast_position(&walk->line, axis, end);
        a = walk->cell[axis] < 0 ? -a : a - count;
        b = walk->cell[axis] < 0 ? -b : b - count;
        double least = fmax(0.0, fmin(a, b)), most = fmax(0.0, fmax(a, b));
        low += least * least;
        high += most * most;
    }
    return (Range){ sqrt(low), sqrt(high) };
}

static Range value_range(const AbutCastWalk* walk, const CastCell* cell, double begin, double end)
{
    AbutCastCurve curve = cell_curve(walk, cell, begin, end);
    Range d = distance_range(walk, begin, end);
    return (Range){ combine(abut_cast_curve_low(&curve), d.low),
                    combine(abut_cast_curve_high(&curve), d.high) };
}

bool abut_cast_test_outside(const AbutCastWalk* walk, const AbutCastVisitor* visitor)
{
    CastCell cell;
    load_cell(walk, &cell);
    const double far = distance_range(walk, walk->enter, walk->exit).high;
    const double iso = walk->field->iso + cell.error + walk->line.rounding + 0x1p-20 * far;
    double ends[MAX_HALVINGS + 1];
    double begin = walk->enter, end = walk->exit;
    int waiting = 0;
    for (int pieces = 0;; ++pieces)
    {
        Range range = value_range(walk, &cell, begin, end);
        bool open = !(range.low > iso), inside = range.high <= iso;
        if (open && !inside && end - begin > NARROW && waiting < MAX_HALVINGS && pieces < MAX_PIECES)
        {
            ends[waiting++] = end;
            end = 0.5 * (begin + end);
            continue;
        }
        if (open && !visitor->visit(visitor->user, begin, end))
        {
            return false;
        }
        if (waiting == 0)
        {
            return true;
        }
        begin = end;
        end = ends[--waiting];
    }
}
