// tan(Ω/2) = a·(b × c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|): A. van Oosterom and J. Strackee, "The
// solid angle of a plane triangle" (1983). Each step is a loop over the lanes that compilers turn into vector
// instructions.
#include "mesh/winding/solid_angle.h"

#include <math.h>
#include <stdbool.h>

#define LANES ABUT_SOLID_ANGLE_LANES

static const double HALF_PI = 1.5707963267948966, QUARTER_PI = 0.7853981633974483;

/// atan(t) for t in [0, 1]: turned by 45° above tan(22.5°), then eleven terms of the series, whose next is
/// 7e-11. Choices are between values that are there already, so that they need no branches.
static inline double small_arc(double t)
{
    bool reduced = t > 0.41421356237309503;
    double u = (reduced ? t - 1.0 : t) / (reduced ? t + 1.0 : 1.0);
    double s = u * u, sum = 1.0 / 21.0;
    for (int k = 19; k > 0; k -= 2)
    {
        sum = 1.0 / k - s * sum;
    }
    return u * sum + (reduced ? QUARTER_PI : 0.0);
}

/// The angle of the point (x, y), in [−π, π]; 0 for the origin.
static inline double arc(double y, double x)
{
    double ax = fabs(x), ay = fabs(y);
    double most = ax > ay ? ax : ay, least = ax > ay ? ay : ax;
    double angle = small_arc(least / (most > 0.0 ? most : 1.0));
    angle = ay > ax ? HALF_PI - angle : angle;
    angle = x < 0.0 ? 2.0 * HALF_PI - angle : angle;
    return y < 0.0 ? -angle : angle;
}

typedef double Lanes[LANES];

static void dot_lanes(const Lanes a[3], const Lanes b[3], Lanes out)
{
    for (int i = 0; i < LANES; ++i)
    {
        out[i] = a[0][i] * b[0][i] + a[1][i] * b[1][i] + a[2][i] * b[2][i];
    }
}

static void solid_angles(const AbutSolidAngles* restrict triangles, double* restrict angles)
{
    const Lanes *a = triangles->corners[0], *b = triangles->corners[1], *c = triangles->corners[2];
    Lanes aa, bb, cc, ab, bc, ca;
    dot_lanes(a, a, aa);
    dot_lanes(b, b, bb);
    dot_lanes(c, c, cc);
    dot_lanes(a, b, ab);
    dot_lanes(b, c, bc);
    dot_lanes(c, a, ca);
    for (int i = 0; i < LANES; ++i)
    {
        double la = sqrt(aa[i]), lb = sqrt(bb[i]), lc = sqrt(cc[i]);
        double volume = a[0][i] * (b[1][i] * c[2][i] - b[2][i] * c[1][i]) +
                        a[1][i] * (b[2][i] * c[0][i] - b[0][i] * c[2][i]) +
                        a[2][i] * (b[0][i] * c[1][i] - b[1][i] * c[0][i]);
        double angle = arc(volume, la * lb * lc + ab[i] * lc + bc[i] * la + ca[i] * lb);
        angles[i] = triangles->sign[i] * angle * 0.15915494309189535; // 2 / 4π
    }
}

double abut_solid_angle_sum(const AbutSolidAngles* triangles)
{
    Lanes angles;
    double sum = 0.0;
    solid_angles(triangles, angles);
    for (int i = 0; i < LANES; ++i)
    {
        sum += angles[i];
    }
    return sum;
}

void abut_solid_angles_add(const AbutSolidAngles* triangles, double sums[LANES])
{
    Lanes angles;
    solid_angles(triangles, angles);
    for (int i = 0; i < LANES; ++i)
    {
        sums[i] += angles[i];
    }
}
