// All pairs, from the last ones.
//
// Candidates are the pairs whose fat boxes overlap. As long as no box leaves its fat box, only candidates can
// overlap, and only they are compared. When few boxes have left theirs, were created or destroyed, their
// candidates are dropped and searched again, box by box; when many have, all candidates are found together
// (rebuild).
#include "broad/broad.h"

#include "base/fp_env.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "broad/pack_scan.h"

#include <string.h>

enum
{
    SEARCH_WORK = 6000,    // of a query for one box, in comparisons with loose boxes
    REBUILD_WORK = 800,    // of finding all pairs, per box
    PARALLEL_BOXES = 4000, // fewer are done before other threads wake up
    CHANGED_BOXES = 40,    // cost of a query for one box in these units
    CHANGED_PER_BLOCK = 32,
    LOOSE_PER_BLOCK = 8,
    CANDIDATES_PER_BLOCK = 1 << 13,
    MAX_FILTER_BLOCKS = 64,
    PREFETCH = 24 // candidates ahead: boxes of b are scattered in memory
};

static bool is_somewhere(const AbutBox* box)
{
    return box->min.x <= box->max.x;
}

static bool is_loose(uint32_t index)
{
    return index != ABUT_BROAD_NONE && (index & ABUT_BROAD_LOOSE) != 0;
}

static bool is_in_structure(uint32_t index)
{
    return index != ABUT_BROAD_NONE && (index & ABUT_BROAD_LOOSE) == 0;
}

static bool same_box(const AbutBox* a, const AbutBox* b)
{
    return memcmp(a, b, sizeof(AbutBox)) == 0;
}

// -----------------------------------------------------------------------------------------------------------
// Boxes outside of the structure
// -----------------------------------------------------------------------------------------------------------

static bool add_loose(AbutBroad* broad, uint32_t id)
{
    const uint32_t index = broad->loose_count;
    if (index == broad->loose.count * ABUT_BOX_PACK_SIZE)
    {
        if (!abut_box_packs_resize(&broad->loose, &broad->host, broad->loose.count + 1))
        {
            return false;
        }
        for (uint32_t lane = 0; lane < ABUT_BOX_PACK_SIZE; ++lane)
        {
            abut_box_packs_clear(&broad->loose, index + lane);
        }
    }
    abut_box_packs_set(&broad->loose, index, id, &broad->fat_boxes[id]);
    broad->pack_indices[id] = ABUT_BROAD_LOOSE | index;
    broad->loose_count += 1;
    return true;
}

static void remove_loose(AbutBroad* broad, uint32_t id)
{
    const uint32_t index = broad->pack_indices[id] & ~ABUT_BROAD_LOOSE, last = broad->loose_count - 1;
    const uint32_t moved = broad->loose.ids[last];
    AbutBox box = abut_box_packs_box(&broad->loose, last);
    abut_box_packs_set(&broad->loose, index, moved, &box);
    broad->pack_indices[moved] = ABUT_BROAD_LOOSE | index;
    abut_box_packs_clear(&broad->loose, last);
    broad->pack_indices[id] = ABUT_BROAD_NONE;
    broad->loose_count = last;
    if (last % ABUT_BOX_PACK_SIZE == 0)
    {
        broad->loose.count -= 1;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Sinks
// -----------------------------------------------------------------------------------------------------------

static void empty_sinks(AbutBroad* broad)
{
    for (uint32_t i = 0; i < broad->host.worker_count; ++i)
    {
        broad->sinks[i].filters = broad->filtered ? broad->filters : NULL;
        broad->sinks[i].count = 0;
        broad->sinks[i].failed = false;
    }
}

static AbutResult sort_sinks(AbutBroad* broad, AbutPairList* out)
{
    return abut_pair_list_sort(&broad->sorter, &broad->host, broad->sinks, broad->host.worker_count,
                               broad->id_count, out);
}

static void run_blocks(AbutBroad* broad, uint32_t block_count, AbutBlockFn* block, size_t boxes)
{
    AbutHost host = broad->host;
    host.worker_count = boxes < PARALLEL_BOXES ? 1 : host.worker_count;
    abut_parallel_for(&host, block_count, block, broad);
}

static void clear_changes(AbutBroad* broad)
{
    for (uint32_t i = 0; i < broad->changed_count; ++i)
    {
        broad->flags[broad->changed[i]] &= (uint8_t)~ABUT_BROAD_CHANGED;
    }
    broad->changed_count = 0;
}

// -----------------------------------------------------------------------------------------------------------
// All together
// -----------------------------------------------------------------------------------------------------------

/// Fat boxes of all boxes, and the ids for the structure. `same`: it has exactly those.
static AbutResult divide(AbutBroad* broad, uint32_t* count, bool* same)
{
    if (!abut_memory_grow(&broad->host, (void**)&broad->ids, &broad->ids_capacity, broad->id_count,
                          sizeof(uint32_t)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    broad->candidates_are_fat = false;
    broad->loose.count = 0;
    broad->loose_count = 0;
    *count = 0;
    *same = broad->structure_valid;
    for (uint32_t id = 0; id < broad->id_count; ++id)
    {
        const AbutBox* box = &broad->boxes[id];
        if ((broad->flags[id] & ABUT_BROAD_CHANGED) == 0) // changed boxes have theirs already
        {
            broad->fat_boxes[id] = abut_broad_fat_box(&broad->last[id], box);
        }
        if (!is_somewhere(box))
        {
            broad->pack_indices[id] = ABUT_BROAD_NONE;
        }
        else if (abut_broad_is_bounded(&broad->fat_boxes[id]))
        {
            *same &= is_in_structure(broad->pack_indices[id]);
            broad->ids[(*count)++] = id;
            broad->candidates_are_fat |= !same_box(&broad->fat_boxes[id], box);
        }
        else if (!add_loose(broad, id))
        {
            return ABUT_OUT_OF_MEMORY;
        }
    }
    *same &= *count == broad->structure_count;
    return ABUT_OK;
}

typedef struct LooseSearch
{
    const AbutBroad* broad;
    AbutPairSink* sink;
    uint32_t id;
} LooseSearch;

static bool add_pair(void* context, uint32_t other)
{
    const LooseSearch* search = context;
    abut_pair_sink_add(search->sink, search->id, other);
    return !search->sink->failed;
}

static bool add_pair_once(void* context, uint32_t other)
{
    const LooseSearch* search = context;
    return other <= search->id || add_pair(context, other);
}

static void find_loose_pairs(const AbutBroad* broad, uint32_t block, AbutPairSink* sink)
{
    const uint32_t begin = block * LOOSE_PER_BLOCK, end = begin + LOOSE_PER_BLOCK;
    for (uint32_t index = begin; index < end && index < broad->loose_count; ++index)
    {
        LooseSearch search = { broad, sink, broad->loose.ids[index] };
        const AbutBox* box = &broad->fat_boxes[search.id];
        broad->table->query_box(broad->structure, box, add_pair, &search);
        abut_pack_scan_box(&broad->loose, 0, broad->loose.count, box, add_pair_once, &search);
    }
}

/// Blocks of the structure, then of the loose boxes.
static void find_block_pairs(void* context, uint32_t block, uint32_t worker)
{
    AbutBroad* broad = context;
    const uint32_t structure_blocks = broad->table->block_count(broad->structure);
    if (block < structure_blocks)
    {
        broad->table->find_pairs(broad->structure, block, &broad->sinks[worker]);
    }
    else
    {
        find_loose_pairs(broad, block - structure_blocks, &broad->sinks[worker]);
    }
}

static AbutResult rebuild(AbutBroad* broad)
{
    uint32_t count;
    bool same;
    AbutResult result = divide(broad, &count, &same);
    if (result != ABUT_OK)
    {
        return result;
    }
    same &= broad->candidates_are_fat; // boxes without fat boxes jump about
    if (!same || broad->table->refit == NULL || !broad->table->refit(broad->structure, broad->fat_boxes))
    {
        AbutBroadInput input = { broad->fat_boxes, broad->ids, count, broad->pack_indices };
        if (!broad->table->build(broad->structure, &input))
        {
            return ABUT_OUT_OF_MEMORY;
        }
    }
    broad->structure_count = count;
    empty_sinks(broad);
    const uint32_t blocks =
        broad->table->block_count(broad->structure) + abut_block_count(broad->loose_count, LOOSE_PER_BLOCK);
    run_blocks(broad, blocks, find_block_pairs, broad->live_count);
    result = sort_sinks(broad, &broad->candidates);
    if (result == ABUT_OK)
    {
        clear_changes(broad);
    }
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// One by one
// -----------------------------------------------------------------------------------------------------------

/// Moves a changed box to the structure when that can take it, else to the loose boxes, or removes it.
static bool relocate(AbutBroad* broad, uint32_t id)
{
    const bool somewhere = is_somewhere(&broad->boxes[id]);
    const uint32_t index = broad->pack_indices[id];
    broad->candidates_are_fat |= somewhere && !same_box(&broad->fat_boxes[id], &broad->boxes[id]);
    if (is_in_structure(index))
    {
        if (somewhere && abut_broad_is_bounded(&broad->fat_boxes[id]) && broad->table->refit_one != NULL &&
            broad->table->refit_one(broad->structure, index, &broad->fat_boxes[id]))
        {
            return true;
        }
        abut_box_packs_clear(&broad->structure->items, index);
        broad->pack_indices[id] = ABUT_BROAD_NONE;
        broad->structure_count -= 1;
    }
    if (is_loose(broad->pack_indices[id]))
    {
        remove_loose(broad, id);
    }
    return !somewhere || add_loose(broad, id);
}

/// Of two changed boxes, the one with the smaller id finds the pair.
static bool add_changed_pair(void* context, uint32_t other)
{
    const LooseSearch* search = context;
    const bool changed = (search->broad->flags[other] & ABUT_BROAD_CHANGED) != 0;
    return other == search->id || (changed && other < search->id) || add_pair(context, other);
}

static void find_changed_pairs(void* context, uint32_t block, uint32_t worker)
{
    AbutBroad* broad = context;
    const uint32_t begin = block * CHANGED_PER_BLOCK, end = begin + CHANGED_PER_BLOCK;
    for (uint32_t i = begin; i < end && i < broad->changed_count; ++i)
    {
        LooseSearch search = { broad, &broad->sinks[worker], broad->changed[i] };
        const AbutBox* box = &broad->fat_boxes[search.id];
        if (is_somewhere(box))
        {
            broad->table->query_box(broad->structure, box, add_changed_pair, &search);
            abut_pack_scan_box(&broad->loose, 0, broad->loose.count, box, add_changed_pair, &search);
        }
    }
}

static bool comes_before(AbutBodyPair a, AbutBodyPair b)
{
    return a.a != b.a ? a.a < b.a : a.b < b.b;
}

/// Candidates of unchanged boxes, and those found for changed ones.
static bool merge_candidates(AbutBroad* broad)
{
    const AbutPairList *old = &broad->candidates, *changed_pairs = &broad->changed_pairs;
    AbutPairList* merged = &broad->merged;
    if (!abut_pair_list_reserve(merged, &broad->host, old->count + changed_pairs->count))
    {
        return false;
    }
    size_t count = 0, next = 0;
    for (size_t i = 0; i < old->count; ++i)
    {
        const AbutBodyPair pair = old->pairs[i];
        if (((broad->flags[pair.a] | broad->flags[pair.b]) & ABUT_BROAD_CHANGED) != 0)
        {
            continue;
        }
        while (next < changed_pairs->count && comes_before(changed_pairs->pairs[next], pair))
        {
            merged->pairs[count++] = changed_pairs->pairs[next++];
        }
        merged->pairs[count++] = pair;
    }
    while (next < changed_pairs->count)
    {
        merged->pairs[count++] = changed_pairs->pairs[next++];
    }
    merged->count = count;
    AbutPairList swap = broad->candidates;
    broad->candidates = *merged;
    broad->merged = swap;
    return true;
}

static AbutResult update(AbutBroad* broad)
{
    for (uint32_t i = 0; i < broad->changed_count; ++i)
    {
        if (!relocate(broad, broad->changed[i]))
        {
            return ABUT_OUT_OF_MEMORY;
        }
    }
    empty_sinks(broad);
    run_blocks(broad, abut_block_count(broad->changed_count, CHANGED_PER_BLOCK), find_changed_pairs,
               (size_t)broad->changed_count * CHANGED_BOXES);
    AbutResult result = sort_sinks(broad, &broad->changed_pairs);
    if (result == ABUT_OK && !merge_candidates(broad))
    {
        result = ABUT_OUT_OF_MEMORY;
    }
    if (result == ABUT_OK && broad->candidates.count > broad->pair_limit)
    {
        result = abut_pair_list_too_many(broad->pair_limit);
    }
    if (result == ABUT_OK)
    {
        clear_changes(broad);
    }
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// The pairs
// -----------------------------------------------------------------------------------------------------------

typedef struct FilterJob
{
    const AbutBox* boxes;
    const AbutPairList* candidates;
    AbutBodyPair* out;
    size_t block_size;
    size_t counts[MAX_FILTER_BLOCKS];
} FilterJob;

/// Without branches, which would be mispredicted.
static bool boxes_overlap(const AbutBox* a, const AbutBox* b)
{
    return (a->min.x <= b->max.x) & (b->min.x <= a->max.x) & (a->min.y <= b->max.y) & (b->min.y <= a->max.y) &
           (a->min.z <= b->max.z) & (b->min.z <= a->max.z);
}

/// The pairs of a block are written from the index of its first candidate on.
static void filter_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    FilterJob* job = context;
    const size_t begin = block * job->block_size;
    const size_t rest = job->candidates->count - begin;
    const size_t end = begin + (rest < job->block_size ? rest : job->block_size);
    size_t count = begin;
    for (size_t i = begin; i < end; ++i)
    {
        const AbutBodyPair pair = job->candidates->pairs[i];
        const size_t later = i + PREFETCH < end ? i + PREFETCH : i;
        __builtin_prefetch(&job->boxes[job->candidates->pairs[later].b]);
        job->out[count] = pair;
        count += boxes_overlap(&job->boxes[pair.a], &job->boxes[pair.b]) ? 1 : 0;
    }
    job->counts[block] = count - begin;
}

static AbutResult filter_candidates(AbutBroad* broad)
{
    AbutPairList* pairs = &broad->pairs;
    const size_t total = broad->candidates.count;
    if (!abut_pair_list_reserve(pairs, &broad->host, total))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    FilterJob job = { .boxes = broad->boxes, .candidates = &broad->candidates, .out = pairs->pairs };
    const size_t most = (total + MAX_FILTER_BLOCKS - 1) / MAX_FILTER_BLOCKS;
    job.block_size = most > CANDIDATES_PER_BLOCK ? most : CANDIDATES_PER_BLOCK;
    const uint32_t blocks = abut_block_count(total, job.block_size);
    abut_parallel_for(&broad->host, blocks, filter_block, &job);
    pairs->count = 0;
    for (uint32_t block = 0; block < blocks; ++block)
    {
        memmove(pairs->pairs + pairs->count, pairs->pairs + block * job.block_size,
                job.counts[block] * sizeof(AbutBodyPair));
        pairs->count += job.counts[block];
    }
    return ABUT_OK;
}

/// True when queries for the changed boxes are more work than a rebuild.
static bool is_bulk_change(const AbutBroad* broad)
{
    const uint64_t one_by_one = (uint64_t)broad->changed_count * (SEARCH_WORK + broad->loose_count);
    return one_by_one > (uint64_t)broad->live_count * REBUILD_WORK ||
           broad->structure->items.count > 4 + broad->structure_count; // hardly a box per pack is left
}

AbutResult abut_broad_update_pairs(AbutBroad* broad, const AbutBodyPair** pairs, size_t* count)
{
    ABUT_FP_CALL(abut_broad_update_pairs, broad, pairs, count);
    AbutResult result = ABUT_OK;
    if (!broad->structure_valid || (broad->changed_count > 0 && is_bulk_change(broad)))
    {
        result = rebuild(broad);
        broad->structure_valid = result == ABUT_OK;
    }
    else if (broad->changed_count > 0)
    {
        result = update(broad);
        broad->structure_valid = result == ABUT_OK;
    }
    if (result == ABUT_OK && broad->moved && broad->candidates_are_fat)
    {
        result = filter_candidates(broad);
    }
    if (result != ABUT_OK)
    {
        return result;
    }
    broad->moved = false;
    const AbutPairList* list = broad->candidates_are_fat ? &broad->pairs : &broad->candidates;
    *pairs = list->pairs;
    *count = list->count;
    return ABUT_OK;
}
