// Triangles that share a pixel with overlapping depths, tested exactly. Records are queried by blocks; what
// each worker finds is sorted, so that it does not matter who found it.
#include "image/find_pairs.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/tasks.h"
#include "image/pixel_lists.h"

#include <string.h>

enum
{
    QUERY_BLOCK = 64, // records
};

typedef struct Query
{
    AbutImageSet* set;
    const AbutImageView* view;
    uint32_t first_record; // of the records that look for others
    uint32_t record;
    uint32_t end; // records of other objects are before this
    uint32_t* stamps;
    AbutImageFindings* findings;
} Query;

static uint64_t triangle_number(const AbutImageSet* set, const AbutImageRecord* record)
{
    return (uint64_t)abut_image_object_of(set, record->chunk)->first_triangle +
           abut_image_chunk_of(set, record->chunk)->triangles[record->slot];
}

static void add_pair(const AbutImageSet* set, AbutImageFindings* findings, uint64_t key)
{
    if (findings->is_full || !abut_memory_grow(&set->host, (void**)&findings->keys, &findings->capacity,
                                               findings->count + 1, sizeof(uint64_t)))
    {
        findings->is_full = true;
        return;
    }
    findings->keys[findings->count++] = key;
}

static void test_pair(Query* query, uint32_t other)
{
    const AbutImageSet* set = query->set;
    const AbutImageRecord* records = set->records.items;
    const AbutDTriangle* triangles = set->triangles.items;
    query->findings->candidate_count += 1;
    if (abut_triangles_touch(&triangles[other], &triangles[query->record]))
    {
        uint64_t first = triangle_number(set, &records[other]);
        add_pair(set, query->findings, first << 32 | triangle_number(set, &records[query->record]));
    }
}

/// The triangles above a pixel whose depths overlap; each of them once per query.
static bool query_pixel(void* context, uint32_t pixel, float nearest, float farthest, uint64_t slabs)
{
    (void)slabs;
    Query* query = context;
    const uint32_t* offsets = query->set->offsets.items;
    const AbutPixelEntry* entries = query->set->entries.items;
    const AbutImageRecord* records = query->set->records.items;
    for (uint32_t i = offsets[pixel]; i < offsets[pixel + 1] && entries[i].record < query->end; ++i)
    {
        uint32_t other = entries[i].record;
        if (entries[i].nearest <= farthest && nearest <= entries[i].farthest &&
            query->stamps[other] != query->record &&
            abut_box_overlap(records[other].box, records[query->record].box))
        {
            query->stamps[other] = query->record;
            test_pair(query, other);
        }
    }
    return false;
}

static void query_block(void* context, uint32_t block, uint32_t worker)
{
    Query query = *(const Query*)context;
    const AbutImageSet* set = query.set;
    const AbutImageRecord* records = set->records.items;
    query.stamps = (uint32_t*)set->stamps.items + (size_t)worker * set->record_count;
    query.findings = &query.set->findings[worker];
    uint32_t first = query.first_record + block * QUERY_BLOCK, end = first + QUERY_BLOCK;
    end = end < set->record_count ? end : set->record_count;
    for (query.record = first; query.record < end; ++query.record)
    {
        const AbutImageRecord* record = &records[query.record];
        AbutPlacedChunk chunk = abut_image_placed_chunk(set, record->chunk);
        AbutPixelBox box = abut_pixel_box(query.view, &record->box);
        query.end = abut_image_object_of(set, record->chunk)->first_record;
        abut_raster_visit(query.view, &chunk, &box, record->slot, 0, query.view->resolution - 1, query_pixel,
                          &query);
    }
}

static uint32_t object_of_triangle(const AbutImageSet* set, uint32_t number)
{
    uint32_t low = 0, high = set->object_count;
    while (high - low > 1)
    {
        uint32_t middle = low + (high - low) / 2;
        if (set->objects[middle].first_triangle <= number)
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

static AbutImagePair pair_of(const AbutImageSet* set, uint64_t key)
{
    uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
    uint32_t object_a = object_of_triangle(set, a), object_b = object_of_triangle(set, b);
    return (AbutImagePair){ object_a, a - set->objects[object_a].first_triangle, object_b,
                            b - set->objects[object_b].first_triangle };
}

/// Findings of all workers, sorted: their order does not depend on who found them.
static AbutResult join_findings(AbutImageSet* set, size_t* pair_count)
{
    size_t count = 0;
    for (uint32_t i = 0; i < set->host.worker_count; ++i)
    {
        if (set->findings[i].is_full)
        {
            return abut_fail(ABUT_OUT_OF_MEMORY, "cullide: no memory for pairs of triangles");
        }
        count += set->findings[i].count;
        set->report.candidate_count += set->findings[i].candidate_count;
    }
    AbutResult result = abut_image_array_reserve(&set->host, &set->keys, 2 * count);
    if (result == ABUT_OK)
    {
        result = abut_image_array_reserve(&set->host, &set->pairs, count);
    }
    if (result != ABUT_OK)
    {
        return result;
    }
    uint64_t* keys = set->keys.items;
    size_t at = 0;
    for (uint32_t i = 0; i < set->host.worker_count; ++i)
    {
        for (size_t k = 0; k < set->findings[i].count; ++k)
        {
            keys[at++] = set->findings[i].keys[k];
        }
    }
    abut_sort_keys(keys, keys + count, count, 0);
    for (size_t i = 0; i < count; ++i)
    {
        ((AbutImagePair*)set->pairs.items)[i] = pair_of(set, keys[i]);
    }
    *pair_count = count;
    return ABUT_OK;
}

static void clear_findings(AbutImageSet* set)
{
    for (uint32_t i = 0; i < set->host.worker_count; ++i)
    {
        set->findings[i].count = 0;
        set->findings[i].candidate_count = 0;
        set->findings[i].is_full = false;
    }
}

AbutResult abut_image_find_pairs(AbutImageSet* set, const AbutImageView* view, size_t* pair_count)
{
    *pair_count = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i < set->object_count && first == 0; ++i)
    {
        first = set->objects[i].first_record; // the first object with records looks for none
    }
    size_t stamp_count = (size_t)set->record_count * set->host.worker_count;
    AbutResult result = abut_image_array_reserve(&set->host, &set->stamps, stamp_count);
    if (result != ABUT_OK || first == 0)
    {
        return result;
    }
    // There is no record of this number.
    memset(set->stamps.items, 0xFF, stamp_count * sizeof(uint32_t));
    clear_findings(set);
    Query query = { .set = set, .view = view, .first_record = first };
    abut_parallel_for(&set->host, abut_block_count(set->record_count - first, QUERY_BLOCK), query_block,
                      &query);
    return join_findings(set, pair_count);
}
