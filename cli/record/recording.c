#include "recording.h"

#include "message.h"

#include <stdlib.h>
#include <string.h>

static bool fail_memory(const Recording* recording)
{
    message_error("%s: no memory for its recording; simulate fewer seconds, or with --fps 15",
                  recording->title != NULL ? recording->title : "scene");
    return false;
}

static size_t frame_bytes(const Recording* recording, size_t contact_count)
{
    return sizeof(RecordedFrame) + recording->body_count * sizeof(RecordedPose) +
           contact_count * sizeof(RecordedContact);
}

bool recording_create(Recording* recording, const RecordingDef* def)
{
    memset(recording, 0, sizeof(*recording));
    recording->title = strdup(def->title);
    recording->response = "impulse";
    recording->byte_limit = def->byte_limit;
    // One more, so that nothing is of size 0.
    recording->meshes = calloc((size_t)def->mesh_count + 1, sizeof(RecordedMesh));
    recording->bodies = calloc((size_t)def->body_count + 1, sizeof(RecordedBody));
    if (recording->title == NULL || recording->meshes == NULL || recording->bodies == NULL)
    {
        return fail_memory(recording);
    }
    recording->mesh_count = def->mesh_count;
    recording->body_count = def->body_count;
    if (2 * frame_bytes(recording, 0) > def->byte_limit)
    {
        message_error("%s: a frame of %u bodies takes %zu bytes, and the recording may have %zu; "
                      "take fewer bodies or more --disk",
                      def->title, def->body_count, frame_bytes(recording, 0), def->byte_limit);
        return false;
    }
    return spool_open(&recording->poses, def->path) && spool_open(&recording->contacts, def->path);
}

void recording_destroy(Recording* recording)
{
    for (uint32_t i = 0; i < recording->mesh_count; ++i)
    {
        free(recording->meshes[i].positions);
        free(recording->meshes[i].indices);
    }
    for (uint32_t i = 0; i < recording->body_count; ++i)
    {
        free(recording->bodies[i].name);
    }
    free(recording->title);
    free(recording->meshes);
    free(recording->bodies);
    free(recording->frames);
    spool_close(&recording->poses);
    spool_close(&recording->contacts);
    memset(recording, 0, sizeof(*recording));
}

bool recording_set_mesh(Recording* recording, uint32_t index, const AbutMesh* mesh)
{
    RecordedMesh* to = &recording->meshes[index];
    to->vertex_count = abut_mesh_vertex_count(mesh);
    to->triangle_count = abut_mesh_triangle_count(mesh);
    size_t position_bytes = to->vertex_count * sizeof(AbutVec3);
    size_t index_bytes = 3 * (size_t)to->triangle_count * sizeof(uint32_t);
    to->positions = malloc(position_bytes + 1);
    to->indices = malloc(index_bytes + 1);
    if (to->positions == NULL || to->indices == NULL)
    {
        return fail_memory(recording);
    }
    memcpy(to->positions, abut_mesh_vertices(mesh), position_bytes);
    memcpy(to->indices, abut_mesh_indices(mesh), index_bytes);
    return true;
}

bool recording_set_body(Recording* recording, uint32_t index, const RecordedBody* body)
{
    RecordedBody* to = &recording->bodies[index];
    free(to->name);
    *to = *body;
    to->name = strdup(body->name);
    return to->name != NULL || fail_memory(recording);
}

// -----------------------------------------------------------------------------------------------------------
// Frames
// -----------------------------------------------------------------------------------------------------------

size_t recording_bytes(const Recording* recording)
{
    return recording->frame_count * frame_bytes(recording, 0) +
           recording->contact_count * sizeof(RecordedContact);
}

/// What a frame says of the steps before it goes into the frame after it, which stays.
static void merge_into_next(const RecordedFrame* dropped, RecordedFrame* next)
{
    next->max_penetration =
        dropped->max_penetration > next->max_penetration ? dropped->max_penetration : next->max_penetration;
    for (int i = 0; i < RECORDED_TIMES; ++i)
    {
        next->milliseconds[i] = 0.5f * (next->milliseconds[i] + dropped->milliseconds[i]);
    }
}

static void keep_pending(Recording* recording, const RecordedFrame* frame)
{
    if (recording->has_pending)
    {
        merge_into_next(frame, &recording->pending);
    }
    else
    {
        recording->pending = *frame;
        recording->has_pending = true;
    }
}

static uint64_t pose_offset(const Recording* recording, uint32_t frame, uint32_t body)
{
    return ((uint64_t)frame * recording->body_count + body) * sizeof(RecordedPose);
}

/// Moves poses and contacts of a frame to where frame `kept` is now.
static bool move_frame(Recording* recording, uint32_t kept, uint32_t frame, size_t contact_count)
{
    const RecordedFrame* from = &recording->frames[frame];
    return spool_move(&recording->poses, pose_offset(recording, kept, 0), pose_offset(recording, frame, 0),
                      pose_offset(recording, 1, 0)) &&
           spool_move(&recording->contacts, contact_count * sizeof(RecordedContact),
                      from->first_contact * sizeof(RecordedContact),
                      from->contact_count * sizeof(RecordedContact));
}

/// Drops the odd frames, and doubles the time from one to the next. @return false after a message.
static bool thin(Recording* recording)
{
    size_t contact_count = 0;
    uint32_t kept = 0;
    if (recording->frame_count % 2 == 0)
    {
        keep_pending(recording, &recording->frames[recording->frame_count - 1]);
    }
    for (uint32_t i = 0; i < recording->frame_count; i += 2, ++kept)
    {
        RecordedFrame frame = recording->frames[i];
        if (i > 0)
        {
            merge_into_next(&recording->frames[i - 1], &frame);
        }
        if (!move_frame(recording, kept, i, contact_count))
        {
            return false;
        }
        frame.first_contact = contact_count;
        contact_count += frame.contact_count;
        recording->frames[kept] = frame;
    }
    recording->frame_count = kept;
    recording->contact_count = contact_count;
    recording->dt *= 2.0;
    recording->thinned += 1;
    return spool_truncate(&recording->poses, pose_offset(recording, kept, 0)) &&
           spool_truncate(&recording->contacts, contact_count * sizeof(RecordedContact));
}

static bool reserve(Recording* recording)
{
    if (recording->frame_count < recording->frame_capacity)
    {
        return true;
    }
    uint32_t capacity = 2 * recording->frame_capacity + 64;
    RecordedFrame* larger = realloc(recording->frames, capacity * sizeof(RecordedFrame));
    if (larger == NULL)
    {
        return fail_memory(recording);
    }
    recording->frames = larger;
    recording->frame_capacity = capacity;
    return true;
}

bool recording_add_frame(Recording* recording, const RecordedFrame* frame, const RecordedPose* poses,
                         const RecordedContact* contacts)
{
    size_t bytes = frame_bytes(recording, frame->contact_count);
    while (recording_bytes(recording) + bytes > recording->byte_limit && recording->frame_count > 2)
    {
        bool drops = recording->frame_count % 2 == 1;
        if (!thin(recording))
        {
            return false;
        }
        if (drops)
        {
            keep_pending(recording, frame);
            return true;
        }
    }
    if (recording_bytes(recording) + bytes > recording->byte_limit)
    {
        message_error("%s: three frames of its recording take over %zu bytes; take more --disk",
                      recording->title, recording->byte_limit);
        return false;
    }
    if (!reserve(recording) ||
        !spool_add(&recording->poses, poses, recording->body_count * sizeof(RecordedPose)) ||
        !spool_add(&recording->contacts, contacts, frame->contact_count * sizeof(RecordedContact)))
    {
        return false;
    }
    RecordedFrame* to = &recording->frames[recording->frame_count];
    *to = *frame;
    to->first_contact = recording->contact_count;
    if (recording->has_pending)
    {
        merge_into_next(&recording->pending, to);
        recording->has_pending = false;
    }
    recording->contact_count += frame->contact_count;
    recording->frame_count += 1;
    return true;
}

bool recording_read_poses(const Recording* recording, uint32_t frame, uint32_t first, uint32_t count,
                          RecordedPose* out)
{
    return spool_read(&recording->poses, pose_offset(recording, frame, first), out,
                      count * sizeof(RecordedPose));
}

bool recording_read_contacts(const Recording* recording, const RecordedFrame* frame, RecordedContact* out)
{
    return spool_read(&recording->contacts, frame->first_contact * sizeof(RecordedContact), out,
                      frame->contact_count * sizeof(RecordedContact));
}

uint32_t recording_most_contacts(const Recording* recording)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < recording->frame_count; ++i)
    {
        most = recording->frames[i].contact_count > most ? recording->frames[i].contact_count : most;
    }
    return most;
}
