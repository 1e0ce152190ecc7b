/// @file order.h
/// One order of contacts, whatever way they were found in.
#ifndef ABUT_CONTACT_ORDER_H
#define ABUT_CONTACT_ORDER_H

#include <abut/contact.h>

/// Under, at or over 0 as `a` comes before, is the same as or comes after `b`: by id, then by all other bytes, so that only equal
/// contacts are the same.
int abut_contact_compare(const AbutContact* a, const AbutContact* b);

/// Sorts in place. Not qsort(), which may ask for memory behind the host's back.
void abut_contacts_sort_bytes(AbutContact* contacts, int count);

#endif
