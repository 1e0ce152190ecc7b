/// @file depth.h
/// Upper bounds of the penetration depth at contacts: of the solids that fields were baked from, not of the
/// fields.
#ifndef ABUT_DYNAMICS_DEPTH_H
#define ABUT_DYNAMICS_DEPTH_H

#include "dynamics/state/world.h"

/// Largest penetration depth of the contacts of the last step, by the distances of the shapes.
double abut_world_max_penetration(const AbutWorld* world);

#endif
