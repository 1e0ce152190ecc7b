#include <abut/toi.h>

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
