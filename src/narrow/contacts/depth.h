/// @file depth.h
/// Penetration depth of contacts: the length by which A must move along the normal.
#ifndef ABUT_NARROW_CONTACTS_DEPTH_H
#define ABUT_NARROW_CONTACTS_DEPTH_H

#include <abut/contact.h>

#include "search/pair.h"

/// Fills in AbutContact.depth, depth_error and shared. Takes at most 8 · ABUT_CHORD_STEPS samples and a few
/// for each contact.
void abut_narrow_measure_depth(AbutPair* pair, AbutContact* contacts, uint32_t count);

#endif
