// Polynomials in Bernstein form: bounds, products, roots.
#include "cast/cell_cubic.h"

#include "cast/crossing_kernels.h"

#include <math.h>

/// Precision of roots, as a fraction of the curve: far below the precision of float times.
static const double NARROW = ABUT_CUBIC_ROOT_TOLERANCE;

/// A Newton step of this length ends within NARROW.
static const double CLOSE = ABUT_CUBIC_NEWTON_TOLERANCE;

enum
{
    MAX_HALVINGS = 31, // of [0, 1] until it is narrow; pieces on the stack have different widths
    MAX_STEPS = ABUT_CUBIC_NEWTON_MAX_STEPS, // of Newton without a bracket
    MAX_GUESSES = 64                         // bisection alone needs half as many
};

static const double binomial[ABUT_CAST_CURVE_DEGREE + 1][ABUT_CAST_CURVE_DEGREE + 1] = {
    { 1 },
    { 1, 1 },
    { 1, 2, 1 },
    { 1, 3, 3, 1 },
    { 1, 4, 6, 4, 1 },
    { 1, 5, 10, 10, 5, 1 },
    { 1, 6, 15, 20, 15, 6, 1 },
    { 1, 7, 21, 35, 35, 21, 7, 1 },
};

double abut_cast_curve_low(const AbutCastCurve* curve)
{
    double low = curve->b[0];
    for (int i = 1; i <= curve->degree; ++i)
    {
        low = curve->b[i] >= low ? low : curve->b[i]; // NaN stays
    }
    return low;
}

double abut_cast_curve_high(const AbutCastCurve* curve)
{
    double high = curve->b[0];
    for (int i = 1; i <= curve->degree; ++i)
    {
        high = curve->b[i] <= high ? high : curve->b[i];
    }
    return high;
}

/// de Casteljau; the slope too.
static double value_and_slope(const AbutCastCurve* curve, double s, double* slope)
{
    double b[ABUT_CAST_CURVE_DEGREE + 1];
    for (int i = 0; i <= curve->degree; ++i)
    {
        b[i] = curve->b[i];
    }
    for (int n = curve->degree; n > 1; --n)
    {
        for (int i = 0; i < n; ++i)
        {
            b[i] += s * (b[i + 1] - b[i]);
        }
    }
    *slope = curve->degree * (b[1] - b[0]);
    return b[0] + s * (b[1] - b[0]);
}

double abut_cast_curve_value(const AbutCastCurve* curve, double s)
{
    double slope;
    return value_and_slope(curve, s, &slope);
}

void abut_cast_curve_split(const AbutCastCurve* curve, double s, AbutCastCurve* left, AbutCastCurve* right)
{
    const int n = curve->degree;
    AbutCastCurve work = *curve;
    left->degree = right->degree = n;
    for (int k = 0; k <= n; ++k)
    {
        left->b[k] = work.b[0];
        right->b[n - k] = work.b[n - k];
        for (int i = 0; i < n - k; ++i)
        {
            work.b[i] += s * (work.b[i + 1] - work.b[i]);
        }
    }
}

AbutCastCurve abut_cast_curve_product(const AbutCastCurve* a, const AbutCastCurve* b)
{
    const int m = a->degree, n = b->degree;
    AbutCastCurve out = { .degree = m + n };
    for (int i = 0; i <= m; ++i)
    {
        for (int j = 0; j <= n; ++j)
        {
            out.b[i + j] += binomial[m][i] * binomial[n][j] * a->b[i] * b->b[j];
        }
    }
    for (int k = 0; k <= m + n; ++k)
    {
        out.b[k] /= binomial[m + n][k];
    }
    return out;
}

AbutCastCurve abut_cast_curve_raise(const AbutCastCurve* curve, int degree)
{
    AbutCastCurve one = { .degree = degree - curve->degree };
    for (int i = 0; i <= one.degree; ++i)
    {
        one.b[i] = 1.0;
    }
    return one.degree > 0 ? abut_cast_curve_product(curve, &one) : *curve;
}

// -----------------------------------------------------------------------------------------------------------
// Roots
// -----------------------------------------------------------------------------------------------------------

/// Number of sign changes of the coefficients: the curve has as many, or less by an even number (Descartes).
static int sign_changes(const AbutCastCurve* curve)
{
    int changes = 0;
    for (int i = 1; i <= curve->degree; ++i)
    {
        changes += (curve->b[i] > 0.0) != (curve->b[i - 1] > 0.0);
    }
    return changes;
}

/// A cubic in powers of s, which is faster to evaluate.
typedef struct Cubic
{
    double a, b, c, d;
} Cubic;

static Cubic to_cubic(const AbutCastCurve* curve)
{
    const double* b = curve->b;
    return (Cubic){ b[0], 3.0 * (b[1] - b[0]), 3.0 * (b[2] - 2.0 * b[1] + b[0]),
                    b[3] - b[0] + 3.0 * (b[1] - b[2]) };
}

/// The only root of a cubic that starts over 0, as only_root(), where Newton's method converges without a
/// bracket; else −1.
static double only_root_of_cubic(const AbutCastCurve* curve)
{
    const Cubic p = to_cubic(curve);
    double s = curve->b[0] / (curve->b[0] - curve->b[3]);
    for (int i = 0; i < MAX_STEPS; ++i)
    {
        double value = p.a + s * (p.b + s * (p.c + s * p.d)), slope = p.b + s * (2.0 * p.c + s * (3.0 * p.d));
        double step = value / slope;
        s -= step;
        if (fabs(step) < CLOSE)
        {
            double low = s - 0.5 * NARROW;
            return low > 0.0 && s < 1.0 && p.a + low * (p.b + low * (p.c + low * p.d)) > 0.0 ? low : -1.0;
        }
    }
    return -1.0;
}

/// The only root of a curve that starts over 0, early by less than NARROW: the value there is still over 0.
/// Newton's method in a bracket.
static double only_root(const AbutCastCurve* curve)
{
    double quick = curve->degree == 3 ? only_root_of_cubic(curve) : -1.0;
    if (quick >= 0.0)
    {
        return quick;
    }
    double low = 0.0, high = 1.0;
    double s = curve->b[0] / (curve->b[0] - curve->b[curve->degree]);
    for (int i = 0; i < MAX_GUESSES && high - low > NARROW; ++i)
    {
        s = s > low && s < high ? s : 0.5 * (low + high);
        double slope, value = value_and_slope(curve, s, &slope);
        *(value > 0.0 ? &low : &high) = s;
        double next = s - value / slope;
        if (fabs(next - s) < 0.25 * NARROW)
        {
            // Newton converges from one side: the next guess closes the bracket from the other.
            next = value > 0.0 ? next + 0.4 * NARROW : next - 0.4 * NARROW;
        }
        s = next;
    }
    return low;
}

static AbutCastCurve reversed(const AbutCastCurve* curve)
{
    AbutCastCurve out = { .degree = curve->degree };
    for (int i = 0; i <= curve->degree; ++i)
    {
        out.b[i] = curve->b[curve->degree - i];
    }
    return out;
}

/// A piece of a bisected curve.
typedef struct Piece
{
    AbutCastCurve curve;
    double begin, width;
} Piece;

/// Keeps the left half; the right one is for the stack.
static void halve(Piece* piece, Piece* right)
{
    AbutCastCurve left;
    abut_cast_curve_split(&piece->curve, 0.5, &left, &right->curve);
    piece->curve = left;
    piece->width *= 0.5;
    right->begin = piece->begin + piece->width;
    right->width = piece->width;
}

bool abut_cast_curve_first(const AbutCastCurve* curve, double* s)
{
    Piece stack[MAX_HALVINGS];
    int waiting = 0;
    Piece piece = { *curve, 0.0, 1.0 };
    while (true)
    {
        int changes = sign_changes(&piece.curve);
        if (!(piece.curve.b[0] > 0.0))
        {
            *s = piece.begin;
            return true;
        }
        if (changes == 1)
        {
            *s = piece.begin + piece.width * only_root(&piece.curve);
            return true;
        }
        if (changes > 1 && piece.width > NARROW)
        {
            halve(&piece, &stack[waiting++]);
            continue;
        }
        if (changes > 1) // narrow: counts as a crossing
        {
            *s = piece.begin;
            return true;
        }
        if (waiting == 0)
        {
            return false;
        }
        piece = stack[--waiting];
    }
}

static void add_interval(AbutCastCurveInterval* intervals, int* count, double begin, double end)
{
    if (*count > 0 && (begin <= intervals[*count - 1].end || *count == ABUT_CAST_CURVE_MAX_INTERVALS))
    {
        intervals[*count - 1].end = end;
        return;
    }
    intervals[(*count)++] = (AbutCastCurveInterval){ begin, end };
}

int abut_cast_curve_intervals(const AbutCastCurve* curve,
                              AbutCastCurveInterval intervals[ABUT_CAST_CURVE_MAX_INTERVALS])
{
    Piece stack[MAX_HALVINGS];
    int waiting = 0, count = 0;
    Piece piece = { *curve, 0.0, 1.0 };
    while (true)
    {
        int changes = sign_changes(&piece.curve);
        bool starts_below = !(piece.curve.b[0] > 0.0);
        double end = piece.begin + piece.width;
        if (changes > 1 && piece.width > NARROW)
        {
            halve(&piece, &stack[waiting++]);
            continue;
        }
        if (changes > 1 || (changes == 0 && starts_below))
        {
            add_interval(intervals, &count, piece.begin, end);
        }
        else if (changes == 1 && starts_below)
        {
            AbutCastCurve back = reversed(&piece.curve);
            add_interval(intervals, &count, piece.begin, end - piece.width * only_root(&back));
        }
        else if (changes == 1)
        {
            add_interval(intervals, &count, piece.begin + piece.width * only_root(&piece.curve), end);
        }
        if (waiting == 0)
        {
            return count;
        }
        piece = stack[--waiting];
    }
}
