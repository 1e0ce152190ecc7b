// The method "adaptive": a proof by branch and bound, then contacts by the same search.
#include "base/assert.h"
#include "gpu/node_range.h"
#include "gpu/pairs/traverse.h"
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

enum
{
    // Exponents of the distance that points are projected to, in the unit of the pair.
    SMALLEST_TARGET = -30,
    LARGEST_TARGET = 30
};

/// Adds a traversal that a device can do.
static uint32_t add_octree(const AbutPair* pair, const AbutDualOctree* octree, bool stops, uint32_t steps,
                           float target, GpuOctreePair* out, AbutRecordedOctree* recorded)
{
    if (!abut_gpu_record_octree(octree, pair, out) ||
        !abut_gpu_in_range(target, SMALLEST_TARGET, LARGEST_TARGET))
    {
        return 0;
    }
    out->stops = stops ? 1 : 0;
    out->steps = steps;
    out->target = target;
    *recorded = (AbutRecordedOctree){
        .threshold = octree->threshold,
        .last_level = octree->last_level,
        .steps = steps,
        .target = target,
    };
    return 1;
}

static uint32_t record_octrees(const AbutNarrowQuery* query, bool speculative, GpuOctreePair* out,
                               AbutRecordedOctree* recorded)
{
    const AbutPair* pair = query->pair;
    AbutDualOctree octree;
    float tolerance = abut_pair_tolerance(pair->size, query->settings->tolerance);
    float distance = 0.5f * query->settings->margin + 0.5f * tolerance;
    float spacing = abut_narrow_usable_spacing(pair, query->output->spacing);
    uint32_t count = 0;
    if (speculative)
    {
        return abut_speculative_octree(pair, distance, spacing, &octree)
                   ? add_octree(pair, &octree, false, 0, 0.0f, out, recorded)
                   : 0;
    }
    if (query->output->gap == 0.0f && abut_prove_octree(pair, &octree))
    {
        count += add_octree(pair, &octree, true, 0, 0.0f, out, recorded);
    }
    if (abut_narrow_contact_octree(pair, distance, spacing, &octree))
    {
        count += add_octree(pair, &octree, false, ABUT_CONTACT_PROJECTION_STEPS, distance, out + count,
                            recorded + count);
    }
    return count;
}

const AbutNarrowMethod abut_narrow_adaptive = {
    .name = "adaptive",
    .needs_pair = true,
    .needs_scratch = true,
    .collide = collide,
    .speculative = find_speculative,
    .record_octrees = record_octrees,
};
