/// @file touches.h
/// What a query knows of the pairs of triangles that it has tested.
#ifndef ABUT_BVH_TOUCHES_H
#define ABUT_BVH_TOUCHES_H

#include <abut/bvh.h>

#include "mesh/triangle/touch.h"

typedef struct AbutTouches
{
    double radius; // rounding of the corners of B
    bool all;      // all pairs are wanted, not one that is certain
    AbutTrianglePair* pairs;
    size_t capacity;
    size_t count;         // of touching pairs; with `all`
    bool close;           // a pair of triangles is neither apart nor in touch for certain
    bool contact;         // a pair is in touch for certain
    bool touching;        // the rounded corners of a pair touch
    AbutTrianglePair one; // that pair; one in touch for certain where there is any
} AbutTouches;

/// Tests a triangle of A and one of B in the frame of A. False when the query is done.
bool abut_touches_test(AbutTouches* touches, const AbutDTriangle* a, const AbutDTriangle* b, uint32_t id_a,
                       uint32_t id_b);

/// After all tests.
AbutMeshTreeState abut_touches_state(const AbutTouches* touches);

#endif
