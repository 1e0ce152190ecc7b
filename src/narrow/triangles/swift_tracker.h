/// @file swift_tracker.h
/// Closest features of pairs of hulls, from one query to the next: a table of fixed size in which a pair of
/// nodes has one position, and the last one there stays.
#ifndef ABUT_NARROW_TRIANGLES_SWIFT_TRACKER_H
#define ABUT_NARROW_TRIANGLES_SWIFT_TRACKER_H

#include <abut/decompose.h>

#include "narrow/convex/features.h"

enum
{
    ABUT_SWIFT_TRACKER_SIZE = 4096 // a power of two
};

typedef struct AbutSwiftEntry
{
    uint32_t nodes[2]; // plus 1; 0: empty
    AbutFeature features[2];
} AbutSwiftEntry;

struct AbutSwiftTracker
{
    AbutHost host;
    AbutSwiftEntry entries[ABUT_SWIFT_TRACKER_SIZE];
};

static inline AbutSwiftEntry* abut_swift_tracker_entry(AbutSwiftTracker* tracker, uint32_t a, uint32_t b)
{
    uint64_t key = ((uint64_t)a << 32 | b) * 0x9E3779B97F4A7C15u;
    return &tracker->entries[key >> 52];
}

/// False when the table does not have the pair, or has features that its hulls do not.
static inline bool abut_swift_tracker_find(AbutSwiftTracker* tracker, uint32_t a, uint32_t b,
                                           const AbutHullPair* pair, AbutFeature features[2])
{
    const AbutSwiftEntry* entry = abut_swift_tracker_entry(tracker, a, b);
    if (entry->nodes[0] != a + 1 || entry->nodes[1] != b + 1 ||
        !abut_feature_is_valid(pair->hulls[0], entry->features[0]) ||
        !abut_feature_is_valid(pair->hulls[1], entry->features[1]))
    {
        return false;
    }
    features[0] = entry->features[0];
    features[1] = entry->features[1];
    return true;
}

static inline void abut_swift_tracker_store(AbutSwiftTracker* tracker, uint32_t a, uint32_t b,
                                            const AbutFeature features[2])
{
    *abut_swift_tracker_entry(tracker, a, b) =
        (AbutSwiftEntry){ { a + 1, b + 1 }, { features[0], features[1] } };
}

#endif
