/// @file refine_deepest.h
/// The deepest contact of each region brought to its deepest point, where the two surfaces face each other.
#ifndef ABUT_NARROW_CONTACTS_REFINE_DEEPEST_H
#define ABUT_NARROW_CONTACTS_REFINE_DEEPEST_H

#include "contact/contact_grid.h"

/// Touches that are deeper than those of all cubes around slide along the surface that they are on, for as
/// long as that leads deeper into the other solid (or, between solids that are apart, to where the gap is
/// least). They stay the touches of their cubes.
void abut_narrow_refine_deepest(AbutPair* pair, AbutContactGrid* contact_grid, float spacing);

#endif
