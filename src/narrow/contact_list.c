#include "narrow/contact_list.h"

#include <math.h>

typedef bool BeforeFn(const AbutContact* a, const AbutContact* b);

uint64_t abut_contact_cube(AbutVec3 at, float spacing)
{
    const float place[3] = { at.x, at.y, at.z };
    uint64_t id = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double cube = floor((double)place[axis] / (double)spacing) + 1048576.0;
        cube = cube > 0.0 ? (cube < 2097151.0 ? cube : 2097151.0) : 0.0;
        id |= (uint64_t)cube << (21 * axis);
    }
    return id;
}

AbutContact abut_contact_make(const AbutPair* pair, const AbutPairBatch* batch, size_t i, float spacing)
{
    (void)pair;
    // + 0 makes −0 the same as 0, so that equal contacts have equal bytes.
    AbutVec3 at = abut_vec3(batch->at[0][i] + 0.0f, batch->at[1][i] + 0.0f, batch->at[2][i] + 0.0f);
    float a = batch->distance[0][i], b = batch->distance[1][i];
    AbutVec3 normal = abut_vec3(batch->gradient[1][0][i], batch->gradient[1][1][i], batch->gradient[1][2][i]);
    float length = abut_vec3_length(normal);
    return (AbutContact){
        .position = at,
        .normal = abut_vec3_scale(normal, length > 0.0f ? 1.0f / length : 0.0f),
        .separation = fmaxf(a, b) > 0.0f ? a + b : fminf(a, b), // outside of one, the sum is at most the gap
        .id = abut_contact_cube(at, spacing),
    };
}

// ---------------------------------------------------------------------------------------------------------------------
// Order. The C library's sort may ask for memory; this one does not.
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

static void swap(AbutContact* a, AbutContact* b)
{
    AbutContact c = *a;
    *a = *b;
    *b = c;
}

/// Lets the item at `i` of a heap, whose last is on top, sink to its place.
static void sink(AbutContact* items, size_t count, size_t i, BeforeFn* before)
{
    for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1)
    {
        child += child + 1 < count && before(&items[child], &items[child + 1]) ? 1 : 0;
        if (!before(&items[i], &items[child]))
        {
            return;
        }
        swap(&items[i], &items[child]);
        i = child;
    }
}

static void make_heap(AbutContact* items, size_t count, BeforeFn* before)
{
    for (size_t i = count / 2; i-- > 0;)
    {
        sink(items, count, i, before);
    }
}

static void sort_by_heap(AbutContact* items, size_t count, BeforeFn* before)
{
    make_heap(items, count, before);
    for (size_t rest = count; rest > 1; --rest)
    {
        swap(&items[0], &items[rest - 1]);
        sink(items, rest - 1, 0, before);
    }
}

static void sort_by_insertion(AbutContact* items, size_t count, BeforeFn* before)
{
    for (size_t i = 1; i < count; ++i)
    {
        AbutContact item = items[i];
        size_t j = i;
        for (; j > 0 && before(&item, &items[j - 1]); --j)
        {
            items[j] = items[j - 1];
        }
        items[j] = item;
    }
}

/// Parts the items about the middle one; those before the returned index are not after those from it on, and neither part
/// is empty.
static size_t part(AbutContact* items, size_t count, BeforeFn* before)
{
    AbutContact pivot = items[(count - 1) / 2];
    size_t i = 0, j = count - 1;
    for (;; ++i, --j)
    {
        while (before(&items[i], &pivot))
        {
            ++i;
        }
        while (before(&pivot, &items[j]))
        {
            --j;
        }
        if (i >= j)
        {
            return j + 1;
        }
        swap(&items[i], &items[j]);
    }
}

/// Contacts come nearly in order, which parting about the middle likes; `depth` bounds what it does when they do not.
static void sort(AbutContact* items, size_t count, BeforeFn* before, int depth)
{
    while (count > 16)
    {
        if (depth-- == 0)
        {
            sort_by_heap(items, count, before);
            return;
        }
        size_t left = part(items, count, before);
        sort(items + left, count - left, before, depth);
        count = left;
    }
    sort_by_insertion(items, count, before);
}

static int sort_depth(size_t count)
{
    int depth = 2;
    for (; count > 1; count /= 2)
    {
        depth += 2;
    }
    return depth;
}

void abut_contacts_sort(AbutContact* contacts, size_t count)
{
    sort(contacts, count, id_before, sort_depth(count));
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
        sort(contacts, count, deeper, sort_depth(count));
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
            make_heap(contacts, most, deeper); // from here on the shallowest is on top, to be replaced
        }
    }
    else if (most > 0 && deeper(contact, &contacts[0]))
    {
        contacts[0] = *contact;
        sink(contacts, most, 0, deeper);
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
