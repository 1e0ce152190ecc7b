/// @file collide.h
/// A query with its scratch given, for callers that have many.
#ifndef ABUT_NARROW_COLLIDE_H
#define ABUT_NARROW_COLLIDE_H

#include <abut/narrow.h>

#include "contact/contact_list.h"
#include "narrow/particles/particles.h"
#include "search/box_search.h"

/// Too large for the stacks of some threads.
typedef struct AbutCollideScratch
{
    union
    {
        AbutBoxSearch search;
        AbutParticleTask task;
    };
    union
    {
        AbutContactGrid contact_grid;
        AbutContactList list;
    };
} AbutCollideScratch;

/// @return ABUT_INVALID_ARGUMENT with a message for settings that make no sense.
AbutResult abut_collide_check(const AbutCollideSettings* settings);

/// Starts a query. True when it takes a method to answer it; otherwise `output` has the answer.
bool abut_collide_begin(const AbutCollideInput* input, AbutPair* pair, AbutCollideOutput* output);

/// Answers a query that was begun, by the method of its settings.
void abut_collide_finish(const AbutCollideSettings* settings, AbutPair* pair, AbutCollideScratch* scratch,
                         AbutContact* contacts, int capacity, AbutCollideOutput* output);

/// The particles of a query that was begun.
AbutParticles abut_collide_particles(const AbutCollideSettings* settings, const AbutPair* pair,
                                     const AbutCollideOutput* output);

/// True when both give the same answers.
bool abut_collide_settings_equal(const AbutCollideSettings* a, const AbutCollideSettings* b);

#endif
