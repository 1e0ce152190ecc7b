// The impulse response: memory and steps. Phases of a pass: broad phase and recycling, narrow phase,
// manifolds, graph colouring, solver, continuous collision. A step has several passes when bodies are fast or
// small.
#include "dynamics/impulse/impulse.h"

#include "base/assert.h"
#include "base/memory.h"
#include "dynamics/ccd/clamp.h"
#include "dynamics/contacts/find_contacts.h"
#include "dynamics/contacts/manifolds.h"
#include "dynamics/impulse/passes.h"
#include "dynamics/impulse/solver.h"
#include "dynamics/state/events.h"
#include "dynamics/state/integrate.h"

#include <string.h>

static AbutResult create(AbutWorld* world)
{
    world->response_state = abut_memory_allocate_zero(&world->host, 1, sizeof(AbutImpulse));
    return world->response_state != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

static void destroy(AbutWorld* world)
{
    AbutImpulse* impulse = abut_impulse(world);
    const AbutHost* host = &world->host;
    if (impulse == NULL)
    {
        return;
    }
    abut_memory_free(host, impulse->order, impulse->order_capacity, sizeof(uint32_t));
    abut_memory_free(host, impulse->by_count, impulse->by_count_capacity, sizeof(uint32_t));
    abut_constraints_free(host, &impulse->constraints);
    abut_memory_free(host, impulse->colors, impulse->color_capacity, sizeof(uint8_t));
    abut_memory_free(host, impulse->taken, impulse->taken_capacity, sizeof(uint64_t));
    abut_memory_free(host, impulse, 1, sizeof(AbutImpulse));
    world->response_state = NULL;
}

// -----------------------------------------------------------------------------------------------------------
// A pass
// -----------------------------------------------------------------------------------------------------------

/// A contact wakes both bodies; abut_world_make_manifolds() then wakes their islands.
static void wake_touched(AbutWorld* world, const AbutCollideResults* results)
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

/// Reverts wake_touched() and abut_world_make_manifolds().
static void undo_manifolds(AbutWorld* world)
{
    world->current = 1 - world->current;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        world->bodies[i].asleep = world->bodies[i].was_asleep;
    }
}

/// On failure nothing has changed.
static AbutResult solve_pass(AbutWorld* world, double seconds, bool has_pairs, AbutProfiler* profiler)
{
    AbutResult result = has_pairs ? ABUT_OK : abut_world_find_pairs(world, seconds);
    abut_profiler_lap(profiler, ABUT_PHASE_PAIRS);
    AbutCollideResults results;
    result = result == ABUT_OK ? abut_world_find_contacts(world, &results) : result;
    abut_profiler_lap(profiler, ABUT_PHASE_SEARCH);
    result = result == ABUT_OK ? abut_world_reserve_manifolds(world, &results) : result;
    result = result == ABUT_OK ? abut_world_reserve_events(world) : result;
    result = result == ABUT_OK ? abut_world_reserve_colors(world) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    wake_touched(world, &results);
    abut_world_make_manifolds(world, &results, &profiler->profile);
    abut_profiler_lap(profiler, ABUT_PHASE_MANIFOLDS);
    abut_world_make_colors(world);
    result = abut_constraints_reserve(world);
    abut_profiler_lap(profiler, ABUT_PHASE_CONSTRAINTS);
    if (result != ABUT_OK)
    {
        undo_manifolds(world);
        return result;
    }
    abut_world_solve(world, seconds, profiler);
    abut_ccd_clamp_motions(world);
    abut_profiler_lap(profiler, ABUT_PHASE_CLAMP);
    profiler->profile.pass_count += 1;
    profiler->profile.substep_count += world->substeps;
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Passes of a step
// -----------------------------------------------------------------------------------------------------------

/// Copies bodies and manifolds, for restore_state().
static AbutResult save_state(AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    AbutContactStore* saved = &world->saved_store;
    if (!abut_memory_grow(&world->host, (void**)&world->saved, &world->saved_capacity, world->body_count,
                          sizeof(AbutBody)) ||
        !abut_memory_grow(&world->host, (void**)&saved->manifolds, &saved->manifold_capacity,
                          store->manifold_count, sizeof(AbutManifold)) ||
        !abut_memory_grow(&world->host, (void**)&saved->points, &saved->point_capacity, store->point_count,
                          sizeof(AbutManifoldPoint)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    memcpy(world->saved, world->bodies, world->body_count * sizeof(AbutBody));
    saved->manifold_count = store->manifold_count;
    saved->point_count = store->point_count;
    if (store->manifold_count > 0)
    {
        memcpy(saved->manifolds, store->manifolds, store->manifold_count * sizeof(AbutManifold));
    }
    if (store->point_count > 0)
    {
        memcpy(saved->points, store->points, store->point_count * sizeof(AbutManifoldPoint));
    }
    return ABUT_OK;
}

static void restore_state(AbutWorld* world)
{
    memcpy(world->bodies, world->saved, world->body_count * sizeof(AbutBody));
    AbutContactStore saved = world->saved_store;
    world->saved_store = world->stores[world->current];
    world->stores[world->current] = saved;
}

/// On failure the world is restored.
static AbutResult step(AbutWorld* world, double seconds, AbutProfiler* profiler)
{
    world->substeps = world->def.substep_count;
    world->is_last_pass = true;
    world->prediction_fraction = 0.0;
    AbutResult result = abut_world_find_pairs(world, seconds);
    uint32_t subdivisions = result == ABUT_OK ? abut_passes_subdivisions(world, seconds) : 1;
    uint32_t passes = result == ABUT_OK ? abut_passes_count(world, subdivisions) : 1;
    world->pass = 0;
    if (result != ABUT_OK || passes == 1)
    {
        return result == ABUT_OK ? solve_pass(world, seconds, true, profiler) : result;
    }
    result = save_state(world);
    uint32_t substeps = ABUT_FAST_SUBSTEPS * world->def.substep_count * subdivisions;
    world->substeps = passes > subdivisions ? substeps / passes : world->def.substep_count;
    world->prediction_fraction = 0.5;
    ABUT_ASSERT(passes >= subdivisions && substeps % passes == 0);
    for (uint32_t i = 0; i < passes && result == ABUT_OK; ++i)
    {
        world->pass = i;
        world->is_last_pass = i + 1 == passes;
        result = solve_pass(world, seconds / passes, false, profiler);
        if (result == ABUT_OK && !world->is_last_pass)
        {
            abut_world_keep_finite(world);
            abut_world_accumulate_touches(world);
        }
        else if (result != ABUT_OK && i > 0)
        {
            restore_state(world);
        }
    }
    return result;
}

const AbutResponseTable abut_impulse_response = {
    .name = "impulse",
    .has_core_points = true,
    .manifold_points = ABUT_MANIFOLD_POINTS,
    .create = create,
    .destroy = destroy,
    .step = step,
};
