// For sigaction.
#define _XOPEN_SOURCE 700

#include "simulate.h"

#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Interrupt
// ---------------------------------------------------------------------------------------------------------------------

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

void simulate_catch_interrupt(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = note_interrupt;
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGINT, &action, NULL);
}

void simulate_release_interrupt(void)
{
    signal(SIGINT, SIG_DFL);
}

bool simulate_interrupted(void)
{
    return interrupted != 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Recording
// ---------------------------------------------------------------------------------------------------------------------

/// The box of everything that has an end, at the start.
static AbutBox scene_box(const Scene* scene, const SceneWorld* world, bool dynamic_only)
{
    AbutBox box = abut_box_empty();
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const SceneBody* body = &scene->bodies[i];
        AbutBox bounds = abut_shape_info(world->shapes[body->shape]).bounds;
        if (abut_box_is_finite(bounds) && (body->kind == ABUT_BODY_DYNAMIC || !dynamic_only))
        {
            box = abut_box_union(box, abut_pose_box(&body->pose, bounds));
        }
    }
    return box;
}

static void set_camera(const Scene* scene, const SceneWorld* world, Recording* recording)
{
    AbutBox box = scene_box(scene, world, true);
    box = abut_box_is_empty(box) ? scene_box(scene, world, false) : box;
    box = abut_box_is_empty(box) ? abut_box(abut_vec3(-1, -1, -1), abut_vec3(1, 1, 1)) : box;
    AbutPosition middle = { 0.5 * ((double)box.min.x + (double)box.max.x),
                            0.5 * ((double)box.min.y + (double)box.max.y),
                            0.5 * ((double)box.min.z + (double)box.max.z) };
    // Whole numbers, so that differences of doubles stay short.
    recording->origin = (AbutPosition){ round(middle.x), round(middle.y), round(middle.z) };
    recording->camera_target = middle;
    recording->camera_distance = 1.6 * (double)abut_vec3_length(abut_box_extents(box));
    if (scene->camera_distance > 0.0)
    {
        recording->camera_target =
            (AbutPosition){ scene->camera_target[0], scene->camera_target[1], scene->camera_target[2] };
        recording->camera_distance = scene->camera_distance;
    }
}

bool simulate_begin_recording(const Scene* scene, const SceneWorld* world, size_t byte_limit,
                              Recording* recording)
{
    bool good = recording_create(recording, scene->title, world->shape_count, world->body_count, byte_limit);
    for (uint32_t i = 0; good && i < world->shape_count; ++i)
    {
        good = recording_set_mesh(recording, i, world->looks[i]);
    }
    for (uint32_t i = 0; good && i < world->body_count; ++i)
    {
        const SceneBody* body = &scene->bodies[i];
        RecordedBody recorded = {
            .name = body->name,
            .mesh = body->shape,
            .kind = body->kind,
            .scale = body->pose.scale,
            .mass = abut_body_state(world->world, world->bodies[i]).mass,
        };
        scene_body_color(scene, i, recorded.color);
        good = recording_set_body(recording, i, &recorded);
    }
    if (good)
    {
        set_camera(scene, world, recording);
    }
    return good;
}

// ---------------------------------------------------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------------------------------------------------

/// What the steps since the last frame add up to, and room for a frame.
typedef struct FrameMaker
{
    SceneWorld* world;
    Recording* recording;
    RecordedPose* poses;
    RecordedContact* contacts;
    size_t contact_capacity;
    uint32_t* body_of_index; ///< the number of a body by the index of its handle
    uint32_t index_count;
    double step;         ///< seconds
    uint32_t step_count; ///< since the last frame
    double seconds[RECORDED_TIMES];
    float deepest;
} FrameMaker;

static bool fail_memory(void)
{
    message_error("no memory for the frames of the recording");
    return false;
}

static bool frame_maker_init(FrameMaker* maker, SceneWorld* world, Recording* recording)
{
    memset(maker, 0, sizeof(*maker));
    maker->world = world;
    maker->recording = recording;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        uint32_t index = world->bodies[i].index;
        maker->index_count = index >= maker->index_count ? index + 1 : maker->index_count;
    }
    maker->poses = malloc(world->body_count * sizeof(RecordedPose) + 1);
    maker->body_of_index = calloc((size_t)maker->index_count + 1, sizeof(uint32_t));
    if (maker->poses == NULL || maker->body_of_index == NULL)
    {
        return fail_memory();
    }
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        maker->body_of_index[world->bodies[i].index] = i;
    }
    return true;
}

static void frame_maker_free(FrameMaker* maker)
{
    free(maker->poses);
    free(maker->contacts);
    free(maker->body_of_index);
}

static void frame_maker_add_step(FrameMaker* maker, const AbutStepReport* report)
{
    maker->step_count += 1;
    maker->deepest = fmaxf(maker->deepest, report->deepest);
    for (int i = 0; i < RECORDED_TIMES; ++i)
    {
        maker->seconds[i] += report->seconds[i];
    }
}

static void take_poses(FrameMaker* maker)
{
    for (uint32_t i = 0; i < maker->world->body_count; ++i)
    {
        AbutBodyState state = abut_body_state(maker->world->world, maker->world->bodies[i]);
        maker->poses[i] = (RecordedPose){ .position = state.pose.position,
                                          .rotation = state.pose.rotation,
                                          .linear_velocity = state.linear_velocity,
                                          .angular_velocity = state.angular_velocity,
                                          .asleep = state.asleep };
    }
}

static bool take_contacts(FrameMaker* maker, uint32_t* count)
{
    size_t found;
    const AbutWorldContact* contacts = abut_world_contacts(maker->world->world, &found);
    if (found > maker->contact_capacity)
    {
        void* larger = realloc(maker->contacts, found * sizeof(RecordedContact));
        if (larger == NULL)
        {
            return fail_memory();
        }
        maker->contacts = larger;
        maker->contact_capacity = found;
    }
    for (size_t i = 0; i < found; ++i)
    {
        maker->contacts[i] = (RecordedContact){
            .position = contacts[i].position,
            .normal = contacts[i].normal,
            .separation = contacts[i].separation,
            .impulse = contacts[i].normal_impulse,
            .bodies = { maker->body_of_index[contacts[i].a.index],
                        maker->body_of_index[contacts[i].b.index] },
        };
    }
    *count = (uint32_t)found;
    return true;
}

static bool frame_maker_finish(FrameMaker* maker, const AbutStepReport* report)
{
    // The steps of a world are floats; frames are at even times.
    RecordedFrame frame = { .time = (double)report->step * maker->step,
                            .kinetic = report->kinetic_energy,
                            .potential = report->potential_energy,
                            .deepest = maker->deepest };
    take_poses(maker);
    if (!take_contacts(maker, &frame.contact_count))
    {
        return false;
    }
    for (int i = 0; i < RECORDED_TIMES && maker->step_count > 0; ++i)
    {
        frame.milliseconds[i] = (float)(1e3 * maker->seconds[i] / maker->step_count);
        maker->seconds[i] = 0.0;
    }
    maker->step_count = 0;
    maker->deepest = 0.0f;
    return recording_add_frame(maker->recording, &frame, maker->poses, maker->contacts);
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------------------------------------------------

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

static void add_to_summary(SimulateSummary* summary, const AbutStepReport* report, double step)
{
    summary->steps = report->step;
    summary->seconds = (double)report->step * step;
    summary->kinetic = report->kinetic_energy;
    summary->potential = report->potential_energy;
    summary->deepest = fmaxf(summary->deepest, report->deepest);
}

static bool step_and_record(const Scene* scene, FrameMaker* maker, uint32_t stride, SimulateSummary* summary)
{
    uint64_t step_count = (uint64_t)llround(fmax(1.0, scene->seconds / scene->step));
    AbutStepReport report = start_report(scene, maker->world);
    Progress progress = progress_start("simulating");
    bool good = frame_maker_finish(maker, &report);
    for (uint64_t step = 1; good && step <= step_count && !simulate_interrupted(); ++step)
    {
        if (abut_world_step(maker->world->world, (float)scene->step, &report) != ABUT_OK)
        {
            message_error("%s: step %llu: %s", scene->title, (unsigned long long)step, abut_last_error());
            good = false;
            break;
        }
        frame_maker_add_step(maker, &report);
        add_to_summary(summary, &report, scene->step);
        if (step % ((uint64_t)stride << maker->recording->thinned) == 0)
        {
            good = frame_maker_finish(maker, &report);
        }
        progress_show(&progress, (float)step / (float)step_count);
    }
    progress_end();
    summary->interrupted = summary->steps < step_count;
    return good;
}

static void finish_summary(const SceneWorld* world, double start, SimulateSummary* summary)
{
    summary->hash = abut_world_hash(world->world);
    summary->wall_seconds = seconds_now() - start;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBodyState state = abut_body_state(world->world, world->bodies[i]);
        summary->dynamic += state.kind == ABUT_BODY_DYNAMIC ? 1u : 0u;
        summary->asleep += state.kind == ABUT_BODY_DYNAMIC && state.asleep ? 1u : 0u;
    }
}

bool simulate_run(const Scene* scene, SceneWorld* world, double fps, Recording* recording,
                  SimulateSummary* summary)
{
    memset(summary, 0, sizeof(*summary));
    double start = seconds_now();
    uint32_t stride = (uint32_t)fmin(1e6, fmax(1.0, round(1.0 / (fps * scene->step))));
    recording->dt = stride * scene->step;
    FrameMaker maker;
    bool good = frame_maker_init(&maker, world, recording);
    maker.step = scene->step;
    good = good && step_and_record(scene, &maker, stride, summary);
    frame_maker_free(&maker);
    finish_summary(world, start, summary);
    recording->hash = summary->hash;
    return good;
}
