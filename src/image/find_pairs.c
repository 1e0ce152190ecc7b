// Triangles that share a pixel with overlapping depths, tested exactly. Records are queried by blocks; what
// each worker finds is sorted, so that it does not matter who found it.
#include "image/find_pairs.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/tasks.h"
#include "image/pixel_lists.h"
#include "mesh/triangle/triangle.h"

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
    uint32_t end; // records to compare with are before this
    bool is_self; // pairs of one object
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

static bool share_corner(const AbutDTriangle* a, const AbutDTriangle* b)
{
    for (int i = 0; i < 3; ++i)
    {
        if (abut_dvec3_equal(a->corners[i], b->corners[0]) ||
            abut_dvec3_equal(a->corners[i], b->corners[1]) || abut_dvec3_equal(a->corners[i], b->corners[2]))
        {
            return true;
        }
    }
    return false;
}

/// Corners of an object in its own frame are floats.
static AbutTriangle to_float(const AbutDTriangle* t)
{
    return (AbutTriangle){ { abut_dvec3_to_vec3(t->corners[0]), abut_dvec3_to_vec3(t->corners[1]),
                             abut_dvec3_to_vec3(t->corners[2]) } };
}

/// Triangles of one mesh. Neighbours always touch, and collide when they cross.
static bool collide_in_mesh(const AbutDTriangle* a, const AbutDTriangle* b)
{
    if (!share_corner(a, b))
    {
        return abut_triangles_touch(a, b);
    }
    AbutTriangle t = to_float(a), u = to_float(b);
    return !abut_triangle_is_degenerate(&t) && !abut_triangle_is_degenerate(&u) &&
           abut_triangles_cross(&t, &u);
}

/// The state of a pair with the rounding counted; without any the exact test tells.
static void note_state(Query* query, const AbutDTriangle* a, const AbutDTriangle* b)
{
    double uncertainty = query->set->uncertainty;
    AbutTrianglesState state = uncertainty > 0.0            ? abut_triangles_touch_within(a, b, uncertainty)
                               : abut_triangles_touch(a, b) ? ABUT_TRIANGLES_TOUCH
                                                            : ABUT_TRIANGLES_APART;
    query->findings->is_contact = query->findings->is_contact || state == ABUT_TRIANGLES_TOUCH;
    query->findings->is_close = query->findings->is_close || state == ABUT_TRIANGLES_CLOSE;
}

static void test_pair(Query* query, uint32_t other)
{
    const AbutImageSet* set = query->set;
    const AbutImageRecord* records = set->records.items;
    const AbutDTriangle* triangles = set->triangles.items;
    query->findings->candidate_count += 1;
    const AbutDTriangle *a = &triangles[other], *b = &triangles[query->record];
    if (set->state_only)
    {
        note_state(query, a, b);
        return;
    }
    if (query->is_self ? collide_in_mesh(a, b) : abut_triangles_touch(a, b))
    {
        uint64_t first = triangle_number(set, &records[other]);
        uint64_t second = triangle_number(set, &records[query->record]);
        add_pair(set, query->findings, first < second ? first << 32 | second : second << 32 | first);
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
    return query->findings->is_contact;
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
    for (query.record = first; query.record < end && !query.findings->is_contact; ++query.record)
    {
        const AbutImageRecord* record = &records[query.record];
        AbutTransformedChunk chunk = abut_image_transformed_chunk(set, record->chunk);
        AbutPixelBox box = abut_pixel_box(query.view, &record->box);
        query.end = query.is_self ? query.record : abut_image_object_of(set, record->chunk)->first_record;
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
        set->findings[i].is_contact = set->findings[i].is_close = false;
    }
}

static AbutResult find_pairs(AbutImageSet* set, Query* query, size_t* pair_count)
{
    *pair_count = 0;
    size_t stamp_count = (size_t)set->record_count * set->host.worker_count;
    AbutResult result = abut_image_array_reserve(&set->host, &set->stamps, stamp_count);
    if (result != ABUT_OK || query->first_record == 0)
    {
        return result;
    }
    // There is no record of this number.
    memset(set->stamps.items, 0xFF, stamp_count * sizeof(uint32_t));
    clear_findings(set);
    uint32_t block_count = abut_block_count(set->record_count - query->first_record, QUERY_BLOCK);
    abut_parallel_for(&set->host, block_count, query_block, query);
    return join_findings(set, pair_count);
}

AbutResult abut_image_find_pairs(AbutImageSet* set, const AbutImageView* view, size_t* pair_count)
{
    Query query = { .set = set, .view = view };
    for (uint32_t i = 0; i < set->object_count && query.first_record == 0; ++i)
    {
        query.first_record = set->objects[i].first_record; // the first object with records looks for none
    }
    return find_pairs(set, &query, pair_count);
}

AbutResult abut_image_find_own_pairs(AbutImageSet* set, const AbutImageView* view, size_t* pair_count)
{
    Query query = { .set = set, .view = view, .is_self = true };
    query.first_record = set->record_count > 1 ? 1 : 0;
    return find_pairs(set, &query, pair_count);
}
