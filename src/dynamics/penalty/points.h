/// @file points.h
/// Surface points of bodies.
#ifndef ABUT_DYNAMICS_PENALTY_POINTS_H
#define ABUT_DYNAMICS_PENALTY_POINTS_H

#include "dynamics/state/body.h"

/// Points of a new body: those of its def, or sampled from its shape.
AbutResult abut_penalty_attach_points(AbutWorld* world, const AbutBodyDef* def, AbutBody* body);
void abut_penalty_release_points(AbutWorld* world, AbutBody* body);

#endif
