#include "contact/contact_list.h"

#include "base/assert.h"
#include "base/sort.h"
#include "contact/contact_order.h"

#include <math.h>

enum
{
    CELL_BITS = ABUT_CONTACT_CELL_BITS,
    CELL_MASK = (1 << CELL_BITS) - 1
};

// -----------------------------------------------------------------------------------------------------------
// Order
// -----------------------------------------------------------------------------------------------------------

static bool position_before(const AbutContact* a, const AbutContact* b)
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
    return a->separation != b->separation ? a->separation < b->separation : position_before(a, b);
}

static bool deeper(const AbutContact* a, const AbutContact* b)
{
    return a->separation != b->separation ? a->separation < b->separation : id_before(a, b);
}

/// Keys of the cells of the contacts, in the order of their ids but with 32 bits, above the index. False when
/// the ids are too far apart for that.
static bool number_cells(const AbutContact* contacts, size_t count, uint64_t* keys)
{
    uint32_t low[3] = { CELL_MASK, CELL_MASK, CELL_MASK }, high[3] = { 0, 0, 0 };
    for (size_t i = 0; i < count; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            uint32_t at = (uint32_t)(contacts[i].id >> (CELL_BITS * axis)) & CELL_MASK;
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
        uint64_t x = (id & CELL_MASK) - low[0], y = (id >> CELL_BITS & CELL_MASK) - low[1];
        uint64_t z = (id >> 2 * CELL_BITS & CELL_MASK) - low[2];
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

/// Sorts the contacts of each cell; the cells are in order.
static void sort_in_cells(AbutContact* contacts, size_t count)
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
    uint64_t keys[ABUT_CONTACT_LIST_CAPACITY], scratch[ABUT_CONTACT_LIST_CAPACITY];
    // By comparisons for few contacts, or for too many for the stack.
    if (count > 32 && count <= ABUT_CONTACT_LIST_CAPACITY && number_cells(contacts, count, keys))
    {
        abut_sort_keys(keys, scratch, count, 32);
        permute(contacts, count, keys);
        sort_in_cells(contacts, count);
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
    ABUT_ASSERT(*count <= most);
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
        abut_contacts_sift_down(contacts, most, 0, deeper);
    }
}
