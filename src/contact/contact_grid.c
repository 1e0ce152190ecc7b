#include "contact/contact_grid.h"

#include "base/assert.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

enum
{
    SLOT_BITS = 12
};

_Static_assert(ABUT_CONTACT_GRID_SLOTS == 1 << SLOT_BITS, "hashes number the slots");

// -----------------------------------------------------------------------------------------------------------
// Ids
// -----------------------------------------------------------------------------------------------------------

/// Where the cubes of an axis begin, as a part of the spacing. Faces like to stand at round numbers, and
/// there a contact would go from cube to cube with every tremble, so these are not round; and cubes twice as
/// large are made of whole cubes, which takes the bits of one number from one place on.
static double axis_shift(int axis, int exponent)
{
    static const uint64_t bits[3] = { UINT64_C(0x61C8864680B583EB), UINT64_C(0x3C6EF372FE94F82B),
                                      UINT64_C(0x25597B1C3A5D9E77) };
    unsigned bit_shift = (unsigned)-exponent & 63u;
    uint64_t rotated = bits[axis] << bit_shift | bits[axis] >> ((64u - bit_shift) & 63u);
    return 1048576.0 + (double)(rotated >> 11) * 0x1p-53;
}

AbutContactLattice abut_contact_lattice(float spacing, AbutDVec3 origin)
{
    int exponent;
    frexp((double)spacing, &exponent);
    double per_length = 1.0 / (double)spacing;
    return (AbutContactLattice){ .per_length = per_length,
                                 .shift = { axis_shift(0, exponent) + origin.x * per_length,
                                            axis_shift(1, exponent) + origin.y * per_length,
                                            axis_shift(2, exponent) + origin.z * per_length } };
}

uint64_t abut_contact_cell_coarsen(uint64_t id, uint32_t n)
{
    const uint64_t mask = (1u << ABUT_CONTACT_CELL_BITS) - 1;
    uint64_t larger = 0;
    for (int axis = 0; axis < 3 && n < ABUT_CONTACT_CELL_BITS; ++axis)
    {
        larger |= (id >> (ABUT_CONTACT_CELL_BITS * axis) & mask) >> n << (ABUT_CONTACT_CELL_BITS * axis);
    }
    return larger;
}

// -----------------------------------------------------------------------------------------------------------
// The deepest touch of each cube
// -----------------------------------------------------------------------------------------------------------

void abut_contact_grid_reset(AbutContactGrid* contact_grid, float spacing, AbutDVec3 origin)
{
    contact_grid->grid = abut_contact_lattice(spacing, origin);
    contact_grid->count = 0;
    contact_grid->full = false;
    memset(contact_grid->slots, 0, sizeof(contact_grid->slots));
}

/// The slot that has the cube, or the empty one where it belongs.
static uint32_t find_slot(const AbutContactGrid* contact_grid, uint64_t id)
{
    uint32_t slot = (uint32_t)(id * UINT64_C(0x9E3779B97F4A7C15) >> (64 - SLOT_BITS));
    while (contact_grid->slots[slot] != 0 && contact_grid->items[contact_grid->slots[slot] - 1].id != id)
    {
        slot = (slot + 1) % ABUT_CONTACT_GRID_SLOTS;
    }
    return slot;
}

const AbutContactGridCell* abut_contact_grid_find(const AbutContactGrid* contact_grid, uint64_t id)
{
    uint16_t number = contact_grid->slots[find_slot(contact_grid, id)];
    return number != 0 ? &contact_grid->items[number - 1] : NULL;
}

static bool position_before(const float a[3], const float b[3])
{
    return a[2] != b[2] ? a[2] < b[2] : (a[1] != b[1] ? a[1] < b[1] : a[0] < b[0]);
}

void abut_contact_grid_offer(AbutContactGrid* contact_grid, const AbutPairBatch* batch, size_t i)
{
    ABUT_ASSERT(i < batch->count);
    const float at[3] = { batch->at[0][i], batch->at[1][i], batch->at[2][i] };
    uint64_t id = abut_contact_cell_id(&contact_grid->grid, at);
    float separation = abut_contact_separation(batch->distance[0][i], batch->distance[1][i]);
    uint16_t* slot = &contact_grid->slots[find_slot(contact_grid, id)];
    AbutContactGridCell* grid_cell;
    if (*slot != 0)
    {
        grid_cell = &contact_grid->items[*slot - 1];
        if (!(separation < grid_cell->separation ||
              (separation == grid_cell->separation && position_before(at, grid_cell->candidate.at))))
        {
            return;
        }
    }
    else if (contact_grid->count == ABUT_CONTACT_GRID_CAPACITY)
    {
        contact_grid->full = true;
        return;
    }
    else
    {
        *slot = (uint16_t)++contact_grid->count;
        grid_cell = &contact_grid->items[*slot - 1];
        grid_cell->id = id;
    }
    grid_cell->candidate = abut_contact_candidate_at(batch, i);
    grid_cell->separation = separation;
}

// -----------------------------------------------------------------------------------------------------------
// Order
// -----------------------------------------------------------------------------------------------------------

/// Numbers in the low bits of the keys, to be sorted by the high ones.
enum
{
    NUMBER_BITS = 32
};

/// A number that is the larger the larger a separation is.
static uint32_t order_of_float(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

/// How the ids of cubes that are near each other fit fewer bits, in the same order.
typedef struct ShortIds
{
    uint64_t low[3];
    unsigned shift[3];
    bool fit; // 32 bits
} ShortIds;

static uint64_t axis_of(uint64_t id, int axis)
{
    return id >> (ABUT_CONTACT_CELL_BITS * axis) & ((1u << ABUT_CONTACT_CELL_BITS) - 1);
}

static ShortIds shorten_ids(const AbutContactGrid* contact_grid)
{
    ShortIds ids = { .low = { UINT64_MAX, UINT64_MAX, UINT64_MAX } };
    uint64_t high[3] = { 0, 0, 0 };
    for (int i = 0; i < contact_grid->count; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            uint64_t at = axis_of(contact_grid->items[i].id, axis);
            ids.low[axis] = at < ids.low[axis] ? at : ids.low[axis];
            high[axis] = at > high[axis] ? at : high[axis];
        }
    }
    unsigned bits = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        ids.shift[axis] = bits;
        for (uint64_t range = high[axis] - ids.low[axis]; range > 0; range >>= 1)
        {
            bits += 1;
        }
    }
    ids.fit = bits <= 32;
    return ids;
}

/// Where there are too many bits, from the half that counts less; sorting keeps the order of equals.
static void sort_by_id(const AbutContactGrid* contact_grid, const ShortIds* ids, uint64_t* keys,
                       uint64_t* scratch, size_t count)
{
    for (int half = 0; half < (ids->fit ? 1 : 2); ++half)
    {
        for (size_t i = 0; i < count; ++i)
        {
            uint32_t number = (uint32_t)keys[i];
            uint64_t id = contact_grid->items[number].id, key = id >> (32 * half);
            if (ids->fit)
            {
                key = (axis_of(id, 0) - ids->low[0]) | (axis_of(id, 1) - ids->low[1]) << ids->shift[1] |
                      (axis_of(id, 2) - ids->low[2]) << ids->shift[2];
            }
            keys[i] = key << NUMBER_BITS | number;
        }
        abut_sort_keys(keys, scratch, count, NUMBER_BITS);
    }
}

size_t abut_contact_grid_order(const AbutContactGrid* contact_grid, size_t most,
                               uint16_t order[ABUT_CONTACT_GRID_CAPACITY])
{
    ABUT_ASSERT(contact_grid->count <= ABUT_CONTACT_GRID_CAPACITY);
    uint64_t keys[ABUT_CONTACT_GRID_CAPACITY], scratch[ABUT_CONTACT_GRID_CAPACITY];
    size_t count = (size_t)contact_grid->count;
    for (size_t i = 0; i < count; ++i)
    {
        keys[i] = i;
    }
    ShortIds ids = shorten_ids(contact_grid);
    sort_by_id(contact_grid, &ids, keys, scratch, count);
    if (count > most)
    {
        for (size_t i = 0; i < count; ++i)
        {
            uint32_t number = (uint32_t)keys[i];
            keys[i] =
                (uint64_t)order_of_float(contact_grid->items[number].separation) << NUMBER_BITS | number;
        }
        abut_sort_keys(keys, scratch, count, NUMBER_BITS);
        count = most;
        sort_by_id(contact_grid, &ids, keys, scratch, count);
    }
    for (size_t i = 0; i < count; ++i)
    {
        order[i] = (uint16_t)keys[i];
    }
    return count;
}

// -----------------------------------------------------------------------------------------------------------
// From candidates to contacts
// -----------------------------------------------------------------------------------------------------------

/// The nearest point of a solid's surface, to first order at a candidate.
static inline AbutVec3 surface_point(const AbutContactCandidate* candidate, int number)
{
    const float* g = candidate->gradient[number];
    float squared = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    float by = squared > 0.0f ? candidate->distance[number] / squared : 0.0f;
    return abut_vec3(candidate->at[0] - by * g[0] + 0.0f, candidate->at[1] - by * g[1] + 0.0f,
                     candidate->at[2] - by * g[2] + 0.0f);
}

/// abut_transform_inverse_point(), inlined since it is called for every contact.
static inline AbutVec3 into_frame(const AbutTransform* frame, AbutVec3 at)
{
    const double(*r)[3] = frame->rotation.m;
    double inverse = 1.0 / frame->scale;
    double x = (double)at.x - frame->translation.x, y = (double)at.y - frame->translation.y,
           z = (double)at.z - frame->translation.z;
    return abut_vec3((float)((r[0][0] * x + r[1][0] * y + r[2][0] * z) * inverse + 0.0),
                     (float)((r[0][1] * x + r[1][1] * y + r[2][1] * z) * inverse + 0.0),
                     (float)((r[0][2] * x + r[1][2] * y + r[2][2] * z) * inverse + 0.0));
}

void abut_contact_make(const AbutPair* pair, const AbutContactCandidate* candidate, uint64_t id,
                       AbutContact* out)
{
    const float* g = candidate->gradient[1];
    float squared = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    float inverse = squared > 0.0f ? 1.0f / sqrtf(squared) : 0.0f;
    out->position = abut_pair_to_a(pair, candidate->at);
    out->normal = abut_vec3(g[0] * inverse, g[1] * inverse, g[2] * inverse);
    out->separation = abut_contact_candidate_separation(candidate);
    out->depth = 0.0f;
    out->depth_error = 0.0f;
    out->shared_length = 0.0f;
    AbutVec3 on_a = surface_point(candidate, 0);
    out->anchor_a = abut_pair_to_a(pair, (const float[3]){ on_a.x, on_a.y, on_a.z });
    out->anchor_b = into_frame(&pair->sides[1].frame, surface_point(candidate, 1));
    out->id = id;
}
