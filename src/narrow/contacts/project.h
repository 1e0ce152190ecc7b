/// @file project.h
/// Projection of points onto the intersection of two shapes: each step leads to the surface of the further
/// shape, or to the curve where both surfaces meet.
#ifndef ABUT_NARROW_CONTACTS_PROJECT_H
#define ABUT_NARROW_CONTACTS_PROJECT_H

#include "search/pair.h"

/// Moves the points of the batch by at most `steps` steps, until max(distance of A, distance of B) ≤ target;
/// the batch has the samples of the last positions, with gradients.
void abut_narrow_project(AbutPair* pair, AbutPairBatch* batch, int steps, float target);

#endif
