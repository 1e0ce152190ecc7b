/// @file motion.h
/// Motion of a body over a pass: from the start pose to the pose of the solver, at constant linear and
/// angular velocity.
#ifndef ABUT_DYNAMICS_CCD_MOTION_H
#define ABUT_DYNAMICS_CCD_MOTION_H

#include "dynamics/state/body.h"
#include "dynamics/state/step_context.h"

#include <abut/toi.h>

typedef struct AbutCcdMotion
{
    AbutDVec3 displacement;
    double rotation_travel; // bound of the displacement of a point by the rotation
    AbutDMat3 start, end;   // rotations
    AbutDVec3 rotation_vector;
    AbutDVec3 predicted_displacement; // from the start to the predicted pose
    AbutDVec3 predicted_rotation_vector;
    double radius;
    double fraction;
    bool moves;        // dynamic and awake: may be clamped
    bool is_at_rest;   // static or asleep
    bool is_kinematic; // prescribed motion: is never clamped
} AbutCcdMotion;

/// Sets the rotation vector of the pass; before all functions below.
void abut_ccd_motion_set_rotation(AbutBody* body);

/// The same, and the fraction that stays within the swept box of the broad phase.
void abut_ccd_motion_begin(const AbutStepContext* step, AbutBody* body);

AbutCcdMotion abut_ccd_motion_of(const AbutBody* body);

/// Bound of the relative displacement of points of two bodies.
double abut_ccd_motion_relative(const AbutCcdMotion* a, const AbutCcdMotion* b);

/// The same, from the predicted poses.
double abut_ccd_motion_from_prediction(const AbutCcdMotion* a, const AbutCcdMotion* b);

/// The fraction of both motions; a body at rest completes any.
double abut_ccd_motion_common_fraction(const AbutCcdMotion* a, const AbutCcdMotion* b);

/// Bound of the relative displacement when both complete the common fraction, then one of them the rest
/// alone.
double abut_ccd_motion_sequential(const AbutCcdMotion* a, const AbutCcdMotion* b);

/// Pose after a fraction of the motion.
void abut_ccd_motion_at(const AbutBody* body, double fraction, AbutDVec3* position, AbutDQuat* rotation);
AbutPose abut_ccd_motion_pose(const AbutBody* body, double fraction);

/// The motion between two fractions.
AbutMotion abut_ccd_motion_interval(const AbutBody* body, double from, double to);

#endif
