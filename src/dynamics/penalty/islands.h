/// @file islands.h
/// Islands of a substep: bodies that may touch each other are solved together.
#ifndef ABUT_DYNAMICS_PENALTY_ISLANDS_H
#define ABUT_DYNAMICS_PENALTY_ISLANDS_H

#include <abut/dynamics.h>

AbutResult abut_penalty_find_islands(AbutWorld* world);

#endif
