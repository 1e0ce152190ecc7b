#include <abut/cast.h>

const char* abut_cast_method_name(AbutCastMethod method)
{
    static const char* const names[ABUT_CAST_METHOD_COUNT] = { "sphere tracing", "pyramid", "cells" };
    return (unsigned)method < ABUT_CAST_METHOD_COUNT ? names[method] : "unknown method";
}

const char* abut_cast_state_name(AbutCastState state)
{
    static const char* const names[ABUT_CAST_STATE_COUNT] = { "miss", "hit", "inside", "budget", "invalid" };
    return (unsigned)state < ABUT_CAST_STATE_COUNT ? names[state] : "unknown state";
}
