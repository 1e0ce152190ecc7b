/// @file method.h
/// Interface of narrow-phase methods.
///
/// A method is a file that defines an AbutNarrowMethod, a line below, a row of the table in method.c and a
/// constant of AbutCollideMethod. Names (abut_collide_method_name(), `abut collide --method`), checks of
/// settings, single queries and batches of pairs all read the table.
#ifndef ABUT_NARROW_METHOD_H
#define ABUT_NARROW_METHOD_H

#include <abut/narrow.h>

#include "contact/contact_list.h"
#include "narrow/particles/particles.h"
#include "search/box_search.h"

/// Scratch of a query, too large for the stacks of some threads. A method with other needs adds members to
/// the unions.
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

/// A pair whose boxes are no further apart than the margin.
typedef struct AbutNarrowQuery
{
    const AbutCollideSettings* settings; // checked
    AbutPair* pair;
    AbutCollideScratch* scratch; // NULL for count_tasks()
    AbutContact* contacts;
    uint32_t capacity;
    /// In: the gap proved by the boxes alone, the spacing to use, and the uncertainty. Out: state, gap,
    /// spacing and counts.
    AbutCollideOutput* output;
} AbutNarrowQuery;

/// Results of one task; the contacts are in the scratch.
typedef struct AbutNarrowTask
{
    const AbutContact* contacts;
    uint32_t count;
    float proved_depth; // of a point of one solid in the other; under 0 for none
} AbutNarrowTask;

typedef struct AbutNarrowMethod
{
    const char* name;

    /// Settings of the method's own. NULL: it has none.
    AbutResult (*check)(const AbutCollideSettings* settings);
    bool (*settings_equal)(const AbutCollideSettings* a, const AbutCollideSettings* b);

    /// State and contacts of a pair.
    void (*collide)(const AbutNarrowQuery* query);

    /// For a method that divides a pair into tasks of similar size, shared by all workers of a batch. NULL:
    /// each pair of a batch is one task, done by collide().
    ///
    /// Count of tasks; 0 with the state in the output for a pair without any.
    uint32_t (*count_tasks)(const AbutNarrowQuery* query);
    AbutNarrowTask (*run_task)(const AbutNarrowQuery* query, uint32_t task);
    /// State and contacts of a pair from those of all its tasks, in their order; the contacts that stay come
    /// first.
    void (*finish_tasks)(const AbutCollideSettings* settings, AbutContact* contacts, size_t count,
                         float proved_depth, AbutCollideOutput* output);
} AbutNarrowMethod;

extern const AbutNarrowMethod abut_narrow_adaptive;
extern const AbutNarrowMethod abut_narrow_particles;

/// The row of a method, or NULL for a number that is no method.
const AbutNarrowMethod* abut_narrow_method(AbutCollideMethod method);

#endif
