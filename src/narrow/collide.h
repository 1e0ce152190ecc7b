/// @file collide.h
/// A query with its scratch given, for callers that have many.
#ifndef ABUT_NARROW_COLLIDE_H
#define ABUT_NARROW_COLLIDE_H

#include "narrow/contact_list.h"
#include "narrow/search.h"

/// Too large for the stacks of some threads.
typedef struct AbutCollideScratch
{
    AbutSearch search;
    AbutContactList list;
} AbutCollideScratch;

/// abut_collide() without scratch of its own.
AbutCollideOutput abut_collide_with(const AbutCollideInput* input, AbutCollideScratch* scratch,
                                    AbutContact* contacts, int capacity);

#endif
