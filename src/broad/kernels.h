/// @file kernels.h
/// Boxes against boxes, eight at a time. Boxes overlap when they share a point; touching counts.
#ifndef ABUT_BROAD_KERNELS_H
#define ABUT_BROAD_KERNELS_H

#include <abut/math.h>

#include "simd/dispatch.h"

enum
{
    ABUT_BOX_PACK_SIZE = 8,
    ABUT_BOX_PACK_LEVELS = 10,     ///< of a tree of packs: 8¹⁰ is more than there are ids
    ABUT_BOX_PACK_WALK_PACKS = 32, ///< packs compared at a time
    ABUT_BOX_PACK_WALK_HITS = (ABUT_BOX_PACK_WALK_PACKS + ABUT_BOX_PACK_SIZE) * ABUT_BOX_PACK_SIZE *
                              ABUT_BOX_PACK_SIZE, ///< of as many, at most
};

/// Eight boxes, coordinate by coordinate. A lane without a box is NaN throughout, and overlaps nothing.
typedef struct AbutBoxPack
{
    float low[3][ABUT_BOX_PACK_SIZE];
    float high[3][ABUT_BOX_PACK_SIZE];
} AbutBoxPack;

/// Points origin + t · direction with t in [0, limit].
typedef struct AbutBoxRay
{
    float origin[3];
    float direction[3];
    float limit;
    float margin; ///< boxes are larger by this on every side
} AbutBoxRay;

/// The traversal of a tree of packs by one pack. Lane l of pack p on level k + 1 is the box around pack 8p +
/// l of level k. Made by abut_box_pack_walk(); the kernel returns when it has found some packs, and continues
/// when it is called again.
typedef struct AbutBoxPackWalk
{
    const AbutBoxPack* pack;
    AbutBox bounds; ///< of the pack
    const AbutBoxPack* const* levels;
    uint32_t first;                                                  ///< first pack of level 0 that counts
    uint32_t depth;                                                  ///< of the stack; 0: done
    uint32_t stack[(ABUT_BOX_PACK_LEVELS + 1) * ABUT_BOX_PACK_SIZE]; ///< level · 2²⁸ + pack
} AbutBoxPackWalk;

/// Starts from the only pack of the top level.
static inline AbutBoxPackWalk abut_box_pack_walk(const AbutBoxPack* pack, AbutBox bounds,
                                                 const AbutBoxPack* const* levels, uint32_t top,
                                                 uint32_t first)
{
    AbutBoxPackWalk walk;
    walk.pack = pack;
    walk.bounds = bounds;
    walk.levels = levels;
    walk.first = first;
    walk.depth = 1;
    walk.stack[0] = top << 28;
    return walk;
}

/// A hit of two packs is 8 · (8 · pack_b + lane_b) + lane_a.
typedef struct AbutBoxKernels
{
    /// Bit l: lane l of the pack overlaps the box.
    unsigned (*overlaps)(const AbutBoxPack* pack, const AbutBox* box);

    /// Indices 8 · pack + lane of the boxes of `count` packs that overlap the box, ascending; returns their
    /// count. `hits` has the capacity for all.
    uint32_t (*box_hits)(const AbutBoxPack* packs, uint32_t count, const AbutBox* box, uint32_t* hits);

    /// Hits of a pack, with its bounds, and each of `count` others, at most ABUT_BOX_PACK_WALK_PACKS. `hits`
    /// has the capacity ABUT_BOX_PACK_WALK_HITS.
    uint32_t (*pack_hits)(const AbutBoxPack* pack, const AbutBox* bounds, const AbutBoxPack* packs,
                          uint32_t count, uint32_t* hits);

    /// Hits of lanes of one pack, the lane of b behind that of a. `hits` has the capacity
    /// ABUT_BOX_PACK_WALK_HITS.
    uint32_t (*own_hits)(const AbutBoxPack* pack, uint32_t* hits);

    /// Hits of walk->pack and the packs of level 0. `hits` has the capacity ABUT_BOX_PACK_WALK_HITS. To be
    /// called until walk->depth is 0.
    uint32_t (*walk_hits)(AbutBoxPackWalk* walk, uint32_t* hits);

    /// Bit l: the ray hits lane l, first at enter[l] in [0, limit].
    unsigned (*ray_enters)(const AbutBoxPack* pack, const AbutBoxRay* ray, float enter[ABUT_BOX_PACK_SIZE]);
} AbutBoxKernels;

ABUT_KERNELS(AbutBoxKernels, abut_box_kernels)

#endif
