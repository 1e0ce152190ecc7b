/// @file collide.h
/// A query with its scratch given, for callers that have many.
#ifndef ABUT_NARROW_COLLIDE_H
#define ABUT_NARROW_COLLIDE_H

#include "narrow/contact_list.h"
#include "narrow/particles.h"
#include "narrow/search.h"

/// Too large for the stacks of some threads.
typedef struct AbutCollideScratch
{
    union
    {
        AbutSearch search;
        AbutParticleRun run;
    };
    AbutContactList list;
} AbutCollideScratch;

/// @return ABUT_INVALID_ARGUMENT with a message for a method and settings of particles that make no sense.
AbutResult abut_collide_check(const AbutCollideSettings* settings);

/// abut_collide() without scratch of its own.
AbutCollideOutput abut_collide_with(const AbutCollideInput* input, AbutCollideScratch* scratch,
                                    AbutContact* contacts, int capacity);

#endif
