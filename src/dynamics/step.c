// A step of the world. Phases of a pass: broad phase and recycling, narrow phase, manifolds, graph colouring,
// solver, continuous collision. A step has several passes when bodies are fast or small. After the last pass:
// sleep, events, boxes of the broad phase, report.
#include "base/assert.h"
#include "base/fp_env.h"
#include "base/memory.h"
#include "dynamics/ccd/clamp.h"
#include "dynamics/contacts/manifolds.h"
#include "dynamics/events.h"
#include "dynamics/find_contacts.h"
#include "dynamics/impulse/contact_constraint.h"
#include "dynamics/impulse/graph_coloring.h"
#include "dynamics/impulse/solver.h"
#include "dynamics/passes.h"
#include "dynamics/penalty/anchors.h"
#include "dynamics/penalty/penalty.h"
#include "dynamics/report.h"
#include "dynamics/state/integrate.h"
#include "dynamics/state/islands.h"
#include "dynamics/state/motion_bounds.h"
#include "dynamics/state/wall_clock.h"
#include "dynamics/state/world.h"

#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// A pass of the impulse response
// -----------------------------------------------------------------------------------------------------------

/// Memory for sleep and events, before the world changes.
static AbutResult reserve(AbutWorld* world)
{
    const AbutContactStore* stores = world->stores;
    size_t touches = stores[0].manifold_capacity + stores[1].manifold_capacity;
    size_t points = stores[0].point_capacity > stores[1].point_capacity ? stores[0].point_capacity
                                                                        : stores[1].point_capacity;
    bool good = abut_memory_grow(&world->host, (void**)&world->parents, &world->parent_capacity,
                                 world->body_count, sizeof(uint32_t)) &&
                abut_memory_grow(&world->host, (void**)&world->sleep_times, &world->sleep_time_capacity,
                                 world->body_count, sizeof(double)) &&
                abut_memory_grow(&world->host, (void**)&world->published, &world->published_capacity, points,
                                 sizeof(AbutWorldContact)) &&
                abut_memory_grow(&world->host, (void**)&world->events, &world->event_capacity, touches,
                                 sizeof(AbutTouchEvent));
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

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

/// Adds the wall times of the phases to `spent`. On failure nothing has changed.
static AbutResult solve_pass(AbutWorld* world, double seconds, bool has_pairs, AbutStepTimes* spent)
{
    double begin = abut_world_now();
    AbutResult result = has_pairs ? ABUT_OK : abut_world_find_pairs(world, seconds);
    double paired = abut_world_now();
    AbutCollideResults results;
    result = result == ABUT_OK ? abut_world_find_contacts(world, &results) : result;
    double collided = abut_world_now();
    result = result == ABUT_OK ? abut_world_reserve_manifolds(world, &results) : result;
    result = result == ABUT_OK ? reserve(world) : result;
    result = result == ABUT_OK ? abut_world_reserve_colors(world) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    wake_touched(world, &results);
    abut_world_make_manifolds(world, &results);
    abut_world_make_colors(world);
    result = abut_constraints_reserve(world);
    if (result != ABUT_OK)
    {
        undo_manifolds(world);
        return result;
    }
    abut_world_solve(world, seconds);
    abut_ccd_clamp_motions(world);
    spent->broad += paired - begin;
    spent->contacts += collided - paired;
    spent->solver += abut_world_now() - collided;
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
static AbutResult step_impulse(AbutWorld* world, double seconds, AbutStepTimes* spent)
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
        return result == ABUT_OK ? solve_pass(world, seconds, true, spent) : result;
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
        result = solve_pass(world, seconds / passes, false, spent);
        if (result == ABUT_OK && !world->is_last_pass)
        {
            abut_world_accumulate_touches(world);
        }
        else if (result != ABUT_OK && i > 0)
        {
            restore_state(world);
        }
    }
    return result;
}

/// On failure the world is restored.
static AbutResult step_penalty(AbutWorld* world, double seconds, AbutStepTimes* spent)
{
    world->substeps = world->def.substep_count;
    AbutResult result = abut_penalty_step(world, seconds, spent);
    result = result == ABUT_OK ? reserve(world) : result;
    if (result != ABUT_OK)
    {
        abut_penalty_undo(world);
        return result;
    }
    abut_penalty_store_manifolds(world);
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// The step
// -----------------------------------------------------------------------------------------------------------

/// Finite bodies, whatever the values of shapes, callbacks and forces.
static void keep_finite(AbutWorld* world)
{
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && abut_body_moves(body))
        {
            abut_body_keep_finite(body);
        }
    }
}

/// Boxes of the broad phase at the final poses, which may be outside of the swept boxes.
static void fit_boxes(AbutWorld* world)
{
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && (abut_body_moves(body) || body->kind == ABUT_BODY_KINEMATIC))
        {
            abut_world_fit_box(world, i);
        }
    }
}

AbutResult abut_world_step(AbutWorld* world, float seconds, AbutStepReport* report)
{
    ABUT_FP_CALL(abut_world_step, world, seconds, report);
    AbutStepReport done = { 0 };
    if (!(seconds >= ABUT_STEP_MIN) || !(seconds <= ABUT_STEP_MAX))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "world: a step of %g seconds; it must be from %g to %g",
                         (double)seconds, (double)ABUT_STEP_MIN, (double)ABUT_STEP_MAX);
    }
    double begin = abut_world_now();
    AbutStepTimes spent = { 0 };
    AbutResult result = world->penalty != NULL ? step_penalty(world, (double)seconds, &spent)
                                               : step_impulse(world, (double)seconds, &spent);
    if (result != ABUT_OK)
    {
        return result;
    }
    keep_finite(world);
    abut_world_put_to_sleep(world, seconds);
    abut_world_publish_events(world);
    fit_boxes(world);
    world->step += 1;
    world->time += (double)seconds;
    if (report != NULL)
    {
        done.step = world->step;
        done.time = world->time;
        done.pair_count = (uint32_t)world->broad_pair_count;
        abut_report_measure(world, &done);
        done.seconds[0] = spent.broad;
        done.seconds[1] = spent.contacts;
        done.seconds[2] = spent.solver;
        done.seconds[3] = abut_world_now() - begin - spent.broad - spent.contacts - spent.solver;
        *report = done;
    }
    return ABUT_OK;
}
