/// @file profile.h
/// The profile of a step in the making.
#ifndef ABUT_DYNAMICS_STATE_PROFILE_H
#define ABUT_DYNAMICS_STATE_PROFILE_H

#include <abut/dynamics.h>

typedef struct AbutProfiler
{
    AbutStepProfile profile;
    double since; // wall time of the last lap
} AbutProfiler;

/// A profile of zeros, and the first lap begins.
void abut_profiler_begin(AbutProfiler* profiler);

/// Adds the time since the last lap to a phase.
void abut_profiler_lap(AbutProfiler* profiler, AbutStepPhase phase);

#endif
