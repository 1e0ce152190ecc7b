/// @file hull_pairs.h
/// Truth for pairs of hulls: all axes and all features, in double, and in quad precision near touching.
#ifndef ABUT_TEST_HULL_PAIRS_H
#define ABUT_TEST_HULL_PAIRS_H

#include "support/oracles/exact.h"

enum
{
    HULL_PAIR_VERTICES = 24,
    HULL_PAIR_FACES = 2 * HULL_PAIR_VERTICES,
    HULL_PAIR_EDGES = 3 * HULL_PAIR_VERTICES
};

/// Distance of two hulls of at most HULL_PAIR_VERTICES vertices, whose difference is not flat; under 0: minus
/// the length of the shortest translation that parts them. Good to 1e-13 of the coordinates; the sign is that
/// of quad precision.
double hull_pair_gap(const AbutHull* a, const AbutPose* pose_a, const AbutHull* b, const AbutPose* pose_b);

#endif
