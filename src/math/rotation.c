#include "math/rotation.h"

#include <math.h>

/// Taylor's series; on [−π/4, π/4] what is left out is under 1e-18.
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
    // Beyond that all digits of the angle stand for whole turns: fmod() is exact, and what is left is some angle, the same everywhere.
    const double most = 0x1p20;
    if (!(fabs(angle) <= most))
    {
        angle = isfinite(angle) ? fmod(angle, 0x1.921fb54442d18p+2) : 0.0;
    }
    // π/2 in two parts: the first has 33 bits, so that its multiples are exact up to 2²⁰ quarter turns.
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

void abut_rotation_integrate(const double rotation[4], const double rotation_vector[3], double fraction,
                             double out[4])
{
    const double *q = rotation, *w = rotation_vector;
    double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), s, c;
    abut_sin_cos(0.5 * fraction * angle, &s, &c);
    s = angle > 0.0 ? s / angle : 0.0;
    double x = s * w[0], y = s * w[1], z = s * w[2];
    out[0] = c * q[0] + x * q[3] + y * q[2] - z * q[1];
    out[1] = c * q[1] + y * q[3] + z * q[0] - x * q[2];
    out[2] = c * q[2] + z * q[3] + x * q[1] - y * q[0];
    out[3] = c * q[3] - x * q[0] - y * q[1] - z * q[2];
    double size = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
    for (int i = 0; i < 4; ++i)
    {
        out[i] /= size;
    }
}
