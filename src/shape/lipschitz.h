/// @file lipschitz.h
/// How fast a shape's value grows with the distance from its bounds: what lets offsets, shells and blends know theirs.
///
/// Let S be the signed distance from a point to the box `bounds` measured along the axes, the largest of the six numbers
/// x − max.x, min.x − x, y − max.y, ..., and E the Euclidean one; inside of the box they are equal. The value f keeps
///
///     f ≥ S inside,   f ≥ S/axes and f ≥ E/ball outside,   1 ≤ axes ≤ ball ≤ √3·axes.
///
/// So the solid { f ≤ d } lies in the box grown by axes·d on every side (shrunk by −d when d is negative). An exact distance
/// has both numbers 1. The maximum of two functions keeps S but not E: at a corner of three half-spaces f grows like S, √3
/// times slower than E. Turning a shape keeps E but not S. Infinite numbers mean that nothing is known, and that whatever
/// grows has infinite bounds. A box may be inside out (nothing is solid); S still means what it says.
#ifndef ABUT_SHAPE_LIPSCHITZ_H
#define ABUT_SHAPE_LIPSCHITZ_H

#include "math/transform.h"

typedef struct AbutGrowth
{
    float axes;
    float ball;
} AbutGrowth;

AbutGrowth abut_growth_exact(void);
AbutGrowth abut_growth_unknown(void);

/// Of min(a, b) in a box around the boxes of a and b.
AbutGrowth abut_growth_of_both(AbutGrowth a, AbutGrowth b);

/// Of max(f₁, f₂, ...) from the growth along each side of the box, and an upper bound for `ball`.
AbutGrowth abut_growth_of_sides(const float along[6], float ball);

/// Of f − distance, in a box resized by abut_growth_resize().
AbutGrowth abut_growth_after_resize(AbutGrowth growth, float distance);

/// Of f/factor, in the same box.
AbutGrowth abut_growth_divided(AbutGrowth growth, float factor);

/// Of a shape that stands in `frame`, in the box that abut_growth_place() gives.
AbutGrowth abut_growth_placed(AbutGrowth growth, const AbutFrame* frame);

/// Bounds of f − distance, rounded outwards.
AbutBox abut_growth_resize(AbutBox bounds, AbutGrowth growth, float distance);

/// Bounds of a placed shape.
AbutBox abut_growth_place(AbutBox bounds, const AbutPose* pose);

#endif
