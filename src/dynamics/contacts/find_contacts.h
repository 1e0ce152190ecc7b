/// @file find_contacts.h
/// Collision detection of a pass: broad phase, recycling, narrow phase.
#ifndef ABUT_DYNAMICS_CONTACTS_FIND_CONTACTS_H
#define ABUT_DYNAMICS_CONTACTS_FIND_CONTACTS_H

#include <abut/dynamics.h>

/// Starts a pass of `seconds` (state/motion_bounds.h), marks the manifolds that are recycled, and leaves in
/// AbutWorld.pairs the pairs for the narrow phase.
AbutResult abut_world_find_pairs(AbutWorld* world, double seconds);

/// Narrow phase of AbutWorld.pairs at the predicted poses.
AbutResult abut_world_find_contacts(AbutWorld* world, AbutCollideResults* results);

#endif
