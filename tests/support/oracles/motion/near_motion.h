/// @file near_motion.h
/// Random motions of two primitives that come near to touching: head on, grazing, turning about points inside
/// and outside, starting or ending there. The gap at any time is known exactly.
#ifndef ABUT_TEST_NEAR_MOTION_H
#define ABUT_TEST_NEAR_MOTION_H

#include "support/oracles/near_touching.h"

#include <abut/toi.h>

typedef struct NearMotion
{
    NearPair pair; ///< at time 0; its gap is that there
    AbutMotion motions[2];
} NearMotion;

NearMotion near_motion_make(TestRandom* random, AbutShapeKind a, AbutShapeKind b, NearStyle style);

/// A motion that leads through the poses of a pair at some time, but for rounding.
NearMotion near_motion_through(TestRandom* random, const NearPair* pair);

Exact near_motion_gap(const NearMotion* motion, Exact time, ExactVec* direction);

/// The smallest gap in [0, end] that a scan with refinement finds, and its time: never less than the smallest
/// there is. Where a gap is not over 0, it ends: *time need not be the first one then.
Exact near_motion_least(const NearMotion* motion, Exact end, Exact* time);

void near_motion_print(const NearMotion* motion);

#endif
