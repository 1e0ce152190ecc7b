/// @file contacts.h
/// Contacts of a pair: one per cube of space where both solids are.
#ifndef ABUT_NARROW_CONTACTS_CONTACTS_H
#define ABUT_NARROW_CONTACTS_CONTACTS_H

#include <abut/narrow.h>

#include "contact/contact_grid.h"
#include "search/box_search.h"

/// Writes contacts sorted by id, the deepest when there are more than fit. *total is how many there are;
/// *spacing grows when there are more than a query can hold, or finding them takes more samples than the
/// budget. `search` and `contact_grid` are scratch.
int abut_narrow_contacts(AbutPair* pair, AbutBoxSearch* search, AbutContactGrid* contact_grid,
                         const AbutCollideSettings* settings, float tolerance, float* spacing,
                         AbutContact* contacts, int capacity, int* total);

/// Samples that a search for contacts of one spacing may go up to.
uint64_t abut_narrow_contact_budget(const AbutPair* pair, uint32_t budget);

/// At least what the numbers of cubes have room for.
float abut_narrow_usable_spacing(const AbutPair* pair, float spacing);

/// The touches of the cubes as contacts, sorted by id, the deepest when there are more than fit. Returns how
/// many.
int abut_narrow_write_contacts(const AbutPair* pair, const AbutContactGrid* contact_grid,
                               AbutContact* contacts, int capacity);

#endif
