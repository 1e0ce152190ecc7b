/// @file depth.h
/// How much of the line along the normal of a contact both solids share.
#ifndef ABUT_NARROW_DEPTH_H
#define ABUT_NARROW_DEPTH_H

#include "narrow/pair.h"

/// Fills AbutContact.depth: the way from the contact out of B along the normal, and out of A the other way.
void abut_contacts_measure_depth(AbutPair* pair, AbutContact* contacts, int count);

#endif
