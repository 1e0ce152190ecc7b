// Time of impact: checks of the input and dispatch to the method.
#include "toi/points/intervals.h"
#include "toi/points/points.h"
#include "toi/solids/solids.h"

#include "base/fp_env.h"

#include <math.h>

AbutToiSettings abut_toi_settings(void)
{
    AbutToiSettings settings = { ABUT_TOI_SOLIDS, 0.0f, false, 1u << 20 };
    return settings;
}

AbutToiInput abut_toi_input(const AbutShape* shape_a, const AbutShape* shape_b)
{
    AbutToiInput input = { 0 };
    input.shape_a = shape_a;
    input.shape_b = shape_b;
    input.pose_a = abut_pose_identity();
    input.pose_b = abut_pose_identity();
    input.settings = abut_toi_settings();
    return input;
}

const char* abut_toi_state_name(AbutToiState state)
{
    static const char* const names[ABUT_TOI_STATE_COUNT] = { "miss", "hit", "overlap", "budget", "invalid" };
    return (unsigned)state < ABUT_TOI_STATE_COUNT ? names[state] : "unknown state";
}

const char* abut_toi_method_name(AbutToiMethod method)
{
    static const char* const names[ABUT_TOI_METHOD_COUNT] = { "solids", "points" };
    return (unsigned)method < ABUT_TOI_METHOD_COUNT ? names[method] : "unknown method";
}

static AbutResult check_settings(const AbutToiInput* input)
{
    const AbutToiSettings* settings = &input->settings;
    if (!(settings->tolerance >= 0.0f) || !isfinite(settings->tolerance))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "sweep: the tolerance is %g; it must be 0 (automatic) or more",
                         (double)settings->tolerance);
    }
    if ((unsigned)settings->method >= ABUT_TOI_METHOD_COUNT)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "sweep: there is no method %d", (int)settings->method);
    }
    if (settings->budget == 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "sweep: the budget is 0; start from abut_toi_settings(), and it is at least 1");
    }
    return ABUT_OK;
}

/// Checks that all methods share; shapes and points are checked by the method.
static bool prepare(const AbutToiInput* input, AbutRelativeMotion* motion)
{
    return check_settings(input) == ABUT_OK &&
           abut_relative_motion_init(&input->pose_a, &input->motion_a, &input->pose_b, &input->motion_b,
                                     motion) == ABUT_OK;
}

AbutToiOutput abut_time_of_impact(const AbutToiInput* input)
{
    ABUT_FP_CALL(abut_time_of_impact, input);
    AbutRelativeMotion motion;
    if (!prepare(input, &motion))
    {
        return (AbutToiOutput){ .state = ABUT_TOI_INVALID };
    }
    return input->settings.method == ABUT_TOI_POINTS ? abut_toi_points_first(input, &motion)
                                                     : abut_toi_solids(input, &motion);
}

AbutToiOutput abut_toi_intervals(const AbutToiInput* input, AbutPointInterval* intervals, uint32_t capacity)
{
    ABUT_FP_CALL(abut_toi_intervals, input, intervals, capacity);
    const AbutToiOutput invalid = { .state = ABUT_TOI_INVALID };
    if (input->settings.method != ABUT_TOI_POINTS)
    {
        abut_fail(ABUT_INVALID_ARGUMENT,
                  "sweep: intervals are those of points; set settings.method to ABUT_TOI_POINTS");
        return invalid;
    }
    if (intervals == NULL && capacity > 0)
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "sweep: intervals is NULL, the capacity is %u", capacity);
        return invalid;
    }
    AbutRelativeMotion motion;
    return prepare(input, &motion) ? abut_toi_points_intervals(input, &motion, intervals, capacity) : invalid;
}
