/// @file trajectory.h
/// Trajectories of all points of a moving body in the frame of another: samples and displacement bounds.
///
/// At any time the positions of points are an affine map of the points, and so are their velocities. The
/// speed of a point is at most its speed at a sample plus the elapsed time times a bound of its acceleration:
/// the velocity u = ḋ − α×d + (β − α)×B x (math/motion.h) changes by −α×ḋ + (β − α)×(β×B x).
#ifndef ABUT_TOI_POINTS_TRAJECTORY_H
#define ABUT_TOI_POINTS_TRAJECTORY_H

#include "math/daffine.h"
#include "math/motion.h"

#include <math.h>

/// Lengths of points are in units of the moving body, positions and speeds in units of the other one.
typedef struct AbutTrajectory
{
    AbutRelativeMotion motion;
    bool linear;          // straight from the first position to the last
    AbutDAffine starts;   // linear: positions at 0
    AbutDAffine ends;     // linear: positions at 1
    double scale_ratio;   // a sphere of radius r has the radius scale_ratio · r in the other frame
    double angular_speed; // speeds of points r apart differ by at most angular_speed · r
    // Speeds change by at most linear_acceleration + angular_acceleration · |x − center of motion| per step.
    double linear_acceleration, angular_acceleration;
    double max_acceleration; // of all points: abut_trajectory_set_bounds()
} AbutTrajectory;

/// Positions, velocities and accelerations of all points at a time, as maps of the points.
typedef struct AbutTrajectorySample
{
    AbutDAffine position, velocity, acceleration;
} AbutTrajectorySample;

AbutTrajectory abut_trajectory_make(const AbutRelativeMotion* motion, bool linear);

void abut_trajectory_at(const AbutTrajectory* trajectory, double time, AbutTrajectorySample* out);

/// Sets the bounding sphere of all points.
void abut_trajectory_set_bounds(AbutTrajectory* trajectory, AbutVec3 center, float radius);

/// Upper bound of the displacement of any point of a sphere, inside the bounding sphere, within `half` before
/// and after a time; `velocity` is that of the sphere's centre at the time.
static inline double abut_trajectory_distance(const AbutTrajectory* trajectory, AbutDVec3 velocity,
                                              double radius, double half)
{
    double speed = abut_dvec3_length(velocity) + trajectory->angular_speed * radius;
    return half * (speed + 0.5 * half * trajectory->max_acceleration) * (1.0 + 1e-9);
}

/// Upper bound of the speed of a point at any time.
double abut_trajectory_max_speed(const AbutTrajectory* trajectory, AbutDVec3 point);

#endif
