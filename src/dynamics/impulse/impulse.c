// The impulse response. A step has several passes when bodies are fast or small; phases of a pass: narrow
// phase, manifolds, graph colouring, solver, continuous collision.
#include "dynamics/impulse/impulse.h"

#include "base/assert.h"
#include "dynamics/ccd/clamp.h"
#include "dynamics/contacts/find_contacts.h"
#include "dynamics/contacts/manifolds.h"
#include "dynamics/impulse/passes.h"
#include "dynamics/impulse/solver.h"
#include "dynamics/state/events.h"
#include "dynamics/state/motion_bounds.h"

/// Passes of equal length, by the motions of the pairs over the whole step. A step of one pass detects its
/// contacts at the start, and goes on with the pairs of the plan.
static AbutResult plan(AbutStepContext* step)
{
    uint32_t substeps = step->world->def.substep_count;
    step->response_step = abut_arena_allocate(step->arena, 1, sizeof(AbutImpulse));
    step->seconds = step->total_seconds;
    step->substeps = substeps;
    AbutResult result = step->response_step != NULL ? abut_step_update_pairs(step) : ABUT_OUT_OF_MEMORY;
    if (result != ABUT_OK)
    {
        return result;
    }
    abut_step_recycle_manifolds(step);
    uint32_t subdivisions = abut_passes_subdivisions(step);
    step->pass_count = abut_passes_count(step, subdivisions);
    step->has_pairs = step->pass_count == 1;
    if (step->pass_count > 1)
    {
        uint32_t all = ABUT_FAST_SUBSTEPS * substeps * subdivisions;
        step->seconds = step->total_seconds / step->pass_count;
        step->substeps = step->pass_count > subdivisions ? all / step->pass_count : substeps;
        step->prediction_fraction = 0.5;
        ABUT_ASSERT(step->pass_count >= subdivisions && all % step->pass_count == 0);
    }
    return ABUT_OK;
}

/// A contact wakes both bodies; abut_step_make_manifolds() then wakes their islands.
static void wake_touched(const AbutWorld* world, const AbutCollideResults* results)
{
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        const AbutPairResult* pair = &results->pairs[i];
        AbutBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
        if (pair->output.contact_count > 0)
        {
            a->asleep = b->asleep = false;
        }
    }
}

static AbutResult update_contacts(AbutStepContext* step)
{
    if (step->pass > 0)
    {
        abut_step_accumulate_touches(step);
    }
    if (!step->has_pairs)
    {
        abut_step_recycle_manifolds(step);
    }
    abut_profiler_lap(&step->profiler, ABUT_PHASE_PAIRS);
    AbutCollideResults results;
    AbutResult result = abut_step_find_contacts(step, &results);
    abut_profiler_lap(&step->profiler, ABUT_PHASE_SEARCH);
    if (result == ABUT_OK)
    {
        wake_touched(step->world, &results);
        result = abut_step_make_manifolds(step, &results);
    }
    abut_profiler_lap(&step->profiler, ABUT_PHASE_MANIFOLDS);
    return result;
}

static AbutResult solve(AbutStepContext* step)
{
    AbutResult result = abut_step_make_colors(step);
    result = result == ABUT_OK ? abut_constraints_reserve(step) : result;
    if (result == ABUT_OK)
    {
        abut_profiler_lap(&step->profiler, ABUT_PHASE_CONSTRAINTS);
        abut_step_solve(step);
        step->profiler.profile.pass_count += 1;
        step->profiler.profile.substep_count += step->substeps;
    }
    return result;
}

const AbutResponseTable abut_impulse_response = {
    .name = "impulse",
    .has_core_points = true,
    .manifold_points = ABUT_MANIFOLD_POINTS,
    .plan = plan,
    .update_contacts = update_contacts,
    .solve = solve,
    .clamp_motions = abut_ccd_clamp_motions,
};
