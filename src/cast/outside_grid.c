// Cells beyond the grid. There the field is √(d² + f²), or f + d where f is negative, of the distance d to the grid and the
// interpolant f where the grid is nearest. Both grow with d and with f, so bounds of d and f bound it, and halving the way
// until they decide finds the crossings.
#include "cast/cell_crossing.h"

#include <math.h>

/// Of the line: what is not decided by then counts as a touch.
static const double NARROW = 0x1p-28;

enum
{
    MAX_HALVINGS = 29,
    MAX_PIECES = 1 << 16 // of one cell; beyond it, what is not decided counts as a touch too
};

static double combine(double f, double d)
{
    return f < 0.0 ? f + d : sqrt(d * d + f * f);
}

typedef struct Range
{
    double low, high;
} Range;

/// Distance to the grid between two times: along each axis it grows or falls all the way through the cell.
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

static Range value_range(const AbutCastWalk* walk, const AbutCastCell* cell, double begin, double end)
{
    AbutCastCurve curve = abut_cast_cell_curve(walk, cell, begin, end);
    Range d = distance_range(walk, begin, end);
    return (Range){ combine(abut_cast_curve_low(&curve), d.low),
                    combine(abut_cast_curve_high(&curve), d.high) };
}

bool abut_cast_test_outside(const AbutCastWalk* walk, const AbutCastVisitor* visitor)
{
    AbutCastCell cell;
    abut_cast_load_cell(walk, &cell);
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
