#include "broad/box_packs.h"

#include "base/assert.h"
#include "base/memory.h"

bool abut_box_packs_resize(AbutBoxPacks* packs, const AbutHost* host, uint32_t count)
{
    bool ok =
        abut_memory_grow(host, (void**)&packs->packs, &packs->pack_capacity, count, sizeof(AbutBoxPack)) &&
        abut_memory_grow(host, (void**)&packs->ids, &packs->id_capacity, (size_t)count * ABUT_BOX_PACK_SIZE,
                         sizeof(uint32_t));
    packs->count = ok ? count : packs->count;
    return ok;
}

void abut_box_packs_free(AbutBoxPacks* packs, const AbutHost* host)
{
    abut_memory_free(host, packs->packs, packs->pack_capacity, sizeof(AbutBoxPack));
    abut_memory_free(host, packs->ids, packs->id_capacity, sizeof(uint32_t));
}

void abut_box_packs_clear(AbutBoxPacks* packs, uint32_t index)
{
    ABUT_ASSERT(index < packs->count * ABUT_BOX_PACK_SIZE);
    const AbutVec3 nowhere = { NAN, NAN, NAN };
    const AbutBox none = { nowhere, nowhere };
    abut_box_packs_set(packs, index, ABUT_BROAD_NONE, &none);
}

/// The comparisons are false for NaN, so lanes without a box change nothing.
AbutBox abut_box_pack_bounds(const AbutBoxPack* pack)
{
    float low[3], high[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
        for (int lane = 0; lane < ABUT_BOX_PACK_SIZE; ++lane)
        {
            low[axis] = pack->low[axis][lane] < low[axis] ? pack->low[axis][lane] : low[axis];
            high[axis] = pack->high[axis][lane] > high[axis] ? pack->high[axis][lane] : high[axis];
        }
    }
    return abut_box(abut_vec3(low[0], low[1], low[2]), abut_vec3(high[0], high[1], high[2]));
}
