/// @file trajectory_samples.h
/// Where bodies are at ticks of the time, and paths of points between two of them as quintics.
///
/// A quintic has the places, velocities and accelerations of the true path at its ends. It deviates from it by at most h⁶/46080 times the
/// sixth derivative, and turning by a rate w makes that w⁶ times the distance. Quintics are so short that this is under 1e-7 of the
/// distances: less than the rounding of places to float. Straight paths are what they are.
#ifndef ABUT_TOI_POINTS_TRAJECTORY_SAMPLES_H
#define ABUT_TOI_POINTS_TRAJECTORY_SAMPLES_H

#include "toi/points/trajectory.h"

enum
{
    ABUT_TRAJECTORY_TICKS = 512 // of the time from 0 to 1
};

typedef struct AbutTrajectorySamples
{
    const AbutTrajectory* path;
    double span_ticks; // ticks that a quintic may be long: a whole number of them, or one over it
    bool is_straight;  // all paths are
    bool has[ABUT_TRAJECTORY_TICKS + 1]; // filled when they are asked for
    AbutTrajectorySample table[ABUT_TRAJECTORY_TICKS + 1];
} AbutTrajectorySamples;

void abut_trajectory_samples_init(AbutTrajectorySamples* trajectory_samples, const AbutTrajectory* path);

AbutTrajectorySample* abut_trajectory_samples_at(AbutTrajectorySamples* trajectory_samples, uint32_t tick);

/// The path of a point over a part of the time: c[axis][0] + c[axis][1] s + ..., s from 0 to 1.
typedef struct AbutQuintic
{
    double c[3][6];
    double max_speed; // |change with s| is at most this
} AbutQuintic;

/// Between two times in ticks, which need not be whole, not more than knots->piece apart.
void abut_trajectory_samples_quintic(AbutTrajectorySamples* trajectory_samples, const double point[3],
                                     double begin, double end, AbutQuintic* out);

/// The same for all points: c[k] is the affine map of a point to its coefficients of s^k. Straight paths have two of them, others six.
void abut_trajectory_samples_maps(AbutTrajectorySamples* trajectory_samples, double begin, double end,
                                  double c[6][3][4]);

static inline void abut_quintic_at(const AbutQuintic* span_ticks, double s, float at[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        const double* c = span_ticks->c[axis];
        at[axis] = (float)(c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5])))));
    }
}

#endif
