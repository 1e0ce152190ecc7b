/// @file motion_scenes.h
/// Two bodies with points that move towards each other, turning.
#ifndef ABUT_TEST_MOTION_SCENES_H
#define ABUT_TEST_MOTION_SCENES_H

#include "support/oracles/motion/motion_oracle.h"

typedef struct TestScene
{
    const char* name;
    AbutShape* shapes[2]; // may be NULL where the other has no points
    AbutPointSet* points[2];
    bool linear;
} TestScene;

void test_scene_destroy(TestScene* scene);

/// Random poses and motions of up to half a turn each.
AbutToiInput test_scene_input(const TestScene* scene, TestRandom* random);

AbutMesh* test_ring_mesh(void);
AbutPointSet* test_vertices_of(AbutMesh* mesh); ///< takes the mesh
AbutPointSet* test_box_points(void);
AbutShape* test_box_shape(void);
AbutShape* test_torus_shape(void);

/// A field of the ring; with an open side, in which signs are in doubt.
AbutShape* test_ring_field(AbutFieldFormat format, bool sparse, bool open);

#endif
