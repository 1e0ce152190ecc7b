#include "sweep/sweep.h"

// TODO(#5): the method.
static AbutSweepOutput missing(void)
{
    abut_fail(ABUT_UNSUPPORTED, "sweep: points are not there yet");
    return (AbutSweepOutput){ .state = ABUT_SWEEP_INVALID };
}

AbutSweepOutput abut_sweep_points_first(const AbutSweepInput* input, const AbutRelativeMotion* motion)
{
    (void)input;
    (void)motion;
    return missing();
}

AbutSweepOutput abut_sweep_points_intervals(const AbutSweepInput* input, const AbutRelativeMotion* motion,
                                            AbutPointInterval* intervals, int capacity)
{
    (void)input;
    (void)motion;
    (void)intervals;
    (void)capacity;
    return missing();
}
