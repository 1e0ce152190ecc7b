// A step of the world: begin; for each pass { update pairs, update contacts, solve, clamp motions }; then
// sleep, events, and boxes of the broad phase. Contacts and their solution are those of the response
// (state/response.h). A step that fails returns the world to its start.
#include "base/fp_env.h"
#include "dynamics/report.h"
#include "dynamics/state/events.h"
#include "dynamics/state/integrate.h"
#include "dynamics/state/islands.h"
#include "dynamics/state/motion_bounds.h"
#include "dynamics/state/undo.h"
#include "dynamics/state/world.h"

static AbutResult begin(AbutStepContext* step)
{
    AbutResult result = abut_step_save_start(step);
    result = result == ABUT_OK ? abut_step_reserve_islands(step) : result;
    result = result == ABUT_OK ? step->world->response->plan(step) : result;
    step->pass_mark = abut_arena_mark(step->arena);
    return result;
}

static AbutResult update_pairs(AbutStepContext* step)
{
    AbutResult result = ABUT_OK;
    if (!step->has_pairs)
    {
        abut_arena_rewind(step->arena, step->pass_mark);
        result = abut_step_update_pairs(step);
    }
    abut_profiler_lap(&step->profiler, ABUT_PHASE_PAIRS);
    return result;
}

static void clamp_motions(AbutStepContext* step)
{
    if (step->world->response->clamp_motions != NULL)
    {
        step->world->response->clamp_motions(step);
    }
    abut_world_keep_finite(step->world);
    abut_profiler_lap(&step->profiler, ABUT_PHASE_CLAMP);
}

/// Memory for all that follows the passes, which cannot fail.
static AbutResult finish_passes(AbutStepContext* step)
{
    const AbutResponseTable* response = step->world->response;
    AbutResult result = response->finish != NULL ? response->finish(step) : ABUT_OK;
    return result == ABUT_OK ? abut_step_reserve_events(step) : result;
}

/// Boxes of the broad phase at the final poses, which may be outside of the swept boxes.
static void refit_boxes(const AbutStepContext* step)
{
    AbutWorld* world = step->world;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && (abut_body_moves(body) || body->kind == ABUT_BODY_KINEMATIC))
        {
            abut_world_fit_box(world, i);
        }
    }
}

static AbutResult run_passes(AbutStepContext* step)
{
    const AbutResponseTable* response = step->world->response;
    AbutResult result = begin(step);
    for (; result == ABUT_OK && step->pass < step->pass_count; ++step->pass)
    {
        result = update_pairs(step);
        result = result == ABUT_OK ? response->update_contacts(step) : result;
        result = result == ABUT_OK ? response->solve(step) : result;
        if (result == ABUT_OK)
        {
            clamp_motions(step);
        }
    }
    return result == ABUT_OK ? finish_passes(step) : result;
}

static AbutResult run(AbutStepContext* step)
{
    AbutWorld* world = step->world;
    AbutResult result = run_passes(step);
    if (result != ABUT_OK)
    {
        abut_step_undo(step);
        return result;
    }
    abut_step_put_to_sleep(step);
    abut_step_publish_events(step);
    refit_boxes(step);
    world->step += 1;
    world->time += step->total_seconds;
    abut_profiler_lap(&step->profiler, ABUT_PHASE_FINISH);
    return ABUT_OK;
}

static void report_step(AbutStepContext* step, AbutStepReport* report)
{
    *report = (AbutStepReport){ .step = step->world->step,
                                .time = step->world->time,
                                .pair_count = (uint32_t)step->broad_pair_count };
    abut_report_measure(step->world, report);
    abut_profiler_lap(&step->profiler, ABUT_PHASE_REPORT);
    report->profile = step->profiler.profile;
}

AbutResult abut_world_step(AbutWorld* world, float seconds, AbutStepReport* report)
{
    ABUT_FP_CALL(abut_world_step, world, seconds, report);
    if (!(seconds >= ABUT_STEP_MIN) || !(seconds <= ABUT_STEP_MAX))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "world: a step of %g seconds; it must be from %g to %g",
                         (double)seconds, (double)ABUT_STEP_MIN, (double)ABUT_STEP_MAX);
    }
    AbutStepContext step = { .world = world,
                             .arena = &world->arena,
                             .total_seconds = (double)seconds,
                             .first_store = world->current };
    abut_profiler_begin(&step.profiler);
    AbutResult result = run(&step);
    if (result == ABUT_OK && report != NULL)
    {
        report_step(&step, report);
    }
    abut_arena_reset(&world->arena);
    return result;
}
