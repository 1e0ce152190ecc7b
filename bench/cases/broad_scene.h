/// @file broad_scene.h (internal to bench broad)
/// Moving boxes of which each meets a few others.
#ifndef ABUT_BENCH_BROAD_SCENE_H
#define ABUT_BENCH_BROAD_SCENE_H

#include <abut/abut.h>

typedef struct BroadScene
{
    uint32_t count;
    bool
        /// from 1 to 1000 (any size between two of them is as likely as between their multiples), or all
        /// about 1
        sized;
    bool random; ///< each step every box is somewhere else, or each goes its way
    AbutBox world;
    AbutBox* boxes;
    AbutVec3* velocity;
    uint64_t state;
} BroadScene;

/// False, with a message on stderr, when there is no memory.
bool broad_scene_create(uint32_t count, bool sized, bool random, BroadScene* out);
void broad_scene_destroy(BroadScene* scene);

void broad_scene_step(BroadScene* scene);

#endif
