/// @file krayer_scenes.h (internal to bench krayer)
/// The three scenes of Krayer et al., Table 1, in kind: bodies at rest, placed by dropping one after the
/// other until it touches.
#ifndef ABUT_BENCH_KRAYER_SCENES_H
#define ABUT_BENCH_KRAYER_SCENES_H

#include <abut/abut.h>

enum
{
    KRAYER_MOST_SHAPES = 8,
    KRAYER_MOST_BODIES = 512
};

typedef struct KrayerScene
{
    AbutShape* shapes[KRAYER_MOST_SHAPES];
    int shape_count;
    AbutCollideBody bodies[KRAYER_MOST_BODIES]; ///< the first fixed_count do not move: terrain, pipe, bowl
    uint32_t body_count, fixed_count;
    AbutBroad* broad;
    const AbutBodyPair* pairs; ///< whose boxes meet
    size_t pair_count;
} KrayerScene;

typedef struct KrayerFields
{
    AbutFieldFormat format;
    uint32_t resolution; ///< of the terrain, the pipe and the bowl; half of it for what is dropped
} KrayerFields;

/// Two statues on a terrain, the second leaning on the first: 3 pairs.
bool krayer_scene_statues(const KrayerFields* fields, KrayerScene* scene);

/// Statues, gears, bolts, chain links, rings and nuts in a heap on a terrain: about 1,200 pairs.
bool krayer_scene_objects(const KrayerFields* fields, KrayerScene* scene);

/// Balls that roll down a pipe, and those that have fallen into a bowl: about 500 pairs.
bool krayer_scene_balls(const KrayerFields* fields, KrayerScene* scene);

void krayer_scene_destroy(KrayerScene* scene);

#endif
