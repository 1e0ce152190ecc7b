/// @file point_motion.h
/// Motion of one point through a solid over a substep, and the response of its spring. All in the axes of the
/// solid, in which the motion is straight, about the centre of mass of the solid's body; lengths in world
/// units.
#ifndef ABUT_DYNAMICS_PENALTY_POINT_MOTION_H
#define ABUT_DYNAMICS_PENALTY_POINT_MOTION_H

#include "dynamics/penalty/penalty.h"

enum
{
    ABUT_POINT_MOTION_SAMPLES = 3 // at the start, the middle and the end of a motion
};

/// Common data of the points of a pair in one solid.
typedef struct AbutPointMotionSolid
{
    const AbutShape* shape;
    const AbutPenaltyLaw* law;
    double scale, inverse_scale; // of the shape, and 1 over it
    double lipschitz;            // Lipschitz constant of the shape
    bool is_flat;                // a plane: a straight motion crosses it once
    double tolerance;            // crossings of less depth may go undetected
    double lattice;       // samples are at nodes of a lattice: adding and subtracting this rounds to one
    double sample_offset; // largest distance of a sample from its point
    double short_length;  // longest motion with a single sample
    AbutDVec3 center;     // of mass, in the shape
    double seconds;
    uint32_t midpoint_count;
} AbutPointMotionSolid;

typedef struct AbutPointMotion
{
    const AbutPointMotionSolid* solid;
    AbutDVec3 from, displacement;
    AbutDVec3 step_displacement; // over the substep; `displacement`, unless the force is sampled at the end
    double length;               // of `displacement`
} AbutPointMotion;

/// The spring at a time of the substep.
typedef struct AbutSpringState
{
    double time;
    double depth;     // negative outside
    AbutDVec3 normal; // unit
    double slope;     // of the field
    double force;     // along the normal; negative where damping would pull
} AbutSpringState;

/// Integrals over the time inside, in fractions of the substep.
typedef struct AbutSpringSums
{
    AbutDVec3 force, torque;
    double strength;           // norm of the force
    AbutDVec3 position;        // times strength
    double active, active_lag; // time of a positive force, and its first moment
    double inside;             // time
    double slope;              // squared, times active
    double max_depth;
} AbutSpringSums;

/// Sets the members that depend on the smaller radius.
void abut_point_motion_set_radius(AbutPointMotionSolid* solid, double radius);

/// Position of the sample for a time, in the shape's frame: the nearest node of a lattice, so that tiny
/// motions have the very same sample, and forces are as smooth as motions, not as float rounding.
void abut_point_motion_sample_position(const AbutPointMotion* motion, double time, float at[3]);

/// The state at a time from a nearby sample, along its gradient.
AbutSpringState abut_point_motion_state(const AbutPointMotion* motion, double time,
                                        const AbutPenaltySample* sample);

/// Adds the intervals inside, by three samples where they suffice, else by more. Returns whether the point is
/// inside from the start.
bool abut_point_motion_integrate(const AbutPointMotion* motion,
                                 const AbutSpringState states[ABUT_POINT_MOTION_SAMPLES],
                                 AbutSpringSums* sums);

#endif
