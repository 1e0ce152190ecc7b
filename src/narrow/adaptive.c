// The method "adaptive": a proof by branch and bound, then contacts by the same search.
#include "base/assert.h"
#include "narrow/contacts/contacts.h"
#include "narrow/contacts/speculative.h"
#include "narrow/method.h"
#include "narrow/prove/prove.h"

static void collide(const AbutNarrowQuery* query)
{
    ABUT_ASSERT(query->scratch != NULL && query->output->spacing > 0.0f);
    ABUT_ASSERT(query->contacts != NULL || query->capacity == 0);
    const AbutCollideSettings* settings = query->settings;
    AbutCollideOutput* output = query->output;
    AbutBoxSearch* search = &query->scratch->search;
    float tolerance = abut_pair_tolerance(query->pair->size, settings->tolerance);
    if (output->gap == 0.0f)
    {
        output->state = abut_prove_state(query->pair, search, tolerance, settings->budget, &output->gap);
    }
    bool within_margin = output->state != ABUT_COLLIDE_SEPARATED || output->gap <= settings->margin;
    if (within_margin && query->capacity > 0 && output->state != ABUT_COLLIDE_BUDGET)
    {
        output->contact_count = abut_narrow_contacts(
            query->pair, search, &query->scratch->contact_grid, settings, 0.5f * tolerance, &output->spacing,
            query->contacts, query->capacity, &output->contact_total);
    }
}

static void find_speculative(const AbutNarrowQuery* query)
{
    float tolerance = abut_pair_tolerance(query->pair->size, query->settings->tolerance);
    abut_narrow_speculative_contacts(query->pair, &query->scratch->search, &query->scratch->contact_grid,
                                     query->settings, 0.5f * tolerance, query->contacts, query->capacity,
                                     query->output);
}

const AbutNarrowMethod abut_narrow_adaptive = {
    .name = "adaptive",
    .needs_pair = true,
    .needs_scratch = true,
    .collide = collide,
    .speculative = find_speculative,
};
