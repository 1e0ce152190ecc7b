#include <abut/toi.h>

const char* abut_sweep_state_name(AbutSweepState state)
{
    static const char* const names[ABUT_SWEEP_STATE_COUNT] = { "miss", "hit", "overlap", "budget",
                                                               "invalid" };
    return (unsigned)state < ABUT_SWEEP_STATE_COUNT ? names[state] : "unknown state";
}

const char* abut_sweep_method_name(AbutSweepMethod method)
{
    static const char* const names[ABUT_SWEEP_METHOD_COUNT] = { "shape", "points" };
    return (unsigned)method < ABUT_SWEEP_METHOD_COUNT ? names[method] : "unknown method";
}
