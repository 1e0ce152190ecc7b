/// @file page_contacts.h
/// Which contacts of a recording go into a page: all, or where that would be too many the ones that matter
/// most.
#ifndef ABUT_CLI_PAGE_CONTACTS_H
#define ABUT_CLI_PAGE_CONTACTS_H

#include "recording.h"

/// Contacts of one frame at a time; the arrays are reused.
typedef struct PageContacts
{
    uint32_t frame_limit;   ///< kept of each frame
    RecordedContact* found; ///< all of the frame
    struct RankedContact* ranked;
    uint32_t* kept; ///< numbers among found[], ascending
    uint32_t kept_count;
} PageContacts;

/// Finds how many of a frame may be kept so that every `stride`-th frame together has at most `total_limit`.
/// @return false without memory.
bool page_contacts_begin(PageContacts* contacts, const Recording* recording, uint32_t stride,
                         size_t total_limit);
void page_contacts_end(PageContacts* contacts);

/// Reads the contacts of a frame into found[] and fills kept[]: where there are too many, the deepest of
/// every pair of bodies before the second of any, and so on. @return false after a message.
bool page_contacts_choose(PageContacts* contacts, const Recording* recording, const RecordedFrame* frame);

static inline uint32_t page_contacts_count(const PageContacts* contacts, const RecordedFrame* frame)
{
    return frame->contact_count < contacts->frame_limit ? frame->contact_count : contacts->frame_limit;
}

#endif
