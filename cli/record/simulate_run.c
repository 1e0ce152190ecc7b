// For sigaction.
#define _XOPEN_SOURCE 700

#include "simulate_frames.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// Interrupt
// -----------------------------------------------------------------------------------------------------------

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

void simulate_catch_interrupt(void)
{
    struct sigaction action;
    if (sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
    {
        return; // as nohup and the like asked for
    }
    memset(&action, 0, sizeof(action));
    action.sa_handler = note_interrupt;
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGINT, &action, NULL);
}

void simulate_release_interrupt(void)
{
    struct sigaction action;
    if (sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler == note_interrupt)
    {
        signal(SIGINT, SIG_DFL);
    }
}

bool simulate_interrupted(void)
{
    return interrupted != 0;
}

// -----------------------------------------------------------------------------------------------------------
// Steps
// -----------------------------------------------------------------------------------------------------------

/// Before the first step nothing reports the energies.
static AbutStepReport start_report(const Scene* scene, const SceneWorld* world)
{
    AbutStepReport report = { 0 };
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBodyState state = abut_body_state(world->world, world->bodies[i]);
        if (state.kind == ABUT_BODY_DYNAMIC)
        {
            AbutVec3 g = scene->gravity, v = state.linear_velocity;
            report.potential_energy -=
                state.mass *
                ((double)g.x * state.center.x + (double)g.y * state.center.y + (double)g.z * state.center.z);
            report.kinetic_energy += 0.5 * state.mass * (double)abut_vec3_dot(v, v);
        }
    }
    return report;
}

static void add_to_summary(const SimulateJob* job, const AbutStepReport* report, SimulateSummary* summary)
{
    // Other engines prove nothing.
    float bound =
        job->engine != NULL ? report->max_penetration : abut_world_penetration_bound(job->world->world);
    summary->steps = report->step;
    simulate_add_profile(&summary->profile, &report->profile);
    summary->seconds = (double)report->step * job->scene->step;
    summary->kinetic = report->kinetic_energy;
    summary->potential = report->potential_energy;
    summary->elastic = report->elastic_energy;
    summary->max_penetration = fmaxf(summary->max_penetration, report->max_penetration);
    summary->max_penetration_bound = fmaxf(summary->max_penetration_bound, bound);
}

/// A warning is said once, however many steps it is about.
static void report_warning(const SimulateJob* job, bool* reported)
{
    const char* warning = *reported ? "" : abut_world_warning(job->world->world);
    if (warning[0] != '\0')
    {
        message_error("%s: %s", job->scene->title, warning);
        *reported = true;
    }
}

/// Keeps the hash of a step and compares it. @return false when it is not the expected one.
static bool check_hash(const SimulateJob* job, uint64_t step, SimulateSummary* summary)
{
    if (job->hashes == NULL && job->expected == NULL)
    {
        return true;
    }
    uint64_t hash = abut_world_hash(job->world->world);
    if (job->hashes != NULL)
    {
        job->hashes[step - 1] = hash;
    }
    bool same = job->expected == NULL || job->expected[step - 1] == hash;
    summary->first_difference = same ? 0 : step;
    return same;
}

static AbutResult run_step(const SimulateJob* job, AbutStepReport* report)
{
    return job->engine != NULL ? job->engine->step(job->engine->state, report)
                               : abut_world_step(job->world->world, (float)job->scene->step, report);
}

static bool run_steps(const SimulateJob* job, FrameMaker* maker, uint64_t stride, SimulateSummary* summary)
{
    const Scene* scene = job->scene;
    AbutStepReport report = start_report(scene, job->world);
    Progress progress = progress_start("simulating");
    bool good = frame_maker_finish(maker, &report), same = true, reported = false;
    for (uint64_t step = 1; good && same && step <= job->step_count && !simulate_interrupted(); ++step)
    {
        if (run_step(job, &report) != ABUT_OK)
        {
            message_error("%s: step %" PRIu64 ": %s", scene->title, step, abut_last_error());
            return false;
        }
        frame_maker_add_step(maker, &report);
        add_to_summary(job, &report, summary);
        uint32_t thinned = job->recording != NULL ? job->recording->thinned : 0;
        if (step % (stride << thinned) == 0)
        {
            good = frame_maker_finish(maker, &report);
        }
        same = check_hash(job, step, summary);
        report_warning(job, &reported);
        progress_show(&progress, (float)step / (float)job->step_count);
    }
    progress_end();
    return good;
}

static void finish_summary(const SimulateJob* job, double start, SimulateSummary* summary)
{
    const SceneWorld* world = job->world;
    summary->hash = abut_world_hash(world->world);
    summary->wall_seconds = seconds_now() - start;
    summary->interrupted = summary->steps < job->step_count && summary->first_difference == 0;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBodyState state = abut_body_state(world->world, world->bodies[i]);
        summary->dynamic += state.kind == ABUT_BODY_DYNAMIC ? 1u : 0u;
        bool asleep = job->engine != NULL ? job->engine->is_asleep(job->engine->state, i) : state.asleep;
        summary->asleep += state.kind == ABUT_BODY_DYNAMIC && asleep ? 1u : 0u;
    }
}

bool simulate_run(const SimulateJob* job, SimulateSummary* summary)
{
    memset(summary, 0, sizeof(*summary));
    double start = seconds_now();
    uint64_t stride = (uint64_t)fmin(1e6, fmax(1.0, round(1.0 / (job->fps * job->scene->step))));
    if (job->recording != NULL)
    {
        job->recording->dt = (double)stride * job->scene->step;
        job->recording->response = job->engine != NULL ? "bullet" : abut_response_name(job->scene->response);
    }
    FrameMaker maker;
    bool good = frame_maker_init(&maker, job->world, job->scene->step, job->recording);
    maker.engine = job->engine;
    good = good && run_steps(job, &maker, stride, summary);
    frame_maker_free(&maker);
    finish_summary(job, start, summary);
    if (job->recording != NULL)
    {
        job->recording->hash = summary->hash;
    }
    return good;
}
