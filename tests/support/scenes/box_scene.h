/// @file box_scene.h
/// Random worlds of boxes that come, move and go, and their pairs by brute force.
#ifndef ABUT_TEST_BOX_SCENE_H
#define ABUT_TEST_BOX_SCENE_H

#include "support/support.h"

typedef enum BoxSceneKind
{
    BOX_SCENE_EVEN,     ///< boxes of about one size
    BOX_SCENE_GRID,     ///< corners on whole numbers: faces, edges and corners touch
    BOX_SCENE_INFINITE, ///< some sides, or all, without end
    BOX_SCENE_SIZES,    ///< sizes from 1 to 100,000
    BOX_SCENE_CROWDS,   ///< a few crowds, far from each other, and a box here and there far out
    BOX_SCENE_POINTS,   ///< without size on one axis or all
    BOX_SCENE_LINE,     ///< long and thin
    BOX_SCENE_SAME,     ///< many times the same box
    BOX_SCENE_HUGE,     ///< coordinates up to the largest float and down to the smallest
    BOX_SCENE_KIND_COUNT
} BoxSceneKind;

const char* box_scene_name(BoxSceneKind kind);

/// Boxes by id; those that are not there are not alive.
typedef struct BoxScene
{
    BoxSceneKind kind;
    TestRandom random;
    uint32_t count, capacity; ///< ids
    AbutBox* boxes;
    AbutVec3* velocity;
    uint32_t* group;
    uint32_t* mask;
    bool* alive;
    bool filtered; ///< groups and masks are given out at random
} BoxScene;

BoxScene box_scene_make(BoxSceneKind kind, uint32_t capacity, bool filtered, uint64_t seed);
void box_scene_free(BoxScene* scene);

/// A box as the scene has them; now and then an empty one.
AbutBox box_scene_random_box(BoxScene* scene);

/// Adds one to the scene and to each of `sets`, which must give it the same id.
void box_scene_add(BoxScene* scene, AbutBroad* const* sets, int set_count);

/// Moves, adds, removes and filters some at random, in the scene and in the sets. `fraction` of the boxes
/// move: a little when `coherent`, else anywhere.
void box_scene_step(BoxScene* scene, AbutBroad* const* sets, int set_count, double fraction, bool coherent);

/// Fails unless the sets have the scene's pairs, in order.
void box_scene_check(const BoxScene* scene, AbutBroad* const* sets, int set_count);

#endif
