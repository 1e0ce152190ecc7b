/// @file cell_cubic.h
/// The field along a line through one cell, as a polynomial in Bernstein form: it lies between its least and its greatest
/// coefficient, which is what finds dips into cells that a line enters and leaves outside.
#ifndef ABUT_CAST_CELL_CUBIC_H
#define ABUT_CAST_CELL_CUBIC_H

#include <stdbool.h>

enum
{
    ABUT_CURVE_DEGREE = 7, // of order 1 with thin nodes; 4 without, 3 of order 0
    ABUT_CURVE_MOST_PARTS =
        8 // four at most in theory; rounding may add some, and more are joined to the last
};

/// Over [0, 1].
typedef struct AbutCurve
{
    double b[ABUT_CURVE_DEGREE + 1];
    int degree;
} AbutCurve;

typedef struct AbutCurvePart
{
    double begin, end;
} AbutCurvePart;

double abut_curve_low(const AbutCurve* curve);
double abut_curve_high(const AbutCurve* curve);
double abut_curve_value(const AbutCurve* curve, double s);

/// Cuts a curve in two at s.
void abut_curve_split(const AbutCurve* curve, double s, AbutCurve* left, AbutCurve* right);

AbutCurve abut_curve_product(const AbutCurve* a, const AbutCurve* b);

/// The same polynomial with more coefficients.
AbutCurve abut_curve_raise(const AbutCurve* curve, int degree);

/// Where the curve first is at most 0: not later, and earlier by less than 1e-9. False when it never is. Numbers that are
/// not finite count as at most 0.
bool abut_curve_first(const AbutCurve* curve, double* s);

/// All parts where the curve is at most 0, in order, each wider by less than 1e-9 at its ends. Returns how many.
int abut_curve_parts(const AbutCurve* curve, AbutCurvePart parts[ABUT_CURVE_MOST_PARTS]);

#endif
