/// @file worlds.h
/// Worlds for tests: every call must succeed.
#ifndef ABUT_TEST_WORLDS_H
#define ABUT_TEST_WORLDS_H

#include "support/shapes.h"

#include <abut/dynamics.h>

#define TEST_STEP (1.0f / 60.0f)

/// friction 0.6, no restitution
extern const AbutMaterial test_plain;

/// The defaults of abut_world_def() on a host; NULL for the default one.
AbutWorld* test_make_world(const AbutHost* host);
AbutWorld* test_make_world_of(const AbutWorldDef* def);

/// Takes over the shape.
AbutBodyId test_add_body(AbutWorld* world, AbutShape* shape, AbutBodyKind kind, AbutPose pose,
                         AbutMaterial material);

/// Takes over the def's shape.
AbutBodyId test_add_body_of(AbutWorld* world, const AbutBodyDef* def);

/// A static half-space through the origin that falls by `slope` radians towards +x.
AbutBodyId test_add_ground(AbutWorld* world, double slope, AbutMaterial material);

/// Steps of TEST_STEP; the report of the last.
AbutStepReport test_steps(AbutWorld* world, int steps);

/// Bakes the shape with so many cells along its longest side and takes it over.
AbutShape* test_bake(AbutShape* shape, uint32_t resolution);

/// Nine rings, boxes and balls that fall on a plane.
AbutWorld* test_make_pile(const AbutHost* host);

double test_position_distance(AbutPosition a, AbutPosition b);

#endif
