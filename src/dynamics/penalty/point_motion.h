/// @file point_motion.h
/// The way of one point through a solid over a step, and what its spring does on it: everything in the axes
/// of the solid, through which the point goes straight, about the centre of mass of the solid's body; lengths
/// are those of the world.
#ifndef ABUT_DYNAMICS_PENALTY_POINT_MOTION_H
#define ABUT_DYNAMICS_PENALTY_POINT_MOTION_H

#include "dynamics/penalty/penalty.h"

enum
{
    ABUT_POINT_MOTION_SAMPLES = 3 // at the beginning, the middle and the end of a way
};

/// What all points of a pair that go through the same solid have in common.
typedef struct AbutPointMotionSolid
{
    const AbutShape* shape;
    const AbutPenaltyLaw* law;
    double scale, inverse_scale; // of the shape, and 1 over it
    double lipschitz;            // slope of the shape
    bool is_flat;                // a plane, which a straight way crosses once
    double tolerance;            // being inside or outside by less for a part of the way may go unseen
    double
        lattice; // looks are taken at places of a lattice: what rounds a coordinate to one when it is added and taken off
    double sample_offset; // how far a look may be from its place
    double short_length;  // one look does for a way that is no longer
    double center[3];     // of mass, in the shape
    double seconds;
    uint32_t midpoint_count;
} AbutPointMotionSolid;

typedef struct AbutPointMotion
{
    const AbutPointMotionSolid* solid;
    double from[3], displacement[3];
    double step_displacement
        [3]; // what the point moves over the step; `displacement`, unless the force is sampled at the end
    double length; // of `displacement`
} AbutPointMotion;

/// The spring at a time of the step.
typedef struct AbutSpringState
{
    double time;
    double depth;     // under 0 outside
    double normal[3]; // unit
    double slope;     // of the field
    double force;     // along the normal; under 0 where damping would pull
} AbutSpringState;

/// Sums over the time inside, as parts of the step.
typedef struct AbutSpringSums
{
    double force[3], torque[3];
    double strength;           // of the force, without direction
    double position[3];        // times strength
    double active, active_lag; // time that it pushes, and its first moment
    double inside;             // time
    double slope;              // squared, times active
    double max_depth;
} AbutSpringSums;

/// Sets what depends on the size of the smaller body.
void abut_point_motion_set_radius(AbutPointMotionSolid* solid, double radius);

/// Where to look for the state at a time, in the shape's frame. Not quite there: at the nearest place of a
/// lattice, so that what moves by next to nothing sees the very same, and forces change as smoothly as ways
/// do, not as float rounds.
void abut_point_motion_sample_position(const AbutPointMotion* motion, double time, float at[3]);

/// The state at a time as it follows from a look near to it: along the gradient.
AbutSpringState abut_point_motion_state(const AbutPointMotion* motion, double time,
                                        const AbutPenaltySample* sample);

/// Adds the parts of the way that are inside, by three looks where they tell, else by more. Says whether the
/// point is inside from the start on.
bool abut_point_motion_integrate(const AbutPointMotion* motion,
                                 const AbutSpringState states[ABUT_POINT_MOTION_SAMPLES],
                                 AbutSpringSums* sums);

#endif
