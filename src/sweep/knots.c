#include "sweep/knots.h"

#include <math.h>
#include <string.h>

/// Radians that a piece may turn by: 0.075⁴/384 is under 1e-7.
static const double MOST_TURN = 0.075;

enum
{
    MOST_PIECES = 1 << 20
};

void abut_knots_init(AbutKnots* knots, const AbutPath* path)
{
    double turn = path->motion.rate_a + path->motion.rate_b;
    uint32_t count = 2 * ABUT_KNOT_SLOTS;
    while (!path->linear && turn / count > MOST_TURN && count < MOST_PIECES)
    {
        count *= 2;
    }
    knots->path = path;
    knots->piece_count = path->linear ? (uint32_t)ABUT_KNOT_SLOTS : count;
    knots->table_count = count < ABUT_KNOT_TABLE ? count : ABUT_KNOT_TABLE;
    knots->stride = count / knots->table_count;
    memset(knots->has, 0, sizeof(knots->has));
}

static AbutPathAt* table_knot(AbutKnots* knots, uint32_t index)
{
    if (!knots->has[index])
    {
        abut_path_at(knots->path, (double)index / knots->table_count, &knots->table[index]);
        knots->has[index] = true;
    }
    return &knots->table[index];
}

AbutPathAt* abut_knots_at(AbutKnots* knots, uint32_t index, uint32_t count)
{
    return table_knot(knots, index * (knots->table_count / count));
}

/// Where a point is at an end of a piece, and its velocity per piece.
static void end_of_piece(AbutKnots* knots, const double point[3], uint32_t index, double at[3],
                         double rate[3])
{
    AbutPathAt other, *knot = &other;
    if (index % knots->stride == 0)
    {
        knot = table_knot(knots, index / knots->stride);
    }
    else
    {
        abut_path_at(knots->path, (double)index / knots->piece_count, &other);
    }
    abut_path_apply(knot->at, point, at);
    abut_path_apply(knot->rate, point, rate);
    for (int axis = 0; axis < 3; ++axis)
    {
        rate[axis] /= knots->piece_count;
    }
}

/// A straight path, between its own ends.
static void straight_piece(const AbutKnots* knots, const double point[3], uint32_t index, AbutPiece* out)
{
    AbutPath path = *knots->path;
    double from[3], to[3], squared = 0.0, part = 1.0 / knots->piece_count;
    abut_path_apply(path.starts, point, from);
    abut_path_apply(path.ends, point, to);
    for (int axis = 0; axis < 3; ++axis)
    {
        double way = (to[axis] - from[axis]) * part;
        out->c[axis][0] = from[axis] + index * way;
        out->c[axis][1] = way;
        out->c[axis][2] = 0.0;
        out->c[axis][3] = 0.0;
        squared += way * way;
    }
    out->way = sqrt(squared) * (1.0 + 1e-9);
}

void abut_knots_piece(AbutKnots* knots, const double point[3], uint32_t index, AbutPiece* out)
{
    if (knots->path->linear)
    {
        straight_piece(knots, point, index, out);
        return;
    }
    double from[3], to[3], start[3], end[3], squared[3] = { 0.0, 0.0, 0.0 };
    end_of_piece(knots, point, index, from, start);
    end_of_piece(knots, point, index + 1, to, end);
    for (int axis = 0; axis < 3; ++axis)
    {
        double way = to[axis] - from[axis], a = start[axis], b = end[axis];
        out->c[axis][0] = from[axis];
        out->c[axis][1] = a;
        out->c[axis][2] = 3.0 * way - 2.0 * a - b;
        out->c[axis][3] = a + b - 2.0 * way;
        // The velocity is a quadratic with these control points, and lies in their hull.
        double middle = 3.0 * way - a - b;
        squared[0] += a * a;
        squared[1] += middle * middle;
        squared[2] += b * b;
    }
    out->way = sqrt(fmax(squared[0], fmax(squared[1], squared[2]))) * (1.0 + 1e-9);
}
