#include "narrow/contact_list.h"

#include "base/sort.h"
#include "contact/order.h"

#include <math.h>

enum
{
    CUBE_BITS = 21, // of an id, per axis
    CUBE_MASK = (1 << CUBE_BITS) - 1
};

/// Where the cubes of an axis begin, as a part of the spacing. Faces like to stand at round numbers, and there a contact would go from
/// cube to cube with every tremble, so these are not round; and cubes twice as large are made of whole cubes, which takes
/// the bits of one number from one place on.
static double cube_shift(int axis, int exponent)
{
    static const uint64_t bits[3] = { UINT64_C(0x61C8864680B583EB), UINT64_C(0x3C6EF372FE94F82B),
                                      UINT64_C(0x25597B1C3A5D9E77) };
    unsigned turn = (unsigned)-exponent & 63u;
    uint64_t turned = bits[axis] << turn | bits[axis] >> ((64u - turn) & 63u);
    return 1048576.0 + (double)(turned >> 11) * 0x1p-53;
}

uint64_t abut_contact_cube(AbutVec3 at, float spacing)
{
    const float place[3] = { at.x, at.y, at.z };
    uint64_t id = 0;
    int exponent;
    frexp((double)spacing, &exponent);
    for (int axis = 0; axis < 3; ++axis)
    {
        double cube = (double)place[axis] / (double)spacing + cube_shift(axis, exponent);
        id |= (uint64_t)(cube > 0.0 ? (cube < CUBE_MASK ? cube : CUBE_MASK) : 0.0) << (CUBE_BITS * axis);
    }
    return id;
}

uint64_t abut_contact_larger_cube(uint64_t id, uint32_t n)
{
    uint64_t larger = 0;
    for (int axis = 0; axis < 3 && n < CUBE_BITS; ++axis)
    {
        larger |= (id >> (CUBE_BITS * axis) & CUBE_MASK) >> n << (CUBE_BITS * axis);
    }
    return larger;
}

/// The nearest point of a solid's surface, as far as sample `i` tells, in the solid's own frame.
static AbutVec3 anchor_of(const AbutPairSide* side, const AbutPairBatch* batch, int number, size_t i)
{
    float(*g)[ABUT_PAIR_BATCH] = (float(*)[ABUT_PAIR_BATCH])batch->gradient[number];
    float squared = g[0][i] * g[0][i] + g[1][i] * g[1][i] + g[2][i] * g[2][i];
    float by = squared > 0.0f ? batch->distance[number][i] / squared : 0.0f;
    const double outer[3] = { (double)(batch->at[0][i] - by * g[0][i]),
                              (double)(batch->at[1][i] - by * g[1][i]),
                              (double)(batch->at[2][i] - by * g[2][i]) };
    double inner[3];
    abut_frame_to_inner(&side->frame, outer, inner);
    return abut_vec3((float)(inner[0] + 0.0), (float)(inner[1] + 0.0), (float)(inner[2] + 0.0));
}

AbutContact abut_contact_make(const AbutPair* pair, const AbutPairBatch* batch, size_t i, float spacing)
{
    // + 0 makes −0 the same as 0, so that equal contacts have equal bytes.
    AbutVec3 at = abut_vec3(batch->at[0][i] + 0.0f, batch->at[1][i] + 0.0f, batch->at[2][i] + 0.0f);
    float a = batch->distance[0][i], b = batch->distance[1][i];
    AbutVec3 normal = abut_vec3(batch->gradient[1][0][i], batch->gradient[1][1][i], batch->gradient[1][2][i]);
    float length = abut_vec3_length(normal);
    return (AbutContact){
        .position = at,
        .normal = abut_vec3_scale(normal, length > 0.0f ? 1.0f / length : 0.0f),
        .separation =
            a > 0.0f || b > 0.0f ? a + b : (a < b ? a : b), // outside of one, the sum is at most the gap
        .anchor_a = anchor_of(&pair->sides[0], batch, 0, i),
        .anchor_b = anchor_of(&pair->sides[1], batch, 1, i),
        .id = abut_contact_cube(at, spacing),
    };
}

// ---------------------------------------------------------------------------------------------------------------------
// Order
// ---------------------------------------------------------------------------------------------------------------------

static bool place_before(const AbutContact* a, const AbutContact* b)
{
    AbutVec3 p = a->position, q = b->position;
    return p.z != q.z ? p.z < q.z : (p.y != q.y ? p.y < q.y : p.x < q.x);
}

static bool id_before(const AbutContact* a, const AbutContact* b)
{
    if (a->id != b->id)
    {
        return a->id < b->id;
    }
    return a->separation != b->separation ? a->separation < b->separation : place_before(a, b);
}

static bool deeper(const AbutContact* a, const AbutContact* b)
{
    return a->separation != b->separation ? a->separation < b->separation : id_before(a, b);
}

/// Numbers for the cubes of the contacts, in the order of their ids but 32 bits wide, above the index. False when that is
/// not enough for how far apart they are.
static bool number_cubes(const AbutContact* contacts, size_t count, uint64_t* keys)
{
    uint32_t low[3] = { CUBE_MASK, CUBE_MASK, CUBE_MASK }, high[3] = { 0, 0, 0 };
    for (size_t i = 0; i < count; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            uint32_t at = (uint32_t)(contacts[i].id >> (CUBE_BITS * axis)) & CUBE_MASK;
            low[axis] = at < low[axis] ? at : low[axis];
            high[axis] = at > high[axis] ? at : high[axis];
        }
    }
    uint64_t x_count = high[0] - low[0] + 1, y_count = high[1] - low[1] + 1, z_count = high[2] - low[2] + 1;
    if (x_count * y_count > UINT32_MAX / z_count)
    {
        return false;
    }
    for (size_t i = 0; i < count; ++i)
    {
        uint64_t id = contacts[i].id;
        uint64_t x = (id & CUBE_MASK) - low[0], y = (id >> CUBE_BITS & CUBE_MASK) - low[1];
        uint64_t z = (id >> 2 * CUBE_BITS & CUBE_MASK) - low[2];
        keys[i] = ((z * y_count + y) * x_count + x) << 32 | i;
    }
    return true;
}

/// Moves contacts[keys[i]] to i for all i, along the cycles of that permutation.
static void permute(AbutContact* contacts, size_t count, uint64_t* keys)
{
    for (size_t i = 0; i < count; ++i)
    {
        AbutContact first = contacts[i];
        size_t to = i, from = (uint32_t)keys[i];
        for (; from != i; to = from, from = (uint32_t)keys[to])
        {
            contacts[to] = contacts[from];
            keys[to] = to;
        }
        contacts[to] = first;
        keys[to] = to;
    }
}

/// Sorts those of each cube, when the cubes are in order.
static void sort_in_cubes(AbutContact* contacts, size_t count)
{
    for (size_t i = 0, end; i < count; i = end)
    {
        for (end = i + 1; end < count && contacts[end].id == contacts[i].id; ++end)
        {
        }
        abut_contacts_sort_by(contacts + i, end - i, id_before);
    }
}

void abut_contacts_sort(AbutContact* contacts, size_t count)
{
    uint64_t keys[ABUT_CONTACT_LIST_MOST], scratch[ABUT_CONTACT_LIST_MOST];
    // By comparisons where there are few, or too many for the stack.
    if (count > 32 && count <= ABUT_CONTACT_LIST_MOST && number_cubes(contacts, count, keys))
    {
        abut_sort_keys(keys, scratch, count, 32);
        permute(contacts, count, keys);
        sort_in_cubes(contacts, count);
    }
    else
    {
        abut_contacts_sort_by(contacts, count, id_before);
    }
}

size_t abut_contacts_join(AbutContact* contacts, size_t count)
{
    abut_contacts_sort(contacts, count);
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i)
    {
        if (kept == 0 || contacts[kept - 1].id != contacts[i].id)
        {
            contacts[kept++] = contacts[i];
        }
    }
    return kept;
}

size_t abut_contacts_keep_deepest(AbutContact* contacts, size_t count, size_t most)
{
    if (count > most)
    {
        abut_contacts_sort_by(contacts, count, deeper);
        count = most;
    }
    abut_contacts_sort(contacts, count);
    return count;
}

void abut_contacts_offer(AbutContact* contacts, size_t* count, size_t most, const AbutContact* contact)
{
    if (*count < most)
    {
        contacts[(*count)++] = *contact;
        if (*count == most)
        {
            abut_contacts_make_heap(contacts, most,
                                    deeper); // from here on the shallowest is on top, to be replaced
        }
    }
    else if (most > 0 && deeper(contact, &contacts[0]))
    {
        contacts[0] = *contact;
        abut_contacts_sink(contacts, most, 0, deeper);
    }
}

void abut_contact_list_add(AbutContactList* list, const AbutContact* contact)
{
    if (list->count == ABUT_CONTACT_LIST_MOST)
    {
        list->count = (int)abut_contacts_join(list->items, (size_t)list->count);
        list->full = list->count > ABUT_CONTACT_LIST_MOST / 2;
    }
    if (!list->full)
    {
        list->items[list->count++] = *contact;
    }
}
