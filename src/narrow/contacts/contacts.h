/// @file contacts.h
/// Contacts of a pair: one per cell of the contact grid in the intersection of the solids.
#ifndef ABUT_NARROW_CONTACTS_CONTACTS_H
#define ABUT_NARROW_CONTACTS_CONTACTS_H

#include <abut/narrow.h>

#include "contact/contact_grid.h"
#include "search/box_search.h"
#include "search/dual_octree.h"

enum
{
    ABUT_CONTACT_PROJECTION_STEPS = 8
};

/// The traversal of two fields that the search for contacts begins with, whose boxes are projected from their
/// middles; false where it begins with samples.
bool abut_narrow_contact_octree(const AbutPair* pair, float speculative_distance, float spacing,
                                AbutDualOctree* out);

/// Writes contacts sorted by id; of more than the capacity, the deepest. *total is the count of all; *spacing
/// grows when there are more than a query can hold, or when finding them takes more samples than the budget.
/// `search` and `contact_grid` are scratch. Returns the count written.
uint32_t abut_narrow_contacts(AbutPair* pair, AbutBoxSearch* search, AbutContactGrid* contact_grid,
                              const AbutCollideSettings* settings, float tolerance, float* spacing,
                              AbutContact* contacts, uint32_t capacity, uint32_t* total);

/// Limit of pair->evaluations for a search for contacts of one spacing.
uint64_t abut_narrow_contact_budget(const AbutPair* pair, uint32_t budget);

/// The spacing, or the least one for which cell ids suffice.
float abut_narrow_usable_spacing(const AbutPair* pair, float spacing);

/// The candidates of the grid as contacts, sorted by id; of more than the capacity, the deepest. Returns the
/// count written.
uint32_t abut_narrow_write_contacts(const AbutPair* pair, const AbutContactGrid* contact_grid,
                                    AbutContact* contacts, uint32_t capacity);

#endif
