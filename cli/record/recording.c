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

bool recording_create(Recording* recording, const char* title, uint32_t mesh_count, uint32_t body_count,
                      size_t byte_limit)
{
    memset(recording, 0, sizeof(*recording));
    recording->title = strdup(title);
    recording->response = "impulse";
    recording->byte_limit = byte_limit;
    // One more, so that nothing is of size 0.
    recording->meshes = calloc((size_t)mesh_count + 1, sizeof(RecordedMesh));
    recording->bodies = calloc((size_t)body_count + 1, sizeof(RecordedBody));
    if (recording->title == NULL || recording->meshes == NULL || recording->bodies == NULL)
    {
        return fail_memory(recording);
    }
    recording->mesh_count = mesh_count;
    recording->body_count = body_count;
    if (2 * frame_bytes(recording, 0) > byte_limit)
    {
        message_error("%s: a frame of %u bodies takes %zu bytes, and the recording may have %zu; "
                      "take fewer bodies or more --memory",
                      title, body_count, frame_bytes(recording, 0), byte_limit);
        return false;
    }
    return true;
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
    free(recording->poses);
    free(recording->contacts);
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

/// Drops the odd frames, and doubles the time from one to the next.
static void thin(Recording* recording)
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
        memmove(&recording->poses[(size_t)kept * recording->body_count],
                &recording->poses[(size_t)i * recording->body_count],
                recording->body_count * sizeof(RecordedPose));
        memmove(recording->contacts + contact_count, recording->contacts + frame.first_contact,
                frame.contact_count * sizeof(RecordedContact));
        frame.first_contact = contact_count;
        contact_count += frame.contact_count;
        recording->frames[kept] = frame;
    }
    recording->frame_count = kept;
    recording->contact_count = contact_count;
    recording->dt *= 2.0;
    recording->thinned += 1;
}

static bool grow(void** memory, size_t capacity, size_t size)
{
    void* larger = realloc(*memory, capacity * size + 1);
    *memory = larger != NULL ? larger : *memory;
    return larger != NULL;
}

static bool reserve(Recording* recording, size_t contact_count)
{
    if (recording->frame_count == recording->frame_capacity)
    {
        uint32_t capacity = 2 * recording->frame_capacity + 64;
        if (!grow((void**)&recording->frames, capacity, sizeof(RecordedFrame)) ||
            !grow((void**)&recording->poses, (size_t)capacity * recording->body_count, sizeof(RecordedPose)))
        {
            return false;
        }
        recording->frame_capacity = capacity;
    }
    size_t needed = recording->contact_count + contact_count;
    if (needed > recording->contact_capacity || recording->contacts == NULL)
    {
        size_t capacity = 2 * needed;
        if (!grow((void**)&recording->contacts, capacity, sizeof(RecordedContact)))
        {
            return false;
        }
        recording->contact_capacity = capacity;
    }
    return true;
}

bool recording_add_frame(Recording* recording, const RecordedFrame* frame, const RecordedPose* poses,
                         const RecordedContact* contacts)
{
    size_t bytes = frame_bytes(recording, frame->contact_count);
    while (recording_bytes(recording) + bytes > recording->byte_limit && recording->frame_count > 2)
    {
        bool drops = recording->frame_count % 2 == 1;
        thin(recording);
        if (drops)
        {
            keep_pending(recording, frame);
            return true;
        }
    }
    if (recording_bytes(recording) + bytes > recording->byte_limit)
    {
        message_error("%s: three frames of its recording take over %zu bytes; take more --memory",
                      recording->title, recording->byte_limit);
        return false;
    }
    if (!reserve(recording, frame->contact_count))
    {
        return fail_memory(recording);
    }
    RecordedFrame* to = &recording->frames[recording->frame_count];
    *to = *frame;
    to->first_contact = recording->contact_count;
    if (recording->has_pending)
    {
        merge_into_next(&recording->pending, to);
        recording->has_pending = false;
    }
    memcpy(&recording->poses[(size_t)recording->frame_count * recording->body_count], poses,
           recording->body_count * sizeof(RecordedPose));
    if (frame->contact_count > 0)
    {
        memcpy(recording->contacts + recording->contact_count, contacts,
               frame->contact_count * sizeof(RecordedContact));
    }
    recording->contact_count += frame->contact_count;
    recording->frame_count += 1;
    return true;
}
