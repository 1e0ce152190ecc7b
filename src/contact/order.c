#include "contact/order.h"

#include <string.h>

_Static_assert(sizeof(AbutContact) == 14 * sizeof(float) + sizeof(uint64_t),
               "contacts are compared as bytes");

int abut_contact_compare(const AbutContact* a, const AbutContact* b)
{
    return a->id != b->id ? (a->id < b->id ? -1 : 1) : memcmp(a, b, sizeof(*a));
}

static void swap(AbutContact* a, AbutContact* b)
{
    AbutContact old = *a;
    *a = *b;
    *b = old;
}

/// Lets the contact at `root` sink until none below it comes after it.
static void sink(AbutContact* heap, int root, int count)
{
    for (int child; (child = 2 * root + 1) < count; root = child)
    {
        if (child + 1 < count && abut_contact_compare(&heap[child], &heap[child + 1]) < 0)
        {
            child += 1;
        }
        if (abut_contact_compare(&heap[root], &heap[child]) >= 0)
        {
            return;
        }
        swap(&heap[root], &heap[child]);
    }
}

static bool is_sorted(const AbutContact* contacts, int count)
{
    int i = 1;
    while (i < count && abut_contact_compare(&contacts[i - 1], &contacts[i]) <= 0)
    {
        i += 1;
    }
    return i >= count;
}

void abut_contacts_sort_bytes(AbutContact* contacts, int count)
{
    if (is_sorted(contacts, count)) // the usual case: contacts come by id
    {
        return;
    }
    for (int root = count / 2 - 1; root >= 0; --root)
    {
        sink(contacts, root, count);
    }
    for (int last = count - 1; last > 0; --last)
    {
        swap(&contacts[0], &contacts[last]);
        sink(contacts, 0, last);
    }
}
