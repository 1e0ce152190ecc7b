/// @file depth.h
/// Upper bounds of the penetration depth at contacts: of the solids that fields were baked from, not of the
/// fields.
#ifndef ABUT_DYNAMICS_DEPTH_H
#define ABUT_DYNAMICS_DEPTH_H

#include "dynamics/state/world.h"

/// Penetration depths of the contacts of the last step, and upper bounds at the present poses.
void abut_world_measure_depth(AbutWorld* world, AbutStepReport* report);

#endif
