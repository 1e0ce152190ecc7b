/// @file resolve.h
/// What a shape is behind placed, scaled and offset shapes, for methods with a formula for the leaf: closed
/// forms, support functions, features.
#ifndef ABUT_SHAPE_RESOLVE_H
#define ABUT_SHAPE_RESOLVE_H

#include "shape/shape.h"

/// A primitive (primitive.c).
typedef struct AbutPrimitiveShape
{
    AbutShape base;
    float parameters[ABUT_KERNEL_PARAMETERS];
    /// The parameters before rounding.
    ///   sphere       radius
    ///   capsule      radius, half of the length between the centres of the caps
    ///   box          half extents without the rounding; 0
    ///   rounded box  half extents without the rounding; radius of the rounding
    ///   cylinder     radius, half of the length
    ///   cone         radius, top radius, half of the length; 4 derived numbers
    ///   torus        major radius, minor radius
    ///   plane        unit normal, within 2⁻⁵²; offset
    double exact[ABUT_KERNEL_PARAMETERS];
} AbutPrimitiveShape;

/// A shape made of one other (modify.c).
typedef struct AbutModifiedShape
{
    AbutShape base;
    AbutShape* child;
    float amount;        // offset: distance; shell: half the thickness; corrected: 1/factor
    AbutTransform frame; // of a placed shape
} AbutModifiedShape;

/// The solid is {x : scale · f(x in the frame of the leaf) ≤ offset}, f the distance of the leaf. For a
/// convex leaf and an offset ≥ 0 that is the leaf enlarged by a ball of radius `offset`; an offset under 0
/// moves the surface inwards, and may leave nothing.
typedef struct AbutResolvedShape
{
    const AbutShape* leaf; // neither placed nor offset
    AbutTransform frame;   // of the leaf in the frame of the shape
    double offset;         // sum of all offsets, in the unit of the shape
    /// Lengths of all translations and offsets on the way to the leaf, in the unit of the shape, times the
    /// number of levels: coordinates and offset are within ABUT_TRANSFORM_ROUNDING of (this, and the distance
    /// of a point from the leaf's origin times levels + 1).
    double length;
    uint32_t levels; // placed and offset shapes around the leaf; 0: `frame` is the identity
} AbutResolvedShape;

static inline bool abut_shape_is_wrapper(const AbutShape* shape)
{
    return shape->info.kind == ABUT_SHAPE_TRANSFORMED || shape->info.kind == ABUT_SHAPE_OFFSET;
}

static inline const AbutShape* abut_shape_leaf(const AbutShape* shape)
{
    while (abut_shape_is_wrapper(shape))
    {
        shape = ((const AbutModifiedShape*)shape)->child;
    }
    return shape;
}

AbutResolvedShape abut_shape_resolve(const AbutShape* shape);

/// Parameters of a primitive, as in AbutPrimitiveShape.
static inline const double* abut_shape_parameters(const AbutShape* leaf)
{
    ABUT_ASSERT(leaf->info.kind <= ABUT_SHAPE_PLANE);
    return ((const AbutPrimitiveShape*)leaf)->exact;
}

#endif
