/// @file refine_deepest.h
/// The deepest contact of each region, refined to the deepest point, where the two surfaces face each other.
#ifndef ABUT_NARROW_CONTACTS_REFINE_DEEPEST_H
#define ABUT_NARROW_CONTACTS_REFINE_DEEPEST_H

#include "contact/contact_grid.h"

/// Candidates deeper than those of all neighbouring cells slide along their surface for as long as that leads
/// deeper into the other solid (or, between separated solids, to the least gap). They stay the candidates of
/// their cells.
void abut_narrow_refine_deepest(AbutPair* pair, AbutContactGrid* contact_grid, float spacing);

#endif
