// Counting sort: pairs are distributed by their smaller id, and the few pairs of one id are sorted by
// themselves. Workers take ranges of smaller ids.
#include "broad/pair_list.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <string.h>

enum
{
    PAIRS_PER_RANGE = 1 << 13, // below this, one worker sorts all
    MAX_RANGES = 32,
    INSERTION_MAX = 24, // ids for which insertion sort is fastest
    GAPS_MAX = 1024,    // ids below which clearing the counters of a radix sort does not pay
    DIGIT_BITS = 11,
    DIGITS = 1 << DIGIT_BITS
};

bool abut_pair_sink_grow(AbutPairSink* sink)
{
    // One more than the limit may be stored, so that the count tells.
    sink->failed = sink->failed || sink->count > sink->limit ||
                   !abut_memory_grow(sink->host, (void**)&sink->pairs, &sink->capacity, sink->capacity + 1,
                                     sizeof(AbutBodyPair));
    return !sink->failed;
}

// -----------------------------------------------------------------------------------------------------------
// Ids
// -----------------------------------------------------------------------------------------------------------

static void insert_with_gap(uint32_t* ids, size_t count, size_t gap)
{
    for (size_t i = gap; i < count; ++i)
    {
        uint32_t id = ids[i];
        size_t k = i;
        for (; k >= gap && ids[k - gap] > id; k -= gap)
        {
            ids[k] = ids[k - gap];
        }
        ids[k] = id;
    }
}

static void scatter(const uint32_t* from, size_t count, int shift, uint32_t* to)
{
    uint32_t starts[DIGITS] = { 0 };
    for (size_t i = 0; i < count; ++i)
    {
        starts[from[i] >> shift & (DIGITS - 1)] += 1;
    }
    uint32_t sum = 0;
    for (int digit = 0; digit < DIGITS; ++digit)
    {
        uint32_t digit_count = starts[digit];
        starts[digit] = sum;
        sum += digit_count;
    }
    for (size_t i = 0; i < count; ++i)
    {
        to[starts[from[i] >> shift & (DIGITS - 1)]++] = from[i];
    }
}

/// `scratch` has the same capacity.
static void sort_ids(uint32_t* ids, size_t count, uint32_t* scratch)
{
    static const size_t gaps[] = { 132, 57, 23, 10, 4 }; // Ciura's
    if (count > GAPS_MAX)
    {
        scatter(ids, count, 0, scratch);
        scatter(scratch, count, DIGIT_BITS, ids);
        scatter(ids, count, 2 * DIGIT_BITS, scratch);
        memcpy(ids, scratch, count * sizeof(uint32_t));
        return;
    }
    for (size_t i = 0; count > INSERTION_MAX && i < sizeof(gaps) / sizeof(gaps[0]); ++i)
    {
        insert_with_gap(ids, count, gaps[i]);
    }
    insert_with_gap(ids, count, 1);
}

// -----------------------------------------------------------------------------------------------------------
// Ranges
// -----------------------------------------------------------------------------------------------------------

typedef struct SortJob
{
    const AbutPairSink* sinks;
    uint32_t sink_count, id_count, range_count;
    uint32_t* starts;
    uint32_t* others;
    AbutBodyPair* out;
    size_t range_starts[MAX_RANGES + 1];
} SortJob;

static uint32_t range_begin(const SortJob* job, uint32_t range)
{
    return (uint32_t)((uint64_t)job->id_count * range / job->range_count);
}

/// Count of the pairs of each smaller id of a range.
static void count_range(void* context, uint32_t range, uint32_t worker)
{
    (void)worker;
    SortJob* job = context;
    const uint32_t begin = range_begin(job, range), size = range_begin(job, range + 1) - begin;
    memset(job->starts + begin, 0, size * sizeof(uint32_t));
    size_t total = 0;
    for (uint32_t s = 0; s < job->sink_count; ++s)
    {
        const AbutPairSink* sink = &job->sinks[s];
        for (size_t i = 0; i < sink->count; ++i)
        {
            uint32_t k = sink->pairs[i].a - begin;
            if (k < size)
            {
                job->starts[begin + k] += 1;
                total += 1;
            }
        }
    }
    job->range_starts[range + 1] = total;
}

static void scatter_range(const SortJob* job, uint32_t begin, uint32_t size)
{
    for (uint32_t s = 0; s < job->sink_count; ++s)
    {
        const AbutPairSink* sink = &job->sinks[s];
        for (size_t i = 0; i < sink->count; ++i)
        {
            uint32_t k = sink->pairs[i].a - begin;
            if (k < size)
            {
                job->others[job->starts[begin + k]++] = sink->pairs[i].b;
            }
        }
    }
}

static void sort_range(void* context, uint32_t range, uint32_t worker)
{
    (void)worker;
    const SortJob* job = context;
    const uint32_t begin = range_begin(job, range), end = range_begin(job, range + 1);
    size_t next = job->range_starts[range];
    for (uint32_t a = begin; a < end; ++a)
    {
        size_t count = job->starts[a];
        job->starts[a] = (uint32_t)next;
        next += count;
    }
    scatter_range(job, begin, end - begin);
    size_t start = job->range_starts[range];
    for (uint32_t a = begin; a < end; ++a)
    {
        size_t count = job->starts[a] - start; // the distribution has moved each start to that of the next id
        uint32_t* others = job->others + start;
        AbutBodyPair* out = job->out + start;
        sort_ids(others, count, &out->a); // the output is free as scratch
        for (size_t i = 0; i < count; ++i)
        {
            out[i] = (AbutBodyPair){ a, others[i] };
        }
        start += count;
    }
}

static size_t total_count(const AbutPairSink* sinks, uint32_t sink_count)
{
    size_t total = 0;
    for (uint32_t s = 0; s < sink_count; ++s)
    {
        total += sinks[s].count;
    }
    return total;
}

static bool any_failed(const AbutPairSink* sinks, uint32_t sink_count)
{
    bool failed = false;
    for (uint32_t s = 0; s < sink_count; ++s)
    {
        failed |= sinks[s].failed;
    }
    return failed;
}

AbutResult abut_pair_list_too_many(size_t limit)
{
    return abut_fail(ABUT_LIMIT_EXCEEDED,
                     "more than %zu pairs of boxes; set pair_limit of AbutBroadDef when that is meant",
                     limit);
}

static uint32_t range_count(const AbutHost* host, size_t total)
{
    size_t ranges = total / PAIRS_PER_RANGE;
    ranges = ranges < host->worker_count ? ranges : host->worker_count;
    ranges = ranges < MAX_RANGES ? ranges : MAX_RANGES;
    return ranges > 0 ? (uint32_t)ranges : 1;
}

#if defined(ABUT_ENABLE_ASSERTS)
/// Pairs with a < b, by (a, b), each once.
static bool is_sorted(const AbutPairList* list)
{
    for (size_t i = 0; i < list->count; ++i)
    {
        const AbutBodyPair *x = &list->pairs[i > 0 ? i - 1 : 0], *y = &list->pairs[i];
        if (y->a >= y->b || (i > 0 && !(x->a < y->a || (x->a == y->a && x->b < y->b))))
        {
            return false;
        }
    }
    return true;
}
#endif

AbutResult abut_pair_list_sort(AbutPairSorter* sorter, const AbutHost* host, const AbutPairSink* sinks,
                               uint32_t sink_count, uint32_t id_count, AbutPairList* out)
{
    ABUT_ASSERT(sink_count > 0);
    const size_t total = total_count(sinks, sink_count);
    if (total > sinks[0].limit)
    {
        return abut_pair_list_too_many(sinks[0].limit);
    }
    if (any_failed(sinks, sink_count))
    {
        return abut_fail(ABUT_OUT_OF_MEMORY, "out of memory: the pairs of boxes did not fit");
    }
    if (!abut_pair_list_reserve(out, host, total) ||
        !abut_memory_grow(host, (void**)&sorter->starts, &sorter->start_capacity, id_count,
                          sizeof(uint32_t)) ||
        !abut_memory_grow(host, (void**)&sorter->others, &sorter->other_capacity, total, sizeof(uint32_t)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    SortJob job = { .sinks = sinks,
                    .sink_count = sink_count,
                    .id_count = id_count,
                    .range_count = range_count(host, total),
                    .starts = sorter->starts,
                    .others = sorter->others,
                    .out = out->pairs };
    out->count = total;
    if (total == 0)
    {
        return ABUT_OK;
    }
    abut_parallel_for(host, job.range_count, count_range, &job);
    for (uint32_t range = 0; range < job.range_count; ++range)
    {
        job.range_starts[range + 1] += job.range_starts[range];
    }
    abut_parallel_for(host, job.range_count, sort_range, &job);
    ABUT_ASSERT(is_sorted(out));
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Memory
// -----------------------------------------------------------------------------------------------------------

bool abut_pair_list_reserve(AbutPairList* list, const AbutHost* host, size_t count)
{
    return abut_memory_grow(host, (void**)&list->pairs, &list->capacity, count, sizeof(AbutBodyPair));
}

void abut_pair_list_free(AbutPairList* list, const AbutHost* host)
{
    abut_memory_free(host, list->pairs, list->capacity, sizeof(AbutBodyPair));
}

void abut_pair_sorter_free(AbutPairSorter* sorter, const AbutHost* host)
{
    abut_memory_free(host, sorter->starts, sorter->start_capacity, sizeof(uint32_t));
    abut_memory_free(host, sorter->others, sorter->other_capacity, sizeof(uint32_t));
}
