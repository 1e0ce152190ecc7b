/// @file point_hull.h (internal)
/// Storage of a point hull: a point set of the centers, and radii in its order.
#ifndef ABUT_POINTS_HULL_POINT_HULL_H
#define ABUT_POINTS_HULL_POINT_HULL_H

#include <abut/points.h>

#include <stdatomic.h>

struct AbutPointHull
{
    AbutHost host;
    AbutPointSet* points;
    float* radii;      // of the points, in their order
    float* node_radii; // the largest radius under each node of the sphere tree
    AbutPointHullInfo info;
    atomic_uint_least32_t owners;
};

#endif
