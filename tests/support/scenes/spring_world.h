/// @file spring_world.h
/// Worlds that answer with springs, for the tests of the penalty response.
#ifndef ABUT_TEST_SPRING_WORLD_H
#define ABUT_TEST_SPRING_WORLD_H

#include "support/shapes.h"

#include <abut/dynamics.h>

/// One substep, no sleep.
AbutWorldDef test_spring_def(AbutPenaltyScheme scheme);
AbutWorld* test_spring_world(const AbutWorldDef* def);

/// A field of few cells, which has its mass at hand: that of a formula takes a fine field. Takes over the
/// shape.
AbutShape* test_spring_coarse(AbutShape* shape);

/// Takes over the shape. `points` may be NULL.
AbutBodyId test_spring_add(AbutWorld* world, AbutShape* shape, AbutPointSet* points, AbutBodyKind kind,
                           AbutPose pose, AbutMaterial material);

/// A half space under the plane through the origin that falls towards +x by an angle.
void test_spring_add_ground(AbutWorld* world, double slope, AbutMaterial material);

/// A ball of radius 0.1 and mass 1 whose lowest point alone is felt, at a height over the ground at y = 0,
/// falling.
AbutBodyId test_spring_add_ball(AbutWorld* world, double height, double speed, AbutMaterial material);

AbutStepReport test_spring_run(AbutWorld* world, double step, int count);

#endif
