/// @file pair_scene.h
/// Bodies of six shapes, all of their pairs, and steps of a collider over them.
#ifndef ABUT_TEST_PAIR_SCENE_H
#define ABUT_TEST_PAIR_SCENE_H

#include "support/support.h"

#include <abut/narrow.h>

enum
{
    TEST_BODIES = 40,
    TEST_MOST_PAIRS = TEST_BODIES * TEST_BODIES,
    TEST_VARIANTS = 5 // of settings
};

typedef struct TestPairScene
{
    AbutShape* shapes[6];
    AbutCollideBody bodies[TEST_BODIES];
    AbutBodyPair pairs[TEST_MOST_PAIRS];
    size_t pair_count;
} TestPairScene;

void test_create_shapes(AbutShape* shapes[6]);

/// Body 0 is the plane; all pairs with a < b.
void test_pair_scene_init(TestPairScene* scene, uint64_t seed);
void test_pair_scene_destroy(TestPairScene* scene);

AbutCollider* test_create_collider(const AbutHost* host);
AbutCollideResults test_collide_pair_scene(AbutCollider* collider, const TestPairScene* scene,
                                           const AbutCollideSettings* settings);

/// Settings for both methods, and for options of particles.
AbutCollideSettings test_collide_variant(int i);

/// Everything of the results that has a meaning.
uint64_t test_hash_results(const AbutCollideResults* results);

#endif
