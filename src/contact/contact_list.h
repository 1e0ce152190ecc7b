/// @file contact_list.h
/// Touches to contacts, and lists of them: by cube of space, by depth.
#ifndef ABUT_CONTACT_CONTACT_LIST_H
#define ABUT_CONTACT_CONTACT_LIST_H

#include <abut/contact.h>

#include "contact/contact_grid.h"

enum
{
    ABUT_CONTACT_LIST_CAPACITY = 2048
};

/// Scratch of a query: the contacts that it has found so far.
typedef struct AbutContactList
{
    AbutContact items[ABUT_CONTACT_LIST_CAPACITY];
    int count;
} AbutContactList;

void abut_contact_make(const AbutPair* pair, const AbutContactCandidate* candidate, uint64_t id,
                       AbutContact* out);

/// False when a number of the contact is NaN or infinite, which shapes that are not distances lead to.
bool abut_contact_is_finite(const AbutContact* contact);

/// By id, then the deepest first, then by place: contacts that are the same here are the same.
void abut_contacts_sort(AbutContact* contacts, size_t count);

/// Sorts, keeps the deepest contact of each cube and returns how many there are.
size_t abut_contacts_join(AbutContact* contacts, size_t count);

/// Keeps the deepest `most` and returns how many there are, sorted by id.
size_t abut_contacts_keep_deepest(AbutContact* contacts, size_t count, size_t most);

/// Adds a contact to an array that keeps the deepest `most` of all that it is offered, in no order that means
/// anything.
void abut_contacts_offer(AbutContact* contacts, size_t* count, size_t most, const AbutContact* contact);

#endif
