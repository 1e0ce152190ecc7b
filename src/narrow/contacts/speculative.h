/// @file speculative.h
/// Contacts of a pair without the question whether it touches: what a simulation asks for.
#ifndef ABUT_NARROW_CONTACTS_SPECULATIVE_H
#define ABUT_NARROW_CONTACTS_SPECULATIVE_H

#include <abut/narrow.h>

#include "contact/contact_grid.h"
#include "search/box_search.h"

/// Contacts within the margin go to `contacts`; state, gap, spacing and counts to `output`, whose spacing is
/// the one wanted. `search` and `contact_grid` are scratch.
void abut_narrow_speculative_contacts(AbutPair* pair, AbutBoxSearch* search, AbutContactGrid* contact_grid,
                                      const AbutCollideSettings* settings, float tolerance,
                                      AbutContact* contacts, int capacity, AbutCollideOutput* output);

#endif
