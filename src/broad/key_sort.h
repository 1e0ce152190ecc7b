/// @file key_sort.h
/// Ids sorted by keys of 64 bits.
#ifndef ABUT_BROAD_KEY_SORT_H
#define ABUT_BROAD_KEY_SORT_H

#include <abut/base.h>

typedef struct AbutKeyedId
{
    uint64_t key;
    uint32_t id;
} AbutKeyedId;

/// Zero-initialise it.
typedef struct AbutKeySort
{
    AbutKeyedId* items;
    AbutKeyedId* scratch;
    size_t item_capacity, scratch_capacity;
} AbutKeySort;

bool abut_key_sort_reserve(AbutKeySort* order, const AbutHost* host, size_t count);
void abut_key_sort_free(AbutKeySort* order, const AbutHost* host);

/// Sorts `count` items from `first` on by key; those with equal keys keep their order.
void abut_key_sort_range(AbutKeySort* order, size_t first, size_t count);

/// The bits of a number under 2²¹, two zeros between each: three of them interleaved number the cells of a
/// grid so that those of any cube of 2ⁿ cells follow each other (Morton).
static inline uint64_t abut_morton_spread(uint32_t number)
{
    uint64_t bits = number;
    bits = (bits | bits << 32) & 0x001F00000000FFFFu;
    bits = (bits | bits << 16) & 0x001F0000FF0000FFu;
    bits = (bits | bits << 8) & 0x100F00F00F00F00Fu;
    bits = (bits | bits << 4) & 0x10C30C30C30C30C3u;
    bits = (bits | bits << 2) & 0x1249249249249249u;
    return bits;
}

#endif
