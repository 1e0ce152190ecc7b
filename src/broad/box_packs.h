/// @file box_packs.h
/// Boxes with their ids, in packs of eight, in the order that a method gives them.
#ifndef ABUT_BROAD_BOX_PACKS_H
#define ABUT_BROAD_BOX_PACKS_H

#include "broad/kernels.h"

#include <abut/base.h>

/// Neither an id nor an index.
#define ABUT_BROAD_NONE UINT32_MAX

/// Zero-initialise it. An index is 8 · pack + lane.
typedef struct AbutBoxPacks
{
    AbutBoxPack* packs;
    uint32_t* ids;  // by index; ABUT_BROAD_NONE where there is no box
    uint32_t count; // of packs
    size_t pack_capacity, id_capacity;
} AbutBoxPacks;

/// Resizes to `count` packs, with undefined contents. False when there is no memory.
bool abut_box_packs_resize(AbutBoxPacks* packs, const AbutHost* host, uint32_t count);
void abut_box_packs_free(AbutBoxPacks* packs, const AbutHost* host);

static inline void abut_box_packs_set(AbutBoxPacks* packs, uint32_t index, uint32_t id, const AbutBox* box)
{
    AbutBoxPack* pack = &packs->packs[index / ABUT_BOX_PACK_SIZE];
    const uint32_t lane = index % ABUT_BOX_PACK_SIZE;
    packs->ids[index] = id;
    pack->low[0][lane] = box->min.x;
    pack->low[1][lane] = box->min.y;
    pack->low[2][lane] = box->min.z;
    pack->high[0][lane] = box->max.x;
    pack->high[1][lane] = box->max.y;
    pack->high[2][lane] = box->max.z;
}

static inline AbutBox abut_box_pack_lane(const AbutBoxPack* pack, uint32_t lane)
{
    return abut_box(abut_vec3(pack->low[0][lane], pack->low[1][lane], pack->low[2][lane]),
                    abut_vec3(pack->high[0][lane], pack->high[1][lane], pack->high[2][lane]));
}

static inline AbutBox abut_box_packs_box(const AbutBoxPacks* packs, uint32_t index)
{
    return abut_box_pack_lane(&packs->packs[index / ABUT_BOX_PACK_SIZE], index % ABUT_BOX_PACK_SIZE);
}

/// Longest side.
static inline float abut_box_side(const AbutBox* box)
{
    float x = box->max.x - box->min.x, y = box->max.y - box->min.y, z = box->max.z - box->min.z;
    float side = x > y ? x : y;
    return side > z ? side : z;
}

/// False when one of them is NaN. Without branches, which would be mispredicted.
static inline bool abut_box_contains(const AbutBox* outer, const AbutBox* inner)
{
    return (outer->min.x <= inner->min.x) & (outer->min.y <= inner->min.y) & (outer->min.z <= inner->min.z) &
           (inner->max.x <= outer->max.x) & (inner->max.y <= outer->max.y) & (inner->max.z <= outer->max.z);
}

/// Removes the box at the index.
void abut_box_packs_clear(AbutBoxPacks* packs, uint32_t index);

/// Around all boxes of a pack; empty when it has none.
AbutBox abut_box_pack_bounds(const AbutBoxPack* pack);

#endif
