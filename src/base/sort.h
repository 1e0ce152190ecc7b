/// @file sort.h
/// Sorting of numbers.
#ifndef ABUT_BASE_SORT_H
#define ABUT_BASE_SORT_H

#include <abut/base.h>

/// Sorts by the bits from `first_bit` (a multiple of 8) on; keys that are equal there keep their order.
/// `scratch` has `count` entries.
void abut_sort_keys(uint64_t* keys, uint64_t* scratch, size_t count, int first_bit);

#endif
