/// @file wide_precise.h
/// One double in the place of lanes of floats: the operations that the bodies of primitives use, with the
/// meaning that wide.h gives them.
#ifndef ABUT_SIMD_WIDE_PRECISE_H
#define ABUT_SIMD_WIDE_PRECISE_H

#include <math.h>
#include <stdbool.h>

typedef double Wide;
typedef bool WideMask;

static inline Wide wide_splat(float a)
{
    return (double)a;
}
static inline Wide wide_zero(void)
{
    return 0.0;
}
static inline Wide wide_add(Wide a, Wide b)
{
    return a + b;
}
static inline Wide wide_sub(Wide a, Wide b)
{
    return a - b;
}
static inline Wide wide_mul(Wide a, Wide b)
{
    return a * b;
}
static inline Wide wide_div(Wide a, Wide b)
{
    return a / b;
}
static inline Wide wide_sqrt(Wide a)
{
    return sqrt(a);
}
static inline Wide wide_abs(Wide a)
{
    return fabs(a);
}
static inline Wide wide_negate(Wide a)
{
    return -a;
}
static inline WideMask wide_less(Wide a, Wide b)
{
    return a < b;
}
static inline WideMask wide_less_equal(Wide a, Wide b)
{
    return a <= b;
}
static inline WideMask wide_and(WideMask a, WideMask b)
{
    return a && b;
}
static inline Wide wide_select(WideMask mask, Wide a, Wide b)
{
    return mask ? a : b;
}
static inline Wide wide_min(Wide a, Wide b)
{
    return a < b ? a : b;
}
static inline Wide wide_max(Wide a, Wide b)
{
    return b < a ? a : b;
}

#endif
