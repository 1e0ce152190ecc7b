/// @file near_touching.h
/// Random pairs of primitives that nearly touch: of any scale to each other, near and far from their origins
/// and the world's, turned at random or along axes, with a gap that is known exactly.
#ifndef ABUT_TEST_NEAR_TOUCHING_H
#define ABUT_TEST_NEAR_TOUCHING_H

#include "support/oracles/exact.h"

typedef struct NearPair
{
    ExactShape shapes[2];
    AbutPose poses[2];
    double size; ///< largest extent of the smaller one, in the world
    Exact gap;   ///< of the solids in the world: over 0 apart, else they share a point
} NearPair;

typedef enum NearStyle
{
    NEAR_EQUAL,   ///< about the same size, near the world's origin
    NEAR_SCALES,  ///< sizes of up to 1e6 to each other, scales of poses that are not 1
    NEAR_FAR,     ///< up to 1e7 from the world's origin and from the plane's
    NEAR_EXTREME, ///< lengths and scales from 1e-11 to 1e11, up to 1e15 from the world's origin
    NEAR_APART,   ///< of any scale, with gaps of up to 1e4 of the size
    NEAR_LATTICE, ///< everything is a multiple of one length, rotations are quarter turns: gaps of exactly 0
    NEAR_STYLE_COUNT
} NearStyle;

const char* near_style_name(NearStyle style);

/// The gap is ±k · size with k from 1e-9 to 1e-1, all magnitudes alike, or as near to that as positions in
/// double come.
NearPair near_pair_make(TestRandom* random, AbutShapeKind a, AbutShapeKind b, NearStyle style);

/// The same with shapes that are given, in poses of any scale (NEAR_EQUAL: of scales that make them about
/// equal). Not for NEAR_LATTICE. Gaps are from 1e-6 on, which suits fields.
NearPair near_pair_pose(TestRandom* random, const ExactShape* a, const ExactShape* b, NearStyle style);

/// All numbers as text that reads back to the same bits.
void near_pair_print(const NearPair* pair);

#endif
