/// @file contact_order.h
/// Sorting of contacts without memory: the C library's sort may allocate outside of the host.
#ifndef ABUT_CONTACT_CONTACT_ORDER_H
#define ABUT_CONTACT_CONTACT_ORDER_H

#include <abut/contact.h>

/// True when `a` comes before `b`: a strict order, also of numbers that are not finite.
typedef bool AbutContactBeforeFn(const AbutContact* a, const AbutContact* b);

/// By id, then by all other bytes, so that only equal contacts are equivalent: one order for any order of
/// arrival.
bool abut_contact_before(const AbutContact* a, const AbutContact* b);

void abut_contacts_sort_by(AbutContact* contacts, size_t count, AbutContactBeforeFn* before);

/// Makes a heap: the last contact of the order is at index 0, and each comes after those at 2 i + 1 and 2 i +
/// 2.
void abut_contacts_make_heap(AbutContact* contacts, size_t count, AbutContactBeforeFn* before);

/// Restores the heap below the contact at `i`.
void abut_contacts_sift_down(AbutContact* contacts, size_t count, size_t i, AbutContactBeforeFn* before);

#endif
