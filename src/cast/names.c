#include <abut/cast.h>

const char* abut_segment_method_name(AbutSegmentMethod method)
{
    static const char* const names[ABUT_SEGMENT_METHOD_COUNT] = { "steps", "pyramid", "cells" };
    return (unsigned)method < ABUT_SEGMENT_METHOD_COUNT ? names[method] : "unknown method";
}

const char* abut_segment_state_name(AbutSegmentState state)
{
    static const char* const names[ABUT_SEGMENT_STATE_COUNT] = { "miss", "hit", "inside", "budget",
                                                                 "invalid" };
    return (unsigned)state < ABUT_SEGMENT_STATE_COUNT ? names[state] : "unknown state";
}
