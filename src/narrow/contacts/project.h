/// @file project.h
/// Points brought into what two shapes have in common, as particles: each steps to the surface of the shape
/// that is further away, or to where the two surfaces cross when that takes both.
#ifndef ABUT_NARROW_CONTACTS_PROJECT_H
#define ABUT_NARROW_CONTACTS_PROJECT_H

#include "search/pair.h"

/// Moves the points of the batch for at most `steps` rounds, until max(distance of A, distance of B) ≤
/// target; the samples of the last places stay in the batch, with gradients.
void abut_narrow_project(AbutPair* pair, AbutPairBatch* batch, int steps, float target);

#endif
