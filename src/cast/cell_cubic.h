/// @file cell_cubic.h
/// The field along a line through one cell, as a polynomial in Bernstein form: it lies between its least and
/// its greatest coefficient, so that crossings in cells with both ends of the line outside are found.
#ifndef ABUT_CAST_CELL_CUBIC_H
#define ABUT_CAST_CELL_CUBIC_H

#include <stdbool.h>

enum
{
    ABUT_CAST_CURVE_DEGREE = 7, // of order 1 with thin nodes; 4 without, 3 of order 0
    // Four at most in theory; rounding may add some, and more are joined to the last.
    ABUT_CAST_CURVE_MAX_INTERVALS = 8
};

/// Over [0, 1].
typedef struct AbutCastCurve
{
    double b[ABUT_CAST_CURVE_DEGREE + 1];
    int degree;
} AbutCastCurve;

typedef struct AbutCastCurveInterval
{
    double begin, end;
} AbutCastCurveInterval;

double abut_cast_curve_low(const AbutCastCurve* curve);
double abut_cast_curve_high(const AbutCastCurve* curve);
double abut_cast_curve_value(const AbutCastCurve* curve, double s);

/// Splits a curve at s.
void abut_cast_curve_split(const AbutCastCurve* curve, double s, AbutCastCurve* left, AbutCastCurve* right);

AbutCastCurve abut_cast_curve_product(const AbutCastCurve* a, const AbutCastCurve* b);

/// The same polynomial with more coefficients.
AbutCastCurve abut_cast_curve_raise(const AbutCastCurve* curve, int degree);

/// First s with a value of at most 0: not late, and early by less than 1e-9. False when there is none. Values
/// that are not finite count as at most 0.
bool abut_cast_curve_first(const AbutCastCurve* curve, double* s);

/// All intervals with values of at most 0, in order, each wider by less than 1e-9 at its ends. Returns their
/// number.
int abut_cast_curve_intervals(const AbutCastCurve* curve,
                              AbutCastCurveInterval intervals[ABUT_CAST_CURVE_MAX_INTERVALS]);

#endif
