/// @file packs.h
/// Boxes with their ids, eight by eight, in the order that a method gives them.
#ifndef ABUT_BROAD_PACKS_H
#define ABUT_BROAD_PACKS_H

#include "simd/box_kernels.h"

#include <abut/base.h>

/// Neither an id nor a place.
#define ABUT_BROAD_NONE UINT32_MAX

/// Zero-initialise it. A place is 8 · pack + lane.
typedef struct AbutPacks
{
    AbutBoxPack* packs;
    uint32_t* ids;  // by place; ABUT_BROAD_NONE where there is no box
    uint32_t count; // of packs
    size_t pack_capacity, id_capacity;
} AbutPacks;

/// Room for `count` packs, whose number it becomes; what they hold is undefined. False when there is no memory.
bool abut_packs_resize(AbutPacks* packs, const AbutHost* host, uint32_t count);
void abut_packs_free(AbutPacks* packs, const AbutHost* host);

static inline void abut_packs_set(AbutPacks* packs, uint32_t place, uint32_t id, const AbutBox* box)
{
    AbutBoxPack* pack = &packs->packs[place / ABUT_PACK_SIZE];
    const uint32_t lane = place % ABUT_PACK_SIZE;
    packs->ids[place] = id;
    pack->low[0][lane] = box->min.x;
    pack->low[1][lane] = box->min.y;
    pack->low[2][lane] = box->min.z;
    pack->high[0][lane] = box->max.x;
    pack->high[1][lane] = box->max.y;
    pack->high[2][lane] = box->max.z;
}

/// Leaves no box at the place.
void abut_packs_clear(AbutPacks* packs, uint32_t place);

/// Around all boxes of a pack; empty when it has none.
AbutBox abut_pack_bounds(const AbutBoxPack* pack);

#endif
