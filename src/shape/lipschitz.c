#include "shape/lipschitz.h"

#include "math/rounding.h"

/// Not less than √3.
static const float SQRT_3 = 1.7320509f;

AbutLowerLipschitz abut_lipschitz_exact(void)
{
    return (AbutLowerLipschitz){ 1.0f, 1.0f };
}

AbutLowerLipschitz abut_lipschitz_unknown(void)
{
    return (AbutLowerLipschitz){ INFINITY, INFINITY };
}

AbutLowerLipschitz abut_lipschitz_of_union(AbutLowerLipschitz a, AbutLowerLipschitz b)
{
    return (AbutLowerLipschitz){ fmaxf(a.max_norm, b.max_norm), fmaxf(a.euclidean, b.euclidean) };
}

AbutLowerLipschitz abut_lipschitz_of_intersection(const float along[6], float euclidean)
{
    float max_norm = 1.0f;
    for (int side = 0; side < 6; ++side)
    {
        max_norm = fmaxf(max_norm, along[side]);
    }
    return (AbutLowerLipschitz){ max_norm, fminf(euclidean, SQRT_3 * max_norm) };
}

/// Growth by axes·d keeps the bound by E only where the box has grown by ball·d; inside of the old box of a
/// shrunk one f is S.
AbutLowerLipschitz abut_lipschitz_of_offset(AbutLowerLipschitz lower_lipschitz, float distance)
{
    bool keeps_ball =
        distance == 0.0f || (distance > 0.0f && lower_lipschitz.euclidean == lower_lipschitz.max_norm);
    return keeps_ball ? lower_lipschitz
                      : (AbutLowerLipschitz){ lower_lipschitz.max_norm, SQRT_3 * lower_lipschitz.max_norm };
}

/// A factor under 1 deepens the inside beyond S.
AbutLowerLipschitz abut_lipschitz_divided(AbutLowerLipschitz lower_lipschitz, float factor)
{
    return factor >= 1.0f
               ? (AbutLowerLipschitz){ lower_lipschitz.max_norm * factor, lower_lipschitz.euclidean * factor }
               : abut_lipschitz_unknown();
}

AbutLowerLipschitz abut_lipschitz_transformed(AbutLowerLipschitz lower_lipschitz, const AbutTransform* frame)
{
    double longest = 1.0; // sum over a row: 1 when axes become axes, at most √3
    for (int i = 0; i < 3; ++i)
    {
        const double* row = frame->rotation.m[i];
        longest = fmax(longest, fabs(row[0]) + fabs(row[1]) + fabs(row[2]));
    }
    return (AbutLowerLipschitz){ fminf(lower_lipschitz.euclidean,
                                       abut_round_up(lower_lipschitz.max_norm * longest)),
                                 lower_lipschitz.euclidean };
}

AbutBox abut_lipschitz_offset_bounds(AbutBox bounds, AbutLowerLipschitz lower_lipschitz, float distance)
{
    double by = distance > 0.0f ? (double)lower_lipschitz.max_norm * distance : distance;
    if (distance == 0.0f || (distance < 0.0f && isinf(lower_lipschitz.max_norm)))
    {
        by = 0.0;
    }
    const AbutVec3 low = bounds.min, high = bounds.max;
    return abut_box(
        abut_vec3(abut_round_down(low.x - by), abut_round_down(low.y - by), abut_round_down(low.z - by)),
        abut_vec3(abut_round_up(high.x + by), abut_round_up(high.y + by), abut_round_up(high.z + by)));
}

/// An inverted range shrinks to its middle, since rotations mix the axes. A larger box keeps the bound by S.
static void order_bounds(float* low, float* high)
{
    if (*low > *high)
    {
        double middle = 0.5 * ((double)*low + (double)*high);
        *low = abut_round_down(middle);
        *high = abut_round_up(middle);
    }
}

AbutBox abut_lipschitz_transform_bounds(AbutBox bounds, const AbutPose* pose)
{
    order_bounds(&bounds.min.x, &bounds.max.x);
    order_bounds(&bounds.min.y, &bounds.max.y);
    order_bounds(&bounds.min.z, &bounds.max.z);
    return abut_pose_transform_box(pose, bounds);
}
