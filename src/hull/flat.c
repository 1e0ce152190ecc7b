// Points, segments and flat polygons, by exact signs in a projection along an axis.
#include "hull/draft.h"

#include "base/assert.h"
#include "base/sort.h"
#include "mesh/triangle/orient.h"

#include <string.h>

static bool allocate(AbutHullDraft* draft, uint32_t face_count, uint32_t half_edge_count, AbutArena* arena)
{
    draft->face_count = face_count;
    draft->half_edge_count = half_edge_count;
    draft->face_first = abut_arena_allocate(arena, (size_t)face_count + 1, sizeof(uint32_t));
    draft->tails = abut_arena_allocate(arena, half_edge_count, sizeof(uint32_t));
    draft->twins = abut_arena_allocate(arena, half_edge_count, sizeof(uint32_t));
    return draft->face_first != NULL && draft->tails != NULL && draft->twins != NULL;
}

static AbutResult draft_segment(const AbutHullSimplex* simplex, AbutArena* arena, AbutHullDraft* draft)
{
    if (!allocate(draft, 0, 2, arena))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    draft->face_first[0] = 0;
    for (uint32_t i = 0; i < 2; ++i)
    {
        draft->tails[i] = simplex->points[i];
        draft->twins[i] = 1 - i;
    }
    return ABUT_OK;
}

static float component(AbutVec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/// Bits in the order of the values; −0 is +0.
static uint32_t ordered_bits(float x)
{
    float value = x + 0.0f;
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
}

/// Order of the points by u, then v, then index: the index is in the lower half of each key.
static void sort_points(const AbutVec3* points, uint32_t count, int axis, uint64_t* keys, uint64_t* scratch)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        keys[i] = (uint64_t)ordered_bits(component(points[i], (axis + 2) % 3)) << 32 | i;
    }
    abut_sort_keys(keys, scratch, count, 32);
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t point = (uint32_t)keys[i];
        keys[i] = (uint64_t)ordered_bits(component(points[point], (axis + 1) % 3)) << 32 | point;
    }
    abut_sort_keys(keys, scratch, count, 32);
}

/// Andrew's monotone chain: counter-clockwise seen against the axis; returns the count of vertices.
static uint32_t chain(const AbutVec3* points, const uint64_t* sorted, uint32_t count, int axis, uint32_t* out)
{
    uint32_t n = 0;
    for (int pass = 0; pass < 2; ++pass)
    {
        uint32_t base = n;
        for (uint32_t i = 0; i < count; ++i)
        {
            uint32_t point = (uint32_t)sorted[pass == 0 ? i : count - 1 - i];
            while (n >= base + 2 &&
                   abut_orient_2d(points[out[n - 2]], points[out[n - 1]], points[point], axis) <= 0)
            {
                --n;
            }
            out[n++] = point;
        }
        --n; // the last point begins the other half
    }
    return n;
}

static AbutResult draft_polygon(const AbutVec3* points, uint32_t count, const AbutHullSimplex* simplex,
                                AbutArena* arena, AbutHullDraft* draft)
{
    int axis = 0;
    const uint32_t* s = simplex->points;
    while (abut_orient_2d(points[s[0]], points[s[1]], points[s[2]], axis) == 0)
    {
        ++axis;
        ABUT_ASSERT(axis < 3);
    }
    uint64_t* sorted = abut_arena_allocate(arena, count, sizeof(*sorted));
    uint64_t* scratch = abut_arena_allocate(arena, count, sizeof(*scratch));
    uint32_t* loop = abut_arena_allocate(arena, 2 * (size_t)count, sizeof(*loop));
    if (sorted == NULL || scratch == NULL || loop == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    sort_points(points, count, axis, sorted, scratch);
    uint32_t n = chain(points, sorted, count, axis, loop);
    ABUT_ASSERT(n >= 3);
    if (!allocate(draft, 2, 2 * n, arena))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        // Half edge i leads from vertex i to i + 1; half edge n + j of the other face leads from n − j to n −
        // j − 1.
        draft->tails[i] = loop[i];
        draft->tails[n + i] = loop[i == 0 ? 0 : n - i];
        draft->twins[i] = n + (n - 1 - i);
        draft->twins[n + (n - 1 - i)] = i;
    }
    draft->face_first[0] = 0;
    draft->face_first[1] = n;
    draft->face_first[2] = 2 * n;
    return ABUT_OK;
}

AbutResult abut_hull_draft_flat(const AbutVec3* points, uint32_t count, const AbutHullSimplex* simplex,
                                AbutArena* arena, AbutHullDraft* draft)
{
    *draft = (AbutHullDraft){ .dimension = simplex->dimension, .point = simplex->points[0] };
    if (simplex->dimension == 0)
    {
        return ABUT_OK;
    }
    return simplex->dimension == 1 ? draft_segment(simplex, arena, draft)
                                   : draft_polygon(points, count, simplex, arena, draft);
}
