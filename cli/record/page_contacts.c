#include "page_contacts.h"

#include <stdlib.h>
#include <string.h>

typedef struct RankedContact
{
    uint32_t number; // among the frame's contacts
    uint32_t rank;   // among the contacts of its pair, the deepest first
    float separation;
} RankedContact;

static size_t count_under(const Recording* recording, uint32_t stride, uint32_t frame_limit)
{
    size_t count = 0;
    for (uint32_t i = 0; i < recording->frame_count; i += stride)
    {
        uint32_t found = recording->frames[i].contact_count;
        count += found < frame_limit ? found : frame_limit;
    }
    return count;
}

/// The largest limit of a frame that keeps the sum in bounds: frames with few contacts leave their room to
/// the others.
static uint32_t find_frame_limit(const Recording* recording, uint32_t stride, size_t total_limit)
{
    uint32_t low = 0, high = UINT32_MAX;
    while (low < high)
    {
        uint32_t middle = high - (high - low) / 2;
        if (count_under(recording, stride, middle) <= total_limit)
        {
            low = middle;
        }
        else
        {
            high = middle - 1;
        }
    }
    return low;
}

bool page_contacts_begin(PageContacts* contacts, const Recording* recording, uint32_t stride,
                         size_t total_limit)
{
    uint32_t most = recording_most_contacts(recording) + 1;
    *contacts = (PageContacts){ .frame_limit = find_frame_limit(recording, stride, total_limit) };
    contacts->found = malloc(most * sizeof(RecordedContact));
    contacts->ranked = malloc(most * sizeof(RankedContact));
    contacts->kept = malloc(most * sizeof(uint32_t));
    return contacts->found != NULL && contacts->ranked != NULL && contacts->kept != NULL;
}

void page_contacts_end(PageContacts* contacts)
{
    free(contacts->found);
    free(contacts->ranked);
    free(contacts->kept);
    *contacts = (PageContacts){ 0 };
}

static int compare_depths(const RankedContact* a, const RankedContact* b)
{
    if (a->separation != b->separation)
    {
        return a->separation < b->separation ? -1 : 1;
    }
    return a->number < b->number ? -1 : a->number > b->number;
}

static int by_depth(const void* a, const void* b)
{
    return compare_depths(a, b);
}

static int by_rank(const void* a_pointer, const void* b_pointer)
{
    const RankedContact *a = a_pointer, *b = b_pointer;
    return a->rank != b->rank ? (a->rank < b->rank ? -1 : 1) : compare_depths(a, b);
}

static int by_number(const void* a_pointer, const void* b_pointer)
{
    uint32_t a = *(const uint32_t*)a_pointer, b = *(const uint32_t*)b_pointer;
    return a < b ? -1 : a > b;
}

/// The world lists the contacts of a pair one after the other.
static uint32_t end_of_pair(const RecordedContact* found, uint32_t first, uint32_t count)
{
    uint32_t end = first + 1;
    while (end < count && memcmp(found[end].bodies, found[first].bodies, sizeof(found->bodies)) == 0)
    {
        end += 1;
    }
    return end;
}

static void rank_contacts(RankedContact* ranked, const RecordedContact* found, uint32_t count)
{
    for (uint32_t first = 0, end = 0; first < count; first = end)
    {
        end = end_of_pair(found, first, count);
        for (uint32_t i = first; i < end; ++i)
        {
            ranked[i] = (RankedContact){ .number = i, .separation = found[i].separation };
        }
        qsort(ranked + first, end - first, sizeof(*ranked), by_depth);
        for (uint32_t i = first; i < end; ++i)
        {
            ranked[i].rank = i - first;
        }
    }
}

bool page_contacts_choose(PageContacts* contacts, const Recording* recording, const RecordedFrame* frame)
{
    if (!recording_read_contacts(recording, frame, contacts->found))
    {
        return false;
    }
    contacts->kept_count = page_contacts_count(contacts, frame);
    if (contacts->kept_count == frame->contact_count)
    {
        for (uint32_t i = 0; i < frame->contact_count; ++i)
        {
            contacts->kept[i] = i;
        }
        return true;
    }
    rank_contacts(contacts->ranked, contacts->found, frame->contact_count);
    qsort(contacts->ranked, frame->contact_count, sizeof(*contacts->ranked), by_rank);
    for (uint32_t i = 0; i < contacts->kept_count; ++i)
    {
        contacts->kept[i] = contacts->ranked[i].number;
    }
    // In the order of the world, neighbours resemble each other and pack well.
    qsort(contacts->kept, contacts->kept_count, sizeof(*contacts->kept), by_number);
    return true;
}
