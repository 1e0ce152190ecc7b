/// @file wall_clock.h
/// Wall time, for reports only: no result depends on it.
#ifndef ABUT_BASE_WALL_CLOCK_H
#define ABUT_BASE_WALL_CLOCK_H

/// Seconds.
double abut_wall_clock(void);

#endif
