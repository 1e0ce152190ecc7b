// Names of phases and kinds of pairs, and laps.
#include "dynamics/state/profile.h"

#include "base/wall_clock.h"

const char* abut_step_phase_name(AbutStepPhase phase)
{
    static const char* const names[ABUT_PHASE_COUNT] = { "pairs",       "search", "manifolds",
                                                         "constraints", "solve",  "update",
                                                         "clamp",       "finish", "report" };
    return (uint32_t)phase < ABUT_PHASE_COUNT ? names[phase] : "";
}

const char* abut_pair_kind_name(AbutPairKind kind)
{
    static const char* const names[ABUT_PAIR_KIND_COUNT] = { "convex", "fields", "field and shape",
                                                             "shapes" };
    return (uint32_t)kind < ABUT_PAIR_KIND_COUNT ? names[kind] : "";
}

void abut_profiler_begin(AbutProfiler* profiler)
{
    *profiler = (AbutProfiler){ .since = abut_wall_clock() };
}

void abut_profiler_lap(AbutProfiler* profiler, AbutStepPhase phase)
{
    double now = abut_wall_clock();
    profiler->profile.seconds[phase] += now - profiler->since;
    profiler->since = now;
}
