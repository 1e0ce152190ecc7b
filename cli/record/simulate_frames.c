#include "simulate_frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// Recording
// -----------------------------------------------------------------------------------------------------------

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
            box = abut_box_union(box, abut_pose_transform_box(&body->pose, bounds));
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
    recording->camera_yaw = scene->camera_yaw;
    recording->camera_pitch = scene->camera_pitch;
    recording->gravity = scene->gravity;
    recording->camera_distance = 1.6 * (double)abut_vec3_length(abut_box_extents(box));
    if (scene->camera_distance > 0.0)
    {
        recording->camera_target = scene->camera_target;
        recording->camera_distance = scene->camera_distance;
    }
}

bool simulate_begin_recording(const Scene* scene, const SceneWorld* world, const SimulateSettings* settings,
                              Recording* recording)
{
    RecordingDef def = { .title = scene->title,
                         .path = settings->outputs.items[0],
                         .mesh_count = world->shape_count,
                         .body_count = world->body_count,
                         .byte_limit = (size_t)settings->disk_megabytes << 20 };
    bool good = recording_create(recording, &def);
    memcpy(recording->sheet_size, settings->size, sizeof(recording->sheet_size));
    for (uint32_t i = 0; good && i < world->shape_count; ++i)
    {
        good = recording_set_mesh(recording, i, world->visuals[i]);
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

// -----------------------------------------------------------------------------------------------------------
// Frames
// -----------------------------------------------------------------------------------------------------------

static bool fail_memory(void)
{
    message_error("no memory for the frames of the recording");
    return false;
}

bool frame_maker_init(FrameMaker* maker, const SceneWorld* world, double step, Recording* recording)
{
    memset(maker, 0, sizeof(*maker));
    maker->world = world;
    maker->recording = recording;
    maker->step = step;
    if (recording == NULL)
    {
        return true;
    }
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

void frame_maker_free(FrameMaker* maker)
{
    free(maker->poses);
    free(maker->contacts);
    free(maker->body_of_index);
}

void frame_maker_add_step(FrameMaker* maker, const AbutStepReport* report)
{
    maker->step_count += 1;
    maker->max_penetration = fmaxf(maker->max_penetration, report->max_penetration);
    // Column of each phase; constraints, impulses and contacts at new poses are the solver.
    static const int columns[ABUT_PHASE_COUNT] = { 0, 1, 2, 3, 3, 3, 4, 5, 5 };
    for (int i = 0; i < ABUT_PHASE_COUNT; ++i)
    {
        maker->seconds[columns[i]] += report->profile.seconds[i];
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
                                          .asleep = maker->engine != NULL
                                                        ? maker->engine->is_asleep(maker->engine->state, i)
                                                        : state.asleep };
    }
}

static bool take_contacts(FrameMaker* maker, uint32_t* count)
{
    size_t found;
    const AbutWorldContact* contacts = maker->engine != NULL
                                           ? maker->engine->contacts(maker->engine->state, &found)
                                           : abut_world_contacts(maker->world->world, &found);
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
    uint32_t kept = 0;
    for (size_t i = 0; i < found; ++i)
    {
        // Those across a gap that nothing closes are for the solver to know.
        if (contacts[i].separation > 0.0f && contacts[i].normal_impulse == 0.0f)
        {
            continue;
        }
        maker->contacts[kept++] = (RecordedContact){
            .position = contacts[i].position,
            .normal = contacts[i].normal,
            .separation = contacts[i].separation,
            .impulse = contacts[i].normal_impulse,
            .bodies = { maker->body_of_index[contacts[i].a.index],
                        maker->body_of_index[contacts[i].b.index] },
        };
    }
    *count = kept;
    return true;
}

bool frame_maker_finish(FrameMaker* maker, const AbutStepReport* report)
{
    if (maker->recording == NULL)
    {
        return true;
    }
    // The steps of a world are floats; frames are at even times.
    RecordedFrame frame = { .time = (double)report->step * maker->step,
                            .kinetic = report->kinetic_energy,
                            .potential = report->potential_energy + report->elastic_energy,
                            .max_penetration = maker->max_penetration };
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
    maker->max_penetration = 0.0f;
    return recording_add_frame(maker->recording, &frame, maker->poses, maker->contacts);
}
