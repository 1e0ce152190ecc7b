#include "contact/contact_order.h"

#include "base/assert.h"

#include <string.h>

_Static_assert(sizeof(AbutContact) == 16 * sizeof(float) + sizeof(uint64_t),
               "contacts are compared as bytes");

bool abut_contact_before(const AbutContact* a, const AbutContact* b)
{
    return a->id != b->id ? a->id < b->id : memcmp(a, b, sizeof(*a)) < 0;
}

static void swap(AbutContact* a, AbutContact* b)
{
    AbutContact c = *a;
    *a = *b;
    *b = c;
}

void abut_contacts_sift_down(AbutContact* items, size_t count, size_t i, AbutContactBeforeFn* before)
{
    ABUT_ASSERT(count == 0 || i < count);
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

void abut_contacts_make_heap(AbutContact* items, size_t count, AbutContactBeforeFn* before)
{
    for (size_t i = count / 2; i-- > 0;)
    {
        abut_contacts_sift_down(items, count, i, before);
    }
}

static void sort_by_heap(AbutContact* items, size_t count, AbutContactBeforeFn* before)
{
    abut_contacts_make_heap(items, count, before);
    for (size_t rest = count; rest > 1; --rest)
    {
        swap(&items[0], &items[rest - 1]);
        abut_contacts_sift_down(items, rest - 1, 0, before);
    }
}

static void sort_by_insertion(AbutContact* items, size_t count, AbutContactBeforeFn* before)
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

/// Partitions the items by the middle one; no item before the returned index comes after one from it on, and
/// neither side is empty.
static size_t partition(AbutContact* items, size_t count, AbutContactBeforeFn* before)
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

/// Quicksort by the middle item, good for contacts that are nearly in order; `depth` bounds the recursion
/// otherwise.
static void sort(AbutContact* items, size_t count, AbutContactBeforeFn* before, int depth)
{
    while (count > 16)
    {
        if (depth-- == 0)
        {
            sort_by_heap(items, count, before);
            return;
        }
        size_t left = partition(items, count, before);
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

static bool is_sorted(const AbutContact* contacts, size_t count, AbutContactBeforeFn* before)
{
    size_t i = 1;
    while (i < count && !before(&contacts[i], &contacts[i - 1]))
    {
        i += 1;
    }
    return i >= count;
}

void abut_contacts_sort_by(AbutContact* contacts, size_t count, AbutContactBeforeFn* before)
{
    if (!is_sorted(contacts, count, before))
    {
        sort(contacts, count, before, sort_depth(count));
    }
}
