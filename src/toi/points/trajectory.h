/// @file trajectory.h
/// Where the points of a moving body are in the frame of another, and how far they get.
///
/// At any time the places of points are an affine map of them, and so are their velocities. The speed of a point is at most that at
/// a time plus the way in time times a bound of its change: u = ḋ − α×d + (β − α)×B x (math/motion.h) changes by
/// −α×ḋ + (β − α)×(β×B x).
#ifndef ABUT_TOI_POINTS_TRAJECTORY_H
#define ABUT_TOI_POINTS_TRAJECTORY_H

#include "math/motion.h"

#include <math.h>

typedef struct AbutTrajectory
{
    AbutRelativeMotion motion;
    bool linear;       // straight from the first place to the last
    double ends[3][4]; // linear: where points are at 1
    double starts[3][4];
    double scale_ratio;            // a sphere of radius r is one of stretch · r
    double angular_speed;          // speeds of points r apart differ by spread · r at most
    double acceleration_bounds[2]; // speeds change by at most bend[0] + bend[1] · |x − center| per step
    double center[3];
    double max_acceleration; // of all points: abut_trajectory_set_bounds()
} AbutTrajectory;

/// Places, velocities and accelerations of points x at a time: at · (x, 1), rate · (x, 1), pull · (x, 1).
typedef struct AbutTrajectorySample
{
    double at[3][4];
    double rate[3][4];
    double acceleration[3][4];
} AbutTrajectorySample;

AbutTrajectory abut_trajectory_make(const AbutRelativeMotion* motion, bool linear);

void abut_trajectory_at(const AbutTrajectory* path, double time, AbutTrajectorySample* out);

/// All points are in a sphere.
void abut_trajectory_set_bounds(AbutTrajectory* path, AbutVec3 center, float radius);

/// Upper bound of how far any point of a sphere within that gets, within `half` before and after a time, from its place then; `rate` is
/// the velocity of the centre.
static inline double abut_trajectory_distance(const AbutTrajectory* path, const double rate[3], double radius,
                                              double half)
{
    double speed =
        sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2]) + path->angular_speed * radius;
    return half * (speed + 0.5 * half * path->max_acceleration) * (1.0 + 1e-9);
}

/// Upper bound of the speed of a point at any time.
double abut_trajectory_max_speed(const AbutTrajectory* path, const double point[3]);

/// `map` is only read; as an array of arrays C17 takes it without const.
static inline void abut_trajectory_apply(double map[3][4], const double x[3], double out[3])
{
    for (int row = 0; row < 3; ++row)
    {
        const double* m = map[row];
        out[row] = m[0] * x[0] + m[1] * x[1] + m[2] * x[2] + m[3];
    }
}

#endif
