/// @file wall_clock.h
/// Wall time, for reports only.
#ifndef ABUT_DYNAMICS_STATE_WALL_CLOCK_H
#define ABUT_DYNAMICS_STATE_WALL_CLOCK_H

/// Seconds.
double abut_world_now(void);

/// Wall times of the phases of a step, in seconds.
typedef struct AbutStepTimes
{
    double broad, contacts, solver;
} AbutStepTimes;

#endif
