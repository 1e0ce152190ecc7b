/// @file exact_sum.h
/// Sums and products of doubles without rounding, as expansions (J. R. Shewchuk, "Adaptive Precision
/// Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997).
#ifndef ABUT_MESH_TRIANGLE_EXACT_SUM_H
#define ABUT_MESH_TRIANGLE_EXACT_SUM_H

#include <float.h>

#if FLT_EVAL_METHOD != 0
#error "exact sums need arithmetic without excess precision (on 32-bit x86: -msse2 -mfpmath=sse)"
#endif

/// A number as the sum of components that do not overlap, smallest first.
typedef struct AbutExactSum
{
    double components[97]; // one more than the numbers that a determinant of four points adds
    int count;
} AbutExactSum;

static inline int abut_sign_of(double x)
{
    return (x > 0.0) - (x < 0.0);
}

static inline void abut_exact_sum_add(AbutExactSum* sum, double x)
{
    int count = 0;
    for (int i = 0; i < sum->count; ++i)
    {
        // high + low = x + component without rounding, whichever is larger (Knuth).
        double component = sum->components[i];
        double high = x + component;
        double recovered = high - x;
        double low = (x - (high - recovered)) + (component - recovered);
        if (low != 0.0)
        {
            sum->components[count++] = low;
        }
        x = high;
    }
    if (x != 0.0)
    {
        sum->components[count++] = x;
    }
    sum->count = count;
}

static inline int abut_exact_sum_sign(const AbutExactSum* sum)
{
    return sum->count > 0 ? abut_sign_of(sum->components[sum->count - 1]) : 0;
}

/// The upper 26 bits of x (Dekker); the rest has 26 bits and a sign.
static inline double abut_exact_upper_half(double x)
{
    double scaled = 0x1p27 * x + x;
    return scaled - (scaled - x);
}

/// x·y − high without rounding, where high is the rounded product (Dekker).
static inline double abut_exact_product_error(double x, double y, double high)
{
    double x_high = abut_exact_upper_half(x), x_low = x - x_high;
    double y_high = abut_exact_upper_half(y), y_low = y - y_high;
    return x_low * y_low - (((high - x_high * y_high) - x_low * y_high) - x_high * y_low);
}

/// Adds x·y.
static inline void abut_exact_sum_add_product(AbutExactSum* sum, double x, double y)
{
    double high = x * y;
    double low = abut_exact_product_error(x, y, high);
    abut_exact_sum_add(sum, low);
    abut_exact_sum_add(sum, high);
}

/// Adds x·y·z.
static inline void abut_exact_sum_add_triple(AbutExactSum* sum, double x, double y, double z)
{
    double high = x * y;
    double low = abut_exact_product_error(x, y, high);
    abut_exact_sum_add_product(sum, low, z);
    abut_exact_sum_add_product(sum, high, z);
}

#endif
