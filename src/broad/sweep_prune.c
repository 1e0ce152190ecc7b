// Sweep and prune: boxes sorted by their lower ends along the axis of the widest spread, measured in boxes.
// The boxes that overlap a box on that axis follow it directly, up to its upper end.
#include "base/tasks.h"
#include "broad/key_sort.h"
#include "broad/method.h"
#include "broad/pack_scan.h"

#include <string.h>

enum
{
    PACKS_PER_BLOCK = 32
};

typedef struct Sweep
{
    AbutBroadStructure base;
    AbutKeySort order;
    int axis;
    float longest; // box along the axis
} Sweep;

static void clear(AbutBroadStructure* structure)
{
    Sweep* sweep = (Sweep*)structure;
    abut_key_sort_free(&sweep->order, &structure->host);
    abut_box_packs_free(&structure->items, &structure->host);
}

static float low_end(const AbutBox* box, int axis)
{
    return axis == 0 ? box->min.x : (axis == 1 ? box->min.y : box->min.z);
}

static float high_end(const AbutBox* box, int axis)
{
    return axis == 0 ? box->max.x : (axis == 1 ? box->max.y : box->max.z);
}

/// Variance of the lower ends over the squared mean length: large where few boxes overlap on the axis.
static double spread(const AbutBroadInput* input, int axis)
{
    double sum = 0.0, squares = 0.0, lengths = 0.0;
    for (uint32_t i = 0; i < input->count; ++i)
    {
        const AbutBox* box = &input->boxes[input->ids[i]];
        double low = (double)low_end(box, axis);
        sum += low;
        squares += low * low;
        lengths += (double)high_end(box, axis) - low;
    }
    double count = input->count;
    double variance = squares / count - sum / count * (sum / count);
    return variance / (lengths / count * (lengths / count) + 1e-30);
}

static int widest_axis(const AbutBroadInput* input)
{
    int best = 0;
    double most = spread(input, 0);
    for (int axis = 1; axis < 3; ++axis)
    {
        double other = spread(input, axis);
        best = other > most ? axis : best;
        most = other > most ? other : most;
    }
    return best;
}

/// Monotonic in the float.
static uint64_t key_of(float value)
{
    uint32_t bits;
    value += 0.0f; // −0 and 0 are the same
    memcpy(&bits, &value, sizeof(bits));
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

static void fill_packs(Sweep* sweep, const AbutBroadInput* input)
{
    AbutBoxPacks* items = &sweep->base.items;
    sweep->longest = 0.0f;
    for (uint32_t i = 0; i < input->count; ++i)
    {
        const uint32_t id = sweep->order.items[i].id;
        const AbutBox* box = &input->boxes[id];
        float length = high_end(box, sweep->axis) - low_end(box, sweep->axis);
        sweep->longest = length > sweep->longest ? length : sweep->longest;
        abut_box_packs_set(items, i, id, box);
        input->pack_indices[id] = i;
    }
    for (uint32_t i = input->count; i < items->count * ABUT_BOX_PACK_SIZE; ++i)
    {
        abut_box_packs_clear(items, i);
    }
    sweep->longest *= 1.0f + 0x1p-20f; // a difference of floats may be rounded down
}

static bool build(AbutBroadStructure* structure, const AbutBroadInput* input)
{
    Sweep* sweep = (Sweep*)structure;
    if (!abut_key_sort_reserve(&sweep->order, &structure->host, input->count) ||
        !abut_box_packs_resize(&structure->items, &structure->host,
                               abut_block_count(input->count, ABUT_BOX_PACK_SIZE)))
    {
        return false;
    }
    sweep->axis = input->count > 0 ? widest_axis(input) : 0;
    for (uint32_t i = 0; i < input->count; ++i)
    {
        const uint32_t id = input->ids[i];
        sweep->order.items[i] = (AbutKeyedId){ key_of(low_end(&input->boxes[id], sweep->axis)), id };
    }
    abut_key_sort_range(&sweep->order, 0, input->count);
    fill_packs(sweep, input);
    return true;
}

/// The first pack from `begin` on whose boxes all begin behind `end` on the axis. The order has the ends of
/// boxes that were removed from the packs since, too.
static uint32_t pack_behind(const Sweep* sweep, uint32_t begin, float end)
{
    const uint64_t key = key_of(end);
    uint32_t low = begin, high = sweep->base.items.count;
    while (low < high)
    {
        uint32_t middle = low + (high - low) / 2;
        if (sweep->order.items[ABUT_BOX_PACK_SIZE * (size_t)middle].key <= key)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

static uint32_t block_count(const AbutBroadStructure* structure)
{
    return abut_block_count(structure->items.count, PACKS_PER_BLOCK);
}

static void find_pairs(const AbutBroadStructure* structure, uint32_t block, AbutPairSink* sink)
{
    const Sweep* sweep = (const Sweep*)structure;
    const AbutBoxPacks* items = &structure->items;
    const uint32_t begin = block * PACKS_PER_BLOCK;
    const uint32_t end = begin + PACKS_PER_BLOCK < items->count ? begin + PACKS_PER_BLOCK : items->count;
    for (uint32_t pack = begin; pack < end; ++pack)
    {
        abut_pack_scan_own_pairs(items, pack, sink);
        for (uint32_t lane = 0; lane < ABUT_BOX_PACK_SIZE; ++lane)
        {
            const uint32_t index = ABUT_BOX_PACK_SIZE * pack + lane;
            const float last = items->packs[pack].high[sweep->axis][lane];
            if (items->ids[index] != ABUT_BROAD_NONE)
            {
                abut_pack_scan_pairs(items, index, pack + 1, pack_behind(sweep, pack + 1, last), sink);
            }
        }
    }
}

static bool query_box(const AbutBroadStructure* structure, const AbutBox* box, AbutBroadBoxFn* visit,
                      void* context)
{
    const Sweep* sweep = (const Sweep*)structure;
    // Boxes that begin further ahead than the longest box is long do not overlap this one. Those that begin
    // exactly there may.
    const float ahead = nextafterf(low_end(box, sweep->axis) - sweep->longest, -INFINITY);
    const uint32_t first = pack_behind(sweep, 0, ahead);
    const uint32_t end = pack_behind(sweep, 0, high_end(box, sweep->axis));
    return abut_pack_scan_box(&structure->items, first > 0 ? first - 1 : 0, end, box, visit, context);
}

const AbutBroadTable abut_broad_sweep_and_prune = {
    .name = "sweep and prune",
    .size = sizeof(Sweep),
    .clear = clear,
    .build = build,
    .block_count = block_count,
    .find_pairs = find_pairs,
    .query_box = query_box,
    .query_ray = abut_pack_scan_query_ray,
};
