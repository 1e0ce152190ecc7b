#include "toi/points/points.h"
#include "toi/solids/solids.h"

#include "base/fp_env.h"

#include <math.h>

AbutSweepSettings abut_sweep_settings(void)
{
    AbutSweepSettings settings = { ABUT_SWEEP_SHAPES, 0.0f, false, 1u << 20 };
    return settings;
}

AbutSweepInput abut_sweep_input(const AbutShape* shape_a, const AbutShape* shape_b)
{
    AbutSweepInput input = { 0 };
    input.shape_a = shape_a;
    input.shape_b = shape_b;
    input.pose_a = abut_pose_identity();
    input.pose_b = abut_pose_identity();
    input.settings = abut_sweep_settings();
    return input;
}

static AbutResult check_settings(const AbutSweepInput* input)
{
    const AbutSweepSettings* settings = &input->settings;
    if (!(settings->tolerance >= 0.0f) || !isfinite(settings->tolerance))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "sweep: the tolerance is %g; it must be 0 (automatic) or more",
                         (double)settings->tolerance);
    }
    if ((unsigned)settings->method >= ABUT_SWEEP_METHOD_COUNT)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "sweep: there is no method %d", (int)settings->method);
    }
    if (settings->budget == 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "sweep: the budget is 0; start from abut_sweep_settings(), and it is at least 1");
    }
    return ABUT_OK;
}

/// What a method is told has been checked here; whether it needs shapes or points is its own affair.
static bool prepare(const AbutSweepInput* input, AbutRelativeMotion* motion)
{
    return check_settings(input) == ABUT_OK &&
           abut_relative_motion_init(&input->pose_a, &input->motion_a, &input->pose_b, &input->motion_b,
                                     motion) == ABUT_OK;
}

AbutSweepOutput abut_sweep(const AbutSweepInput* input)
{
    ABUT_FP_CALL(abut_sweep, input);
    AbutRelativeMotion motion;
    if (!prepare(input, &motion))
    {
        return (AbutSweepOutput){ .state = ABUT_SWEEP_INVALID };
    }
    return input->settings.method == ABUT_SWEEP_POINTS ? abut_sweep_points_first(input, &motion)
                                                       : abut_sweep_shapes(input, &motion);
}

AbutSweepOutput abut_sweep_intervals(const AbutSweepInput* input, AbutPointInterval* intervals, int capacity)
{
    ABUT_FP_CALL(abut_sweep_intervals, input, intervals, capacity);
    const AbutSweepOutput invalid = { .state = ABUT_SWEEP_INVALID };
    if (input->settings.method != ABUT_SWEEP_POINTS)
    {
        abut_fail(ABUT_INVALID_ARGUMENT,
                  "sweep: intervals are those of points; set settings.method to ABUT_SWEEP_POINTS");
        return invalid;
    }
    if (capacity < 0 || (intervals == NULL && capacity > 0))
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "sweep: there is no room for %d intervals", capacity);
        return invalid;
    }
    AbutRelativeMotion motion;
    return prepare(input, &motion) ? abut_sweep_points_intervals(input, &motion, intervals, capacity)
                                   : invalid;
}
