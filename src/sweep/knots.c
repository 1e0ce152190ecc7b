#include "sweep/knots.h"

#include <math.h>
#include <string.h>

/// Radians that a piece may turn by: 0.35⁶/46080 is under 1e-7.
static const double MOST_TURN = 0.35;

/// Turns beyond what this many pieces per tick follow are no motion that anybody means.
static const double MOST_PIECES_PER_TICK = 4096.0;

void abut_knots_init(AbutKnots* knots, const AbutPath* path)
{
    double turn = (path->motion.rate_a + path->motion.rate_b) / ABUT_KNOT_TICKS;
    double ticks = path->linear || turn * ABUT_KNOT_TICKS <= MOST_TURN ? ABUT_KNOT_TICKS : MOST_TURN / turn;
    knots->path = path;
    knots->piece = ticks >= 1.0 ? floor(ticks) : 1.0 / fmin(ceil(1.0 / ticks), MOST_PIECES_PER_TICK);
    memset(knots->has, 0, sizeof(knots->has));
}

AbutPathAt* abut_knots_at(AbutKnots* knots, uint32_t tick)
{
    if (!knots->has[tick])
    {
        abut_path_at(knots->path, (double)tick / ABUT_KNOT_TICKS, &knots->table[tick]);
        knots->has[tick] = true;
    }
    return &knots->table[tick];
}

/// Where a point is at an end of a piece; velocity and acceleration are over its length.
typedef struct PieceEnd
{
    double at[3], rate[3], pull[3];
} PieceEnd;

static void find_end(AbutKnots* knots, const double point[3], double tick, double length, PieceEnd* out)
{
    AbutPathAt other, *knot = &other;
    uint32_t whole = (uint32_t)tick;
    double span = length / ABUT_KNOT_TICKS;
    if ((double)whole == tick)
    {
        knot = abut_knots_at(knots, whole);
    }
    else
    {
        abut_path_at(knots->path, tick / ABUT_KNOT_TICKS, &other);
    }
    abut_path_apply(knot->at, point, out->at);
    abut_path_apply(knot->rate, point, out->rate);
    abut_path_apply(knot->pull, point, out->pull);
    for (int axis = 0; axis < 3; ++axis)
    {
        out->rate[axis] *= span;
        out->pull[axis] *= span * span;
    }
}

/// One axis of a piece: its coefficients, and the squares of its velocity's control points, which it lies in the hull of.
static void fit_axis(const PieceEnd* from, const PieceEnd* to, int axis, double c[6], double squared[5])
{
    double way = to->at[axis] - from->at[axis], v = from->rate[axis], w = to->rate[axis];
    double a = from->pull[axis], b = to->pull[axis];
    c[0] = from->at[axis];
    c[1] = v;
    c[2] = 0.5 * a;
    c[3] = 10.0 * way - 6.0 * v - 4.0 * w - 1.5 * a + 0.5 * b;
    c[4] = -15.0 * way + 8.0 * v + 7.0 * w + 1.5 * a - b;
    c[5] = 6.0 * way - 3.0 * v - 3.0 * w + 0.5 * (b - a);
    const double rates[5] = { v, v + 0.25 * a, 5.0 * way - 2.0 * (v + w) + 0.25 * (b - a), w - 0.25 * b, w };
    for (int i = 0; i < 5; ++i)
    {
        squared[i] += rates[i] * rates[i];
    }
}

void abut_knots_piece(AbutKnots* knots, const double point[3], double begin, double end, AbutPiece* out)
{
    PieceEnd from, to;
    double squared[5] = { 0.0, 0.0, 0.0, 0.0, 0.0 }, most = 0.0;
    find_end(knots, point, begin, end - begin, &from);
    find_end(knots, point, end, end - begin, &to);
    for (int axis = 0; axis < 3; ++axis)
    {
        fit_axis(&from, &to, axis, out->c[axis], squared);
    }
    for (int i = 0; i < 5; ++i)
    {
        most = squared[i] > most ? squared[i] : most;
    }
    out->way = sqrt(most) * (1.0 + 1e-9);
}
