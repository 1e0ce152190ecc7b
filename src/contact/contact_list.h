/// @file contact_list.h
/// Candidates to contacts, and lists of contacts: by cell, by depth.
#ifndef ABUT_CONTACT_CONTACT_LIST_H
#define ABUT_CONTACT_CONTACT_LIST_H

#include <abut/contact.h>

#include "contact/contact_grid.h"

enum
{
    ABUT_CONTACT_LIST_CAPACITY = 2048
};

/// Scratch of a query: its contacts so far.
typedef struct AbutContactList
{
    AbutContact items[ABUT_CONTACT_LIST_CAPACITY];
    int count;
} AbutContactList;

void abut_contact_make(const AbutPair* pair, const AbutContactCandidate* candidate, uint64_t id,
                       AbutContact* out);

/// False when a number of the contact is NaN or infinite, as shapes that are not distances may cause.
bool abut_contact_is_finite(const AbutContact* contact);

/// By id, then the deepest first, then by position: contacts that are equal in these are equal.
void abut_contacts_sort(AbutContact* contacts, size_t count);

/// Sorts, keeps the deepest contact of each cell and returns the count.
size_t abut_contacts_join(AbutContact* contacts, size_t count);

/// Keeps the deepest `most`, sorted by id, and returns the count.
size_t abut_contacts_keep_deepest(AbutContact* contacts, size_t count, size_t most);

/// Adds a contact to a heap of the deepest `most` of all contacts offered.
void abut_contacts_offer(AbutContact* contacts, size_t* count, size_t most, const AbutContact* contact);

#endif
