/// @file trajectory_samples.h
/// Samples of a trajectory at ticks of the time, and trajectories of points between two of them as quintics.
///
/// A quintic has the positions, velocities and accelerations of the true trajectory at its ends. It deviates
/// from it by at most h⁶/46080 times the sixth derivative, which is w⁶ times the distance for a rotation at
/// the rate w. Quintics are so short that this is under 1e-7 of the distances: less than the rounding of
/// positions to float. Straight trajectories are exact.
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
    double span_ticks; // length of a quintic in ticks: a whole number, or one over a whole number
    bool is_straight;  // all trajectories are straight
    bool has[ABUT_TRAJECTORY_TICKS + 1]; // samples are made on demand
    AbutTrajectorySample table[ABUT_TRAJECTORY_TICKS + 1];
} AbutTrajectorySamples;

void abut_trajectory_samples_init(AbutTrajectorySamples* samples, const AbutTrajectory* path);

/// @param tick 0 to ABUT_TRAJECTORY_TICKS
const AbutTrajectorySample* abut_trajectory_samples_at(AbutTrajectorySamples* samples, uint32_t tick);

/// The trajectory of a point over an interval: c[axis][0] + c[axis][1] s + ..., s from 0 to 1.
typedef struct AbutQuintic
{
    double c[3][6];
    double max_speed; // upper bound of |d/ds|
} AbutQuintic;

/// Between two times in ticks, not necessarily whole, at most samples->span_ticks apart.
void abut_trajectory_samples_quintic(AbutTrajectorySamples* samples, AbutDVec3 point, double begin,
                                     double end, AbutQuintic* out);

/// The same for all points: c[k] is the affine map of a point to its coefficients of s^k. Straight
/// trajectories have two of them, others six.
void abut_trajectory_samples_maps(AbutTrajectorySamples* samples, double begin, double end, AbutDAffine c[6]);

static inline void abut_quintic_at(const AbutQuintic* quintic, double s, float at[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        const double* c = quintic->c[axis];
        at[axis] = (float)(c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5])))));
    }
}

#endif
