#include "toi/points/trajectory_samples.h"

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
    knots->is_straight = path->linear || turn == 0.0;
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

/// The knot at any time in ticks; `other` has room for one between the ticks.
static AbutPathAt* find_knot(AbutKnots* knots, double tick, AbutPathAt* other)
{
    uint32_t whole = (uint32_t)tick;
    if ((double)whole == tick)
    {
        return abut_knots_at(knots, whole);
    }
    abut_path_at(knots->path, tick / ABUT_KNOT_TICKS, other);
    return other;
}

/// Where a point is at an end of a piece; velocity and acceleration are over its length.
typedef struct PieceEnd
{
    double at[3], rate[3], pull[3];
} PieceEnd;

static void find_end(AbutKnots* knots, const double point[3], double tick, double length, PieceEnd* out)
{
    AbutPathAt other, *knot = find_knot(knots, tick, &other);
    double span = length / ABUT_KNOT_TICKS;
    abut_path_apply(knot->at, point, out->at);
    abut_path_apply(knot->rate, point, out->rate);
    abut_path_apply(knot->pull, point, out->pull);
    for (int axis = 0; axis < 3; ++axis)
    {
        out->rate[axis] *= span;
        out->pull[axis] *= span * span;
    }
}

/// Coefficients of a quintic from the places at its ends, and velocities and accelerations over its length.
static void fit_quintic(double from, double to, double v, double w, double a, double b, double c[6])
{
    double way = to - from;
    c[0] = from;
    c[1] = v;
    c[2] = 0.5 * a;
    c[3] = 10.0 * way - 6.0 * v - 4.0 * w - 1.5 * a + 0.5 * b;
    c[4] = -15.0 * way + 8.0 * v + 7.0 * w + 1.5 * a - b;
    c[5] = 6.0 * way - 3.0 * v - 3.0 * w + 0.5 * (b - a);
}

/// One axis of a piece: its coefficients, and the squares of its velocity's control points, which it lies in the hull of.
static void fit_axis(const PieceEnd* from, const PieceEnd* to, int axis, double c[6], double squared[5])
{
    double way = to->at[axis] - from->at[axis], v = from->rate[axis], w = to->rate[axis];
    double a = from->pull[axis], b = to->pull[axis];
    fit_quintic(from->at[axis], to->at[axis], v, w, a, b, c);
    const double rates[5] = { v, v + 0.25 * a, 5.0 * way - 2.0 * (v + w) + 0.25 * (b - a), w - 0.25 * b, w };
    for (int i = 0; i < 5; ++i)
    {
        squared[i] += rates[i] * rates[i];
    }
}

void abut_knots_maps(AbutKnots* knots, double begin, double end, double c[6][3][4])
{
    AbutPathAt others[2];
    AbutPathAt *from = find_knot(knots, begin, &others[0]), *to = find_knot(knots, end, &others[1]);
    double span = (end - begin) / ABUT_KNOT_TICKS;
    for (int i = 0; i < 12; ++i)
    {
        const int row = i / 4, column = i % 4;
        double at = from->at[row][column], next = to->at[row][column], fit[6];
        if (knots->is_straight)
        {
            c[0][row][column] = at;
            c[1][row][column] = next - at;
            continue;
        }
        fit_quintic(at, next, span * from->rate[row][column], span * to->rate[row][column],
                    span * span * from->pull[row][column], span * span * to->pull[row][column], fit);
        for (int k = 0; k < 6; ++k)
        {
            c[k][row][column] = fit[k];
        }
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
