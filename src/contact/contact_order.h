/// @file contact_order.h
/// Contacts in order, without memory: the C library's sort may ask for some behind the host's back.
#ifndef ABUT_CONTACT_CONTACT_ORDER_H
#define ABUT_CONTACT_CONTACT_ORDER_H

#include <abut/contact.h>

/// Whether `a` comes before `b`: a strict order, also of what is not finite.
typedef bool AbutContactBeforeFn(const AbutContact* a, const AbutContact* b);

/// By id, then by all other bytes, so that only equal contacts are the same: one order whatever way they were
/// found in.
bool abut_contact_before(const AbutContact* a, const AbutContact* b);

void abut_contacts_sort_by(AbutContact* contacts, size_t count, AbutContactBeforeFn* before);

/// Arranges the contacts so that none comes before those below it: the last one of all is on top, at index 0,
/// and each is above those at 2 i + 1 and 2 i + 2.
void abut_contacts_make_heap(AbutContact* contacts, size_t count, AbutContactBeforeFn* before);

/// Lets the contact at `i` of such a heap sink to its place.
void abut_contacts_sift_down(AbutContact* contacts, size_t count, size_t i, AbutContactBeforeFn* before);

#endif
