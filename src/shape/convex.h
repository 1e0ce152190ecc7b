/// @file convex.h
/// The shape of a convex hull.
#ifndef ABUT_SHAPE_CONVEX_H
#define ABUT_SHAPE_CONVEX_H

#include "hull/hull.h"
#include "shape/shape.h"

typedef struct AbutConvexShape
{
    AbutShape base;
    AbutHull* hull;
} AbutConvexShape;

/// The hull of a shape that is known to be convex.
static inline const AbutHull* abut_convex_hull(const AbutShape* shape)
{
    ABUT_ASSERT(shape->info.kind == ABUT_SHAPE_CONVEX);
    return ((const AbutConvexShape*)shape)->hull;
}

#endif
