/// @file pair_list.h
/// Pairs as several workers find them, and their order.
#ifndef ABUT_BROAD_PAIR_LIST_H
#define ABUT_BROAD_PAIR_LIST_H

#include <abut/broad.h>

typedef struct AbutBroadFilter
{
    uint32_t group, mask;
} AbutBroadFilter;

/// The pairs of one worker. When it is full or memory runs out, later pairs are lost and `failed` is set.
typedef struct AbutPairSink
{
    const AbutHost* host;
    const AbutBroadFilter* filters; // by id; NULL when all pass
    AbutBodyPair* pairs;
    size_t count, capacity, limit;
    bool failed;
} AbutPairSink;

/// The slow path of adding: false when there is no memory.
bool abut_pair_sink_grow(AbutPairSink* sink);

static inline bool abut_broad_filters_pass(AbutBroadFilter a, AbutBroadFilter b)
{
    return (a.group & b.mask) != 0 && (b.group & a.mask) != 0;
}

/// Ids in any order; pairs that the filters refuse are left out.
static inline void abut_pair_sink_add(AbutPairSink* sink, uint32_t a, uint32_t b)
{
    if (sink->filters != NULL && !abut_broad_filters_pass(sink->filters[a], sink->filters[b]))
    {
        return;
    }
    if (sink->count == sink->capacity && !abut_pair_sink_grow(sink))
    {
        return;
    }
    sink->pairs[sink->count++] = (AbutBodyPair){ a < b ? a : b, a < b ? b : a };
}

/// Pairs sorted by a, then b. Zero-initialise it.
typedef struct AbutPairList
{
    AbutBodyPair* pairs;
    size_t count, capacity;
} AbutPairList;

/// Memory of abut_pair_list_sort() that is kept between calls. Zero-initialise it.
typedef struct AbutPairSorter
{
    uint32_t* starts;
    uint32_t* others;
    size_t start_capacity, other_capacity;
} AbutPairSorter;

/// All pairs of the sinks, sorted, to the list; ids are under `id_count`.
/// @return ABUT_LIMIT_EXCEEDED for more than the limit of a sink; ABUT_OUT_OF_MEMORY, also when a sink
/// failed.
AbutResult abut_pair_list_sort(AbutPairSorter* sorter, const AbutHost* host, const AbutPairSink* sinks,
                               uint32_t sink_count, uint32_t id_count, AbutPairList* out);

/// ABUT_LIMIT_EXCEEDED, with a message.
AbutResult abut_pair_list_too_many(size_t limit);

bool abut_pair_list_reserve(AbutPairList* list, const AbutHost* host, size_t count);
void abut_pair_list_free(AbutPairList* list, const AbutHost* host);
void abut_pair_sorter_free(AbutPairSorter* sorter, const AbutHost* host);

#endif
