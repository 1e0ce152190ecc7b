/// @file speculative.h
/// Speculative contacts of a pair: contacts within a margin, without a proof whether the solids touch.
#ifndef ABUT_NARROW_CONTACTS_SPECULATIVE_H
#define ABUT_NARROW_CONTACTS_SPECULATIVE_H

#include <abut/narrow.h>

#include "contact/contact_grid.h"
#include "search/box_search.h"
#include "search/dual_octree.h"

/// The traversal of two fields that the search begins with; false where it begins with samples.
bool abut_speculative_octree(const AbutPair* pair, float speculative_distance, float spacing,
                             AbutDualOctree* out);

/// Contacts within the margin go to `contacts`; state, gap, spacing and counts to `output`, whose spacing is
/// the wanted one. `search` and `contact_grid` are scratch.
void abut_narrow_speculative_contacts(AbutPair* pair, AbutBoxSearch* search, AbutContactGrid* contact_grid,
                                      const AbutCollideSettings* settings, float tolerance,
                                      AbutContact* contacts, uint32_t capacity, AbutCollideOutput* output);

#endif
