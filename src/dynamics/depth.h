/// @file depth.h
/// How deep solids are in each other at contacts, at most: the solids that fields were baked from, and not
/// the fields.
#ifndef ABUT_DYNAMICS_DEPTH_H
#define ABUT_DYNAMICS_DEPTH_H

#include "dynamics/state/world.h"

/// Penetration depths of the contacts of the last step, and upper bounds where the bodies are
/// now.
void abut_world_measure_depth(AbutWorld* world, AbutStepReport* report);

#endif
