#include "base/fp_env.h"

AbutFpState abut_fp_enter(void)
{
    AbutFpState state = { .bits = abut_fp_read() };
    state.changed = (state.bits & ABUT_FP_CONTROL) != ABUT_FP_DEFAULT;
    if (state.changed)
    {
        abut_fp_write(ABUT_FP_DEFAULT);
    }
    return state;
}

void abut_fp_leave(AbutFpState state)
{
    if (state.changed)
    {
        abut_fp_write(state.bits);
    }
}
