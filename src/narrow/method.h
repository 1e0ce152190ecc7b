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
    /// In: ABUT_COLLIDE_SEPARATED, the gap proved by the boxes alone (0: none), the spacing to use, the
    /// uncertainty, and no contacts. Out: state, gap, spacing and counts.
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

    /// State and contacts of a pair. A gap over 0 of the boxes is a proof of ABUT_COLLIDE_SEPARATED; contacts
    /// within the margin are left to be found. Contacts are sorted by id; of more than the capacity, the
    /// deepest are in the array, and contact_total counts all. With a capacity of 0, which has no array, the
    /// search for contacts may be left out. In a batch the capacity is ABUT_CONTACT_LIST_CAPACITY.
    ///
    /// The caller removes contacts that are not finite, measures depths and fills in the evaluations.
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
