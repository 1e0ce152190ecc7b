/// @file refine.h
/// The deepest contact of each region brought to its deepest point, where the two surfaces face each other.
#ifndef ABUT_NARROW_REFINE_H
#define ABUT_NARROW_REFINE_H

#include "narrow/contact_list.h"

/// The contacts are sorted, one per cube of the spacing, and stay so. Those that are deeper than all in the cubes around them
/// slide along the surface that they are on, for as long as that leads deeper into the other solid (or, between
/// solids that are apart, to where the gap is least). They keep their ids.
void abut_contacts_refine(AbutPair* pair, AbutContactList* list, float spacing);

#endif
