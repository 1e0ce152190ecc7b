#include "shape/lipschitz.h"

#include "math/rounding.h"

/// Not less than √3.
static const float SQRT_3 = 1.7320509f;

AbutGrowth abut_growth_exact(void)
{
    return (AbutGrowth){ 1.0f, 1.0f };
}

AbutGrowth abut_growth_unknown(void)
{
    return (AbutGrowth){ INFINITY, INFINITY };
}

AbutGrowth abut_growth_of_both(AbutGrowth a, AbutGrowth b)
{
    return (AbutGrowth){ fmaxf(a.axes, b.axes), fmaxf(a.ball, b.ball) };
}

AbutGrowth abut_growth_of_sides(const float along[6], float ball)
{
    float axes = 1.0f;
    for (int side = 0; side < 6; ++side)
    {
        axes = fmaxf(axes, along[side]);
    }
    return (AbutGrowth){ axes, fminf(ball, SQRT_3 * axes) };
}

/// Growing by axes·d keeps E only where the box has grown by ball·d; inside of a shrunk box's old place f is S.
AbutGrowth abut_growth_after_resize(AbutGrowth growth, float distance)
{
    bool keeps_ball = distance == 0.0f || (distance > 0.0f && growth.ball == growth.axes);
    return keeps_ball ? growth : (AbutGrowth){ growth.axes, SQRT_3 * growth.axes };
}

/// Dividing by less than 1 deepens the inside beyond S.
AbutGrowth abut_growth_divided(AbutGrowth growth, float factor)
{
    return factor >= 1.0f ? (AbutGrowth){ growth.axes * factor, growth.ball * factor }
                          : abut_growth_unknown();
}

AbutGrowth abut_growth_placed(AbutGrowth growth, const AbutFrame* frame)
{
    double longest = 1.0; // sum over a row: 1 when axes become axes, at most √3
    for (int i = 0; i < 3; ++i)
    {
        const double* row = frame->rotation[i];
        longest = fmax(longest, fabs(row[0]) + fabs(row[1]) + fabs(row[2]));
    }
    return (AbutGrowth){ fminf(growth.ball, abut_round_up(growth.axes * longest)), growth.ball };
}

AbutBox abut_growth_resize(AbutBox bounds, AbutGrowth growth, float distance)
{
    double by = distance > 0.0f ? (double)growth.axes * distance : distance;
    if (distance == 0.0f || (distance < 0.0f && isinf(growth.axes)))
    {
        by = 0.0;
    }
    const AbutVec3 low = bounds.min, high = bounds.max;
    return abut_box(
        abut_vec3(abut_round_down(low.x - by), abut_round_down(low.y - by), abut_round_down(low.z - by)),
        abut_vec3(abut_round_up(high.x + by), abut_round_up(high.y + by), abut_round_up(high.z + by)));
}

/// A side that is inside out shrinks to its middle, since turning mixes the axes. Enlarging a box keeps what S says.
static void turn_right_side_out(float* low, float* high)
{
    if (*low > *high)
    {
        double middle = 0.5 * ((double)*low + (double)*high);
        *low = abut_round_down(middle);
        *high = abut_round_up(middle);
    }
}

AbutBox abut_growth_place(AbutBox bounds, const AbutPose* pose)
{
    turn_right_side_out(&bounds.min.x, &bounds.max.x);
    turn_right_side_out(&bounds.min.y, &bounds.max.y);
    turn_right_side_out(&bounds.min.z, &bounds.max.z);
    return abut_pose_box(pose, bounds);
}
