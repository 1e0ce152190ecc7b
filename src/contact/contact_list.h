/// @file contact_list.h
/// Lists of contacts: by cell, by depth.
#ifndef ABUT_CONTACT_CONTACT_LIST_H
#define ABUT_CONTACT_CONTACT_LIST_H

#include <abut/contact.h>

#include "contact/contact_grid.h"

#include <math.h>

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

/// False when a number of the contact is NaN or infinite, as shapes that are not distances may cause.
static inline bool abut_contact_is_finite(const AbutContact* c)
{
    return abut_vec3_is_finite(c->position) && abut_vec3_is_finite(c->normal) &&
           abut_vec3_is_finite(c->anchor_a) && abut_vec3_is_finite(c->anchor_b) && isfinite(c->separation) &&
           isfinite(c->depth);
}

/// By id, then the deepest first, then by position: contacts that are equal in these are equal.
void abut_contacts_sort(AbutContact* contacts, size_t count);

/// Sorts, keeps the deepest contact of each cell and returns the count.
size_t abut_contacts_join(AbutContact* contacts, size_t count);

/// Keeps the deepest `most`, sorted by id, and returns the count.
size_t abut_contacts_keep_deepest(AbutContact* contacts, size_t count, size_t most);

/// Adds a contact to a heap of the deepest `most` of all contacts offered.
void abut_contacts_offer(AbutContact* contacts, size_t* count, size_t most, const AbutContact* contact);

#endif
