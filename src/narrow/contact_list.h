/// @file contact_list.h
/// Samples to contacts, and lists of them: by cube of space, by depth.
#ifndef ABUT_NARROW_CONTACT_LIST_H
#define ABUT_NARROW_CONTACT_LIST_H

#include "narrow/pair.h"

enum
{
    ABUT_CONTACT_LIST_MOST = 2048
};

/// Scratch of a query: the contacts that it has found so far.
typedef struct AbutContactList
{
    AbutContact items[ABUT_CONTACT_LIST_MOST];
    int count;
    bool full;
} AbutContactList;

/// The cube of space that a point is in, 21 bits for each axis. Points too far for that are in the outermost cubes.
uint64_t abut_contact_cube(AbutVec3 at, float spacing);

/// The cube of 2ⁿ times the size that a cube is part of.
uint64_t abut_contact_larger_cube(uint64_t id, uint32_t n);

/// Sample `i` as a contact; the batch has gradients.
AbutContact abut_contact_make(const AbutPair* pair, const AbutPairBatch* batch, size_t i, float spacing);

/// By id, then the deepest first, then by place: contacts that are the same here are the same.
void abut_contacts_sort(AbutContact* contacts, size_t count);

/// Sorts, keeps the deepest contact of each cube and returns how many there are.
size_t abut_contacts_join(AbutContact* contacts, size_t count);

/// Keeps the deepest `most` and returns how many there are, sorted by id.
size_t abut_contacts_keep_deepest(AbutContact* contacts, size_t count, size_t most);

/// Adds a contact to an array that keeps the deepest `most` of all that it is offered, in no order that means anything.
void abut_contacts_offer(AbutContact* contacts, size_t* count, size_t most, const AbutContact* contact);

/// Joins the cubes of a list that has no room; it is full when that does not free half of it.
void abut_contact_list_add(AbutContactList* list, const AbutContact* contact);

#endif
