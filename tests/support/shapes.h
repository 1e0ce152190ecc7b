/// @file shapes.h
/// Shapes made in one line; each call must succeed, and the caller destroys what it gets.
#ifndef ABUT_TEST_SHAPES_H
#define ABUT_TEST_SHAPES_H

#include "support/support.h"

AbutShape* test_make_sphere(float radius);
AbutShape* test_make_torus(float major_radius, float minor_radius);
AbutShape* test_make_box(float x, float y, float z);

/// Takes over `child`.
AbutShape* test_transformed(AbutShape* child, const AbutPose* pose);

/// Spheres, boxes and rings of sizes from 0.005 to 0.6 in and about a cube of side 2: nine of them joined,
/// three taken away.
AbutShape* test_make_random_solid(TestRandom* random);

#endif
