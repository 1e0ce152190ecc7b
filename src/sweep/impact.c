#include "sweep/sweep.h"

// TODO(#5): the method.
AbutSweepOutput abut_sweep_shapes(const AbutSweepInput* input, const AbutRelativeMotion* motion)
{
    (void)input;
    (void)motion;

    AbutSweepOutput output = { .state = ABUT_SWEEP_INVALID };
    abut_fail(ABUT_UNSUPPORTED, "sweep: this method is not there yet");
    return output;
}
