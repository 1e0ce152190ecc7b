/// @file integrate.h
/// Time integration of one body.
#ifndef ABUT_DYNAMICS_STATE_INTEGRATE_H
#define ABUT_DYNAMICS_STATE_INTEGRATE_H

#include "dynamics/state/body.h"

/// Velocities within the limits of a step of `seconds`; zero where they are not finite.
void abut_body_limit_speed(AbutBody* body, double seconds);

/// A body with a position or rotation that is not finite returns to the start of the pass, at rest.
/// Velocities keep to the limits of <abut/dynamics.h>.
void abut_body_keep_finite(AbutBody* body);

/// The same for all bodies that move, after each pass: finite, whatever the values of shapes, callbacks and
/// forces.
void abut_world_keep_finite(AbutWorld* world);

/// Acceleration of the centre of mass by gravity and the applied force, along the free axes.
AbutDVec3 abut_body_acceleration(const AbutBody* body, AbutVec3 gravity);

void abut_body_integrate_velocity(AbutBody* body, AbutVec3 gravity, double seconds);
void abut_body_integrate_position(AbutBody* body, AbutVec3 gravity, double seconds);

/// Kinetic energy.
double abut_body_energy(const AbutBody* body);

#endif
