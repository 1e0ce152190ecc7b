/// @file union_find.h
/// Disjoint sets of the numbers 0 to count − 1, as a forest: parents[i] is the parent of i, roots are their
/// own. The smallest number of a set is its root, so that neither sets nor roots depend on the order of
/// joining.
#ifndef ABUT_BASE_UNION_FIND_H
#define ABUT_BASE_UNION_FIND_H

#include "base/assert.h"

#include <stdbool.h>
#include <stdint.h>

/// Every number a set of its own.
static inline void abut_union_find_init(uint32_t* parents, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        parents[i] = i;
    }
}

/// The smallest number of the set of i. Path halving, which together with the smaller root of
/// abut_union_find_join() keeps paths short.
static inline uint32_t abut_union_find_root(uint32_t* parents, uint32_t i)
{
    while (parents[i] != i)
    {
        ABUT_ASSERT(parents[i] < i);
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

/// The union of the sets of a and b; false when they were the same set already.
static inline bool abut_union_find_join(uint32_t* parents, uint32_t a, uint32_t b)
{
    a = abut_union_find_root(parents, a);
    b = abut_union_find_root(parents, b);
    parents[a > b ? a : b] = a < b ? a : b;
    return a != b;
}

#endif
