/// @file position_order.h
/// Order of items by position, so that results depend on the surface and not on the numbers in a file.
#ifndef ABUT_MESH_REPAIR_POSITION_ORDER_H
#define ABUT_MESH_REPAIR_POSITION_ORDER_H

#include <abut/math.h>

/// −1, 0 or 1 by x, then y, then z; −0 equals 0.
static inline int abut_compare_positions(AbutVec3 a, AbutVec3 b)
{
    if (a.x != b.x)
    {
        return a.x < b.x ? -1 : 1;
    }
    if (a.y != b.y)
    {
        return a.y < b.y ? -1 : 1;
    }
    return a.z != b.z ? (a.z < b.z ? -1 : 1) : 0;
}

/// True when item a comes before item b.
typedef bool AbutBeforeFn(const void* context, uint32_t a, uint32_t b);

/// Sorts in place, n log n at worst. Items that compare equal end in any order.
void abut_sort_items(uint32_t* items, size_t count, AbutBeforeFn* before, const void* context);

#endif
