// Scans of packs, by one box or one ray at a time.
#include "broad/pack_scan.h"

#include "base/assert.h"
#include "broad/kernels.h"

enum
{
    PACKS_AT_ONCE = 64 // per call of a kernel
};

bool abut_pack_scan_box(const AbutBoxPacks* items, uint32_t begin, uint32_t end, const AbutBox* box,
                        AbutBroadBoxFn* visit, void* context)
{
    ABUT_ASSERT(begin >= end || end <= items->count);
    const AbutBoxKernels* kernels = abut_box_kernels();
    uint32_t hits[PACKS_AT_ONCE * ABUT_BOX_PACK_SIZE];
    for (uint32_t pack = begin; pack < end; pack += PACKS_AT_ONCE)
    {
        uint32_t count = end - pack < PACKS_AT_ONCE ? end - pack : PACKS_AT_ONCE;
        uint32_t hit_count = kernels->box_hits(items->packs + pack, count, box, hits);
        for (uint32_t i = 0; i < hit_count; ++i)
        {
            if (!visit(context, items->ids[ABUT_BOX_PACK_SIZE * pack + hits[i]]))
            {
                return false;
            }
        }
    }
    return true;
}

void abut_pack_scan_ray(const AbutBoxPacks* items, AbutBoxRay* ray, AbutBroadRayHitFn* visit, void* context)
{
    const AbutBoxKernels* kernels = abut_box_kernels();
    float enter[ABUT_BOX_PACK_SIZE];
    for (uint32_t pack = 0; pack < items->count && ray->limit >= 0.0f; ++pack)
    {
        for (unsigned bits = kernels->ray_enters(&items->packs[pack], ray, enter); bits != 0;
             bits &= bits - 1)
        {
            visit(context, ray, items->ids[ABUT_BOX_PACK_SIZE * pack + (uint32_t)__builtin_ctz(bits)]);
        }
    }
}

void abut_pack_scan_query_ray(const AbutBroadStructure* structure, AbutBoxRay* ray, AbutBroadRayHitFn* visit,
                              void* context)
{
    abut_pack_scan_ray(&structure->items, ray, visit, context);
}

void abut_pack_scan_pairs(const AbutBoxPacks* items, uint32_t index, uint32_t begin, uint32_t end,
                          AbutPairSink* sink)
{
    ABUT_ASSERT(begin >= end || end <= items->count);
    ABUT_ASSERT(index < items->count * ABUT_BOX_PACK_SIZE);
    const AbutBoxKernels* kernels = abut_box_kernels();
    const AbutBox box = abut_box_packs_box(items, index);
    const uint32_t id = items->ids[index];
    uint32_t hits[PACKS_AT_ONCE * ABUT_BOX_PACK_SIZE];
    for (uint32_t pack = begin; pack < end && !sink->failed; pack += PACKS_AT_ONCE)
    {
        uint32_t count = end - pack < PACKS_AT_ONCE ? end - pack : PACKS_AT_ONCE;
        uint32_t hit_count = kernels->box_hits(items->packs + pack, count, &box, hits);
        for (uint32_t i = 0; i < hit_count; ++i)
        {
            abut_pair_sink_add(sink, id, items->ids[ABUT_BOX_PACK_SIZE * pack + hits[i]]);
        }
    }
}

void abut_pack_scan_own_pairs(const AbutBoxPacks* items, uint32_t pack, AbutPairSink* sink)
{
    uint32_t hits[ABUT_BOX_PACK_WALK_HITS];
    uint32_t hit_count = abut_box_kernels()->own_hits(&items->packs[pack], hits);
    abut_pair_sink_add_hits(items, pack, pack, hits, hit_count, sink);
}

void abut_pair_sink_add_hits(const AbutBoxPacks* items, uint32_t pack, uint32_t base, const uint32_t* hits,
                             uint32_t hit_count, AbutPairSink* sink)
{
    ABUT_ASSERT(pack < items->count && base <= items->count);
    const uint32_t* ids_a = items->ids + (size_t)ABUT_BOX_PACK_SIZE * pack;
    const uint32_t* ids_b = items->ids + (size_t)ABUT_BOX_PACK_SIZE * base;
    for (uint32_t i = 0; i < hit_count; ++i)
    {
        abut_pair_sink_add(sink, ids_a[hits[i] % ABUT_BOX_PACK_SIZE], ids_b[hits[i] / ABUT_BOX_PACK_SIZE]);
    }
}
