// A step of the world: motions and manifolds by the response, then sleep, events, boxes of the broad phase
// and the report.
#include "base/fp_env.h"
#include "dynamics/report.h"
#include "dynamics/state/events.h"
#include "dynamics/state/integrate.h"
#include "dynamics/state/islands.h"
#include "dynamics/state/motion_bounds.h"
#include "dynamics/state/profile.h"
#include "dynamics/state/world.h"

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
    AbutProfiler profiler;
    abut_profiler_begin(&profiler);
    AbutResult result = world->response->step(world, (double)seconds, &profiler);
    if (result != ABUT_OK)
    {
        return result;
    }
    abut_world_keep_finite(world);
    abut_world_put_to_sleep(world, seconds);
    abut_world_publish_events(world);
    fit_boxes(world);
    world->step += 1;
    world->time += (double)seconds;
    abut_profiler_lap(&profiler, ABUT_PHASE_FINISH);
    if (report != NULL)
    {
        done.step = world->step;
        done.time = world->time;
        done.pair_count = (uint32_t)world->broad_pair_count;
        abut_report_measure(world, &done);
        abut_profiler_lap(&profiler, ABUT_PHASE_REPORT);
        done.profile = profiler.profile;
        *report = done;
    }
    return ABUT_OK;
}
