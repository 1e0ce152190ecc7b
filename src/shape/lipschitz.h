/// @file lipschitz.h
/// Lower Lipschitz bound: the growth of a shape's value with the distance from its bounds, from which
/// offsets, shells and blends derive their bounds.
///
/// Let S be the signed distance from a point to the box `bounds` measured along the axes, the largest of the
/// six numbers x − max.x, min.x − x, y − max.y, ..., and E the Euclidean one; inside of the box they are
/// equal. The value f satisfies
///
///     f ≥ S inside,   f ≥ S/axes and f ≥ E/ball outside,   1 ≤ axes ≤ ball ≤ √3·axes.
///
/// So the solid { f ≤ d } lies in the box grown by axes·d on every side (shrunk by −d when d is negative). An
/// exact distance has both numbers 1. The maximum of two functions keeps S but not E: at a corner of three
/// half-spaces f grows like S, √3 times slower than E. A rotation keeps E but not S. Infinite numbers mean
/// that nothing is known, and that grown shapes have infinite bounds. A box may be inverted (nothing is
/// solid); S is defined all the same.
#ifndef ABUT_SHAPE_LIPSCHITZ_H
#define ABUT_SHAPE_LIPSCHITZ_H

#include "math/transform.h"

typedef struct AbutLowerLipschitz
{
    float max_norm;
    float euclidean;
} AbutLowerLipschitz;

AbutLowerLipschitz abut_lipschitz_exact(void);
AbutLowerLipschitz abut_lipschitz_unknown(void);

/// Of min(a, b) in a box around the boxes of a and b.
AbutLowerLipschitz abut_lipschitz_of_union(AbutLowerLipschitz a, AbutLowerLipschitz b);

/// Of max(f₁, f₂, ...) from the growth along each side of the box, and an upper bound for `euclidean`.
AbutLowerLipschitz abut_lipschitz_of_intersection(const float along[6], float euclidean);

/// Of f − distance, in a box resized by abut_lipschitz_offset_bounds().
AbutLowerLipschitz abut_lipschitz_of_offset(AbutLowerLipschitz lower_lipschitz, float distance);

/// Of f/factor, in the same box.
AbutLowerLipschitz abut_lipschitz_divided(AbutLowerLipschitz lower_lipschitz, float factor);

/// Of a shape transformed by `frame`, in the box of abut_lipschitz_transform_bounds().
AbutLowerLipschitz abut_lipschitz_transformed(AbutLowerLipschitz lower_lipschitz, const AbutTransform* frame);

/// Bounds of f − distance, rounded outwards.
AbutBox abut_lipschitz_offset_bounds(AbutBox bounds, AbutLowerLipschitz lower_lipschitz, float distance);

/// Bounds of a transformed shape.
AbutBox abut_lipschitz_transform_bounds(AbutBox bounds, const AbutPose* pose);

#endif
