// Sine and cosine by series, and rotations from them.
#include "math/rotation.h"

#include <math.h>

/// Taylor series; the remainder on [−π/4, π/4] is under 1e-18.
static double sine_series(double x)
{
    double s = x * x;
    double sum = 1.0 / 355687428096000.0; // 17!
    sum = sum * s - 1.0 / 1307674368000.0;
    sum = sum * s + 1.0 / 6227020800.0;
    sum = sum * s - 1.0 / 39916800.0;
    sum = sum * s + 1.0 / 362880.0;
    sum = sum * s - 1.0 / 5040.0;
    sum = sum * s + 1.0 / 120.0;
    sum = sum * s - 1.0 / 6.0;
    return x + x * s * sum;
}

static double cosine_series(double x)
{
    double s = x * x;
    double sum = -1.0 / 6402373705728000.0; // 18!
    sum = sum * s + 1.0 / 20922789888000.0;
    sum = sum * s - 1.0 / 87178291200.0;
    sum = sum * s + 1.0 / 479001600.0;
    sum = sum * s - 1.0 / 3628800.0;
    sum = sum * s + 1.0 / 40320.0;
    sum = sum * s - 1.0 / 720.0;
    sum = sum * s + 1.0 / 24.0;
    return 1.0 - (0.5 * s - s * s * sum);
}

void abut_sin_cos(double angle, double* sine, double* cosine)
{
    // Beyond that all digits of the angle stand for whole rotations: fmod() is exact, and the remainder is
    // some angle, the same everywhere.
    const double most = 0x1p20;
    if (!(fabs(angle) <= most))
    {
        angle = isfinite(angle) ? fmod(angle, 0x1.921fb54442d18p+2) : 0.0;
    }
    // π/2 as a sum of two: the first has 33 bits, so that its multiples are exact up to 2²⁰ quarter
    // rotations.
    const double quarter_high = 0x1.921fb544p+0;
    const double quarter_low = 0x1.0b4611a626331p-34;
    double quadrants = floor(angle / (quarter_high + quarter_low) + 0.5);
    double x = (angle - quadrants * quarter_high) - quadrants * quarter_low;
    double s = sine_series(x);
    double c = cosine_series(x);
    double quadrant = quadrants - 4.0 * floor(quadrants / 4.0);
    *sine = quadrant == 0.0 ? s : quadrant == 1.0 ? c : quadrant == 2.0 ? -s : -c;
    *cosine = quadrant == 0.0 ? c : quadrant == 1.0 ? -s : quadrant == 2.0 ? -c : s;
}

AbutDQuat abut_dquat_integrate(AbutDQuat q, AbutDVec3 rotation_vector, double fraction)
{
    double angle = abut_dvec3_length(rotation_vector), s, c;
    abut_sin_cos(0.5 * fraction * angle, &s, &c);
    AbutDVec3 v = abut_dvec3_scale(rotation_vector, angle > 0.0 ? s / angle : 0.0);
    // The product of abut_dquat_multiply() in another order of terms.
    AbutDQuat r =
        abut_dquat(c * q.x + v.x * q.w + v.y * q.z - v.z * q.y, c * q.y + v.y * q.w + v.z * q.x - v.x * q.z,
                   c * q.z + v.z * q.w + v.x * q.y - v.y * q.x, c * q.w - v.x * q.x - v.y * q.y - v.z * q.z);
    return abut_dquat_div(r, sqrt(abut_dquat_squared_length(r)));
}
