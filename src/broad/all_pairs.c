// Every box with every other one, eight at a time.
#include "base/tasks.h"
#include "broad/method.h"
#include "broad/pack_scan.h"

enum
{
    PACKS_PER_BLOCK = 8
};

static void clear(AbutBroadStructure* structure)
{
    abut_box_packs_free(&structure->items, &structure->host);
}

static bool build(AbutBroadStructure* structure, const AbutBroadInput* input)
{
    AbutBoxPacks* items = &structure->items;
    if (!abut_box_packs_resize(items, &structure->host, abut_block_count(input->count, ABUT_BOX_PACK_SIZE)))
    {
        return false;
    }
    for (uint32_t i = 0; i < items->count * ABUT_BOX_PACK_SIZE; ++i)
    {
        if (i < input->count)
        {
            abut_box_packs_set(items, i, input->ids[i], &input->boxes[input->ids[i]]);
            input->pack_indices[input->ids[i]] = i;
        }
        else
        {
            abut_box_packs_clear(items, i);
        }
    }
    return true;
}

static bool refit(AbutBroadStructure* structure, const AbutBox* boxes)
{
    AbutBoxPacks* items = &structure->items;
    for (uint32_t i = 0; i < items->count * ABUT_BOX_PACK_SIZE; ++i)
    {
        if (items->ids[i] != ABUT_BROAD_NONE)
        {
            abut_box_packs_set(items, i, items->ids[i], &boxes[items->ids[i]]);
        }
    }
    return true;
}

static bool refit_one(AbutBroadStructure* structure, uint32_t index, const AbutBox* box)
{
    abut_box_packs_set(&structure->items, index, structure->items.ids[index], box);
    return true;
}

static uint32_t block_count(const AbutBroadStructure* structure)
{
    return abut_block_count(structure->items.count, PACKS_PER_BLOCK);
}

static void find_pairs(const AbutBroadStructure* structure, uint32_t block, AbutPairSink* sink)
{
    const AbutBoxPacks* items = &structure->items;
    const uint32_t begin = block * PACKS_PER_BLOCK;
    const uint32_t end = begin + PACKS_PER_BLOCK < items->count ? begin + PACKS_PER_BLOCK : items->count;
    for (uint32_t pack = begin; pack < end; ++pack)
    {
        abut_pack_scan_own_pairs(items, pack, sink);
        for (uint32_t lane = 0; lane < ABUT_BOX_PACK_SIZE; ++lane)
        {
            abut_pack_scan_pairs(items, ABUT_BOX_PACK_SIZE * pack + lane, pack + 1, items->count, sink);
        }
    }
}

static bool query_box(const AbutBroadStructure* structure, const AbutBox* box, AbutBroadBoxFn* visit,
                      void* context)
{
    return abut_pack_scan_box(&structure->items, 0, structure->items.count, box, visit, context);
}

const AbutBroadTable abut_broad_all_pairs = {
    .name = "all pairs",
    .size = sizeof(AbutBroadStructure),
    .clear = clear,
    .build = build,
    .refit = refit,
    .refit_one = refit_one,
    .block_count = block_count,
    .find_pairs = find_pairs,
    .query_box = query_box,
    .query_ray = abut_pack_scan_query_ray,
};
