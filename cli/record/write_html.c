// A recording as one page that plays it: the viewer of viewer/ with the recording inside, as JSON.
// docs/viewer.md has the form.
#include "write_html.h"
#include "message.h"
#include "output.h"
#include "packed.h"
#include "page_contacts.h"
#include "recording_write.h"
#include "viewer_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef ABUT_WITH_VIEWER // else recording_write.c says how to get it

// What a page may hold, unpacked in the memory of a browser, perhaps of a phone: 29 bytes a pose, 40 a
// contact.
static const PageLimits browser_limits = { .poses = (size_t)8 << 20, .contacts = (size_t)1 << 20 };

/// Contacts are for the eye: their places are rounded to this part of the camera's distance, their directions
/// to this length.
#define POSITION_FRACTION 0x1p-14
#define DIRECTION_STEP 0x1p-9f

typedef struct PageWriter
{
    const Recording* recording;
    FILE* stream;
    uint32_t stride, frame_count; // frames kept: 0, stride, 2 stride, ...
    PageContacts contacts;
    RecordedPose* poses; // of a frame
    float position_step;
} PageWriter;

static const RecordedFrame* kept_frame(const PageWriter* writer, uint32_t frame)
{
    return &writer->recording->frames[(size_t)frame * writer->stride];
}

// -----------------------------------------------------------------------------------------------------------
// JSON: numbers and texts
// -----------------------------------------------------------------------------------------------------------

/// A text in quotes that ends neither itself nor the element it stands in; bytes that are no UTF-8 become
/// U+FFFD.
static void put_text(FILE* stream, const char* text)
{
    fputc('"', stream);
    for (size_t left = strlen(text), length = 0; left > 0; left -= length, text += length)
    {
        uint32_t code = 0xfffd;
        length = abut_utf8_decode(text, left, &code);
        if (length == 0 || abut_utf8_is_control(code) || strchr("\"\\<>&", *text) != NULL)
        {
            fprintf(stream, "\\u%04x", code);
        }
        else
        {
            fwrite(text, 1, length, stream);
        }
        length = length > 0 ? length : 1;
    }
    fputc('"', stream);
}

static void put_position(FILE* stream, AbutPosition p)
{
    fprintf(stream, "[%.17g,%.17g,%.17g]", p.x, p.y, p.z);
}

static AbutPosition from_origin(const Recording* recording, AbutPosition p)
{
    return (AbutPosition){ p.x - recording->origin.x, p.y - recording->origin.y, p.z - recording->origin.z };
}

static void put_head(const PageWriter* writer)
{
    const Recording* recording = writer->recording;
    FILE* stream = writer->stream;
    fputs("{\"version\":1,\"title\":", stream);
    put_text(stream, recording->title);
    fprintf(stream,
            ",\n\"dt\":%.17g,\"frames\":%u,\"stride\":%u,\"response\":", recording->dt * writer->stride,
            writer->frame_count, writer->stride);
    put_text(stream, recording->response);
    fprintf(stream, ",\"hash\":\"%016llx\",\"origin\":", (unsigned long long)recording->hash);
    put_position(stream, recording->origin);
    fputs(",\n\"camera\":{\"target\":", stream);
    put_position(stream, from_origin(recording, recording->camera_target));
    fprintf(stream, ",\"distance\":%.9g,\"turn\":%.9g,\"rise\":%.9g},\n", recording->camera_distance,
            recording->camera_yaw, recording->camera_pitch);
    fprintf(stream, "\"gravity\":[%.9g,%.9g,%.9g],\n", (double)recording->gravity.x,
            (double)recording->gravity.y, (double)recording->gravity.z);
}

static void put_body(FILE* stream, const RecordedBody* body)
{
    fputs("{\"name\":", stream);
    put_text(stream, body->name != NULL ? body->name : "");
    fprintf(stream,
            ",\"mesh\":%u,\"kind\":\"%s\",\"color\":[%.3g,%.3g,%.3g],\"scale\":%.9g,\"mass\":", body->mesh,
            abut_body_kind_name(body->kind), (double)body->color[0], (double)body->color[1],
            (double)body->color[2], (double)body->scale);
    if (body->kind == ABUT_BODY_DYNAMIC && isfinite(body->mass))
    {
        fprintf(stream, "%.9g}", body->mass);
    }
    else
    {
        fputs("null}", stream);
    }
}

static void put_bodies(const PageWriter* writer)
{
    fputs("\"bodies\":[", writer->stream);
    for (uint32_t i = 0; i < writer->recording->body_count; ++i)
    {
        fputs(i > 0 ? ",\n" : "\n", writer->stream);
        put_body(writer->stream, &writer->recording->bodies[i]);
    }
    fputs("],\n", writer->stream);
}

// -----------------------------------------------------------------------------------------------------------
// Arrays. Each returns false without memory, or when a frame cannot be read.
// -----------------------------------------------------------------------------------------------------------

static bool put_mesh(FILE* stream, const RecordedMesh* mesh)
{
    fprintf(stream, "{\"vertices\":%u,\"triangles\":%u,\"positions\":", mesh->vertex_count,
            mesh->triangle_count);
    bool good = packed_write(stream, mesh->positions, mesh->vertex_count, 3);
    fputs(",\"indices\":", stream);
    good = good && packed_write(stream, mesh->indices, mesh->triangle_count, 3);
    fputs("}", stream);
    return good;
}

static bool put_meshes(const PageWriter* writer)
{
    bool good = true;
    fputs("\"meshes\":[", writer->stream);
    for (uint32_t i = 0; i < writer->recording->mesh_count && good; ++i)
    {
        fputs(i > 0 ? ",\n" : "\n", writer->stream);
        good = put_mesh(writer->stream, &writer->recording->meshes[i]);
    }
    fputs("],\n", writer->stream);
    return good;
}

/// Fills poses[] with those of a frame that is kept.
static bool read_poses(const PageWriter* writer, uint32_t frame)
{
    return recording_read_poses(writer->recording, frame * writer->stride, 0, writer->recording->body_count,
                                writer->poses);
}

static bool put_poses(const PageWriter* writer)
{
    const Recording* recording = writer->recording;
    fputs("\"poses\":", writer->stream);
    PackedWriter* poses =
        packed_begin(writer->stream, 7, recording->body_count > 0 ? recording->body_count : 1);
    bool good = poses != NULL;
    for (uint32_t frame = 0; frame < writer->frame_count && good; ++frame)
    {
        good = read_poses(writer, frame);
        for (uint32_t body = 0; body < recording->body_count && good; ++body)
        {
            const RecordedPose* pose = &writer->poses[body];
            AbutPosition p = from_origin(recording, pose->position);
            const float row[7] = { (float)p.x,       (float)p.y,       (float)p.z,      pose->rotation.x,
                                   pose->rotation.y, pose->rotation.z, pose->rotation.w };
            good = packed_add(poses, row, 1);
        }
    }
    return poses != NULL && packed_end(poses) && good;
}

static bool put_asleep(const PageWriter* writer)
{
    const Recording* recording = writer->recording;
    fputs(",\n\"asleep\":", writer->stream);
    PackedWriter* asleep = packed_begin(writer->stream, 0, 0);
    bool good = asleep != NULL;
    for (uint32_t frame = 0; frame < writer->frame_count && good; ++frame)
    {
        good = read_poses(writer, frame);
        for (uint32_t body = 0; body < recording->body_count && good; ++body)
        {
            unsigned char value = writer->poses[body].asleep ? 1 : 0;
            good = packed_add(asleep, &value, 1);
        }
    }
    return asleep != NULL && packed_end(asleep) && good;
}

/// An array of 32-bit numbers over all frames, `width` of each, written by `fill`.
static bool put_frames(const PageWriter* writer, uint32_t width,
                       void (*fill)(const PageWriter* writer, const RecordedFrame* frame, void* row))
{
    PackedWriter* rows = packed_begin(writer->stream, width, 1);
    bool good = rows != NULL;
    for (uint32_t frame = 0; frame < writer->frame_count && good; ++frame)
    {
        uint32_t row[RECORDED_TIMES];
        fill(writer, kept_frame(writer, frame), row);
        good = packed_add(rows, row, 1);
    }
    return rows != NULL && packed_end(rows) && good;
}

static void fill_count(const PageWriter* writer, const RecordedFrame* frame, void* row)
{
    uint32_t count = page_contacts_count(&writer->contacts, frame);
    memcpy(row, &count, sizeof(count));
}

static void fill_total(const PageWriter* writer, const RecordedFrame* frame, void* row)
{
    (void)writer;
    memcpy(row, &frame->contact_count, sizeof(frame->contact_count));
}

static void fill_kinetic(const PageWriter* writer, const RecordedFrame* frame, void* row)
{
    (void)writer;
    memcpy(row, &(float){ (float)frame->kinetic }, sizeof(float));
}

static void fill_potential(const PageWriter* writer, const RecordedFrame* frame, void* row)
{
    // From the first frame's: far from the origin little would be left of the differences.
    memcpy(row, &(float){ (float)(frame->potential - writer->recording->frames[0].potential) },
           sizeof(float));
}

static void fill_penetrations(const PageWriter* writer, const RecordedFrame* frame, void* row)
{
    (void)writer;
    memcpy(row, &frame->max_penetration, sizeof(float));
}

static void fill_milliseconds(const PageWriter* writer, const RecordedFrame* frame, void* row)
{
    (void)writer;
    memcpy(row, frame->milliseconds, sizeof(frame->milliseconds));
}

// -----------------------------------------------------------------------------------------------------------
// Contacts
// -----------------------------------------------------------------------------------------------------------

static float round_to(float value, float step)
{
    return roundf(value / step) * step;
}

/// With 10 bits after the first: a thousandth, which packs to half.
static float round_digits(float value)
{
    int exponent;
    float fraction = frexpf(value, &exponent);
    return isfinite(value) ? ldexpf(roundf(ldexpf(fraction, 11)), exponent - 11) : 0.0f;
}

static void fill_contact(const PageWriter* writer, const RecordedContact* contact, float row[8])
{
    AbutPosition p = from_origin(writer->recording, contact->position);
    const float position[3] = { (float)p.x, (float)p.y, (float)p.z };
    const float normal[3] = { contact->normal.x, contact->normal.y, contact->normal.z };
    for (int i = 0; i < 3; ++i)
    {
        row[i] = round_to(position[i], writer->position_step);
        row[3 + i] = round_to(normal[i], DIRECTION_STEP);
    }
    row[6] = round_digits(contact->separation);
    row[7] = round_digits(contact->impulse);
}

/// Points (8 numbers each) or bodies (2) of all contacts that are kept.
static bool put_contacts(PageWriter* writer, bool points)
{
    PackedWriter* rows = packed_begin(writer->stream, points ? 8 : 2, 1);
    bool good = rows != NULL;
    for (uint32_t i = 0; i < writer->frame_count && good; ++i)
    {
        const RecordedFrame* frame = kept_frame(writer, i);
        good = page_contacts_choose(&writer->contacts, writer->recording, frame);
        for (uint32_t k = 0; k < writer->contacts.kept_count && good; ++k)
        {
            const RecordedContact* contact = &writer->contacts.found[writer->contacts.kept[k]];
            float row[8];
            if (points)
            {
                fill_contact(writer, contact, row);
            }
            good = packed_add(rows, points ? (const void*)row : contact->bodies, 1);
        }
    }
    return rows != NULL && packed_end(rows) && good;
}

static bool put_all_contacts(PageWriter* writer)
{
    FILE* stream = writer->stream;
    fputs(",\n\"contacts\":{\"counts\":", stream);
    bool good = put_frames(writer, 1, fill_count);
    fputs(",\"totals\":", stream);
    good = good && put_frames(writer, 1, fill_total);
    fputs(",\n\"points\":", stream);
    good = good && put_contacts(writer, true);
    fputs(",\n\"bodies\":", stream);
    good = good && put_contacts(writer, false);
    fputs("}", stream);
    return good;
}

static bool put_series(const PageWriter* writer)
{
    FILE* stream = writer->stream;
    fputs(",\n\"series\":{\"kinetic\":", stream);
    bool good = put_frames(writer, 1, fill_kinetic);
    fputs(",\n\"potential\":", stream);
    good = good && put_frames(writer, 1, fill_potential);
    fputs(",\n\"deepest\":", stream);
    good = good && put_frames(writer, 1, fill_penetrations);
    fputs(",\n\"milliseconds\":", stream);
    good = good && put_frames(writer, RECORDED_TIMES, fill_milliseconds);
    fputs("}}", stream);
    return good;
}

static bool put_recording(PageWriter* writer)
{
    put_head(writer);
    put_bodies(writer);
    return put_meshes(writer) && put_poses(writer) && put_asleep(writer) && put_all_contacts(writer) &&
           put_series(writer);
}

// -----------------------------------------------------------------------------------------------------------
// The page
// -----------------------------------------------------------------------------------------------------------

/// Bytes of the page before the marker; viewer/build.js has seen to it that there is one.
static size_t find_marker(void)
{
    const size_t size = sizeof(VIEWER_PAGE_MARKER) - 1;
    size_t at = 0;
    while (at + size < viewer_page_size && memcmp(viewer_page + at, VIEWER_PAGE_MARKER, size) != 0)
    {
        at += 1;
    }
    return at;
}

static bool put_page(PageWriter* writer)
{
    size_t before = find_marker();
    size_t after = before + sizeof(VIEWER_PAGE_MARKER) - 1;
    fwrite(viewer_page, 1, before, writer->stream);
    fputs("<script id=\"abut-recording\" type=\"application/json\">", writer->stream);
    bool good = put_recording(writer);
    fputs("</script>", writer->stream);
    fwrite(viewer_page + after, 1, viewer_page_size - after, writer->stream);
    return good;
}

static PageWriter make_writer(const Recording* recording, FILE* stream, const PageLimits* limits)
{
    size_t poses = (size_t)recording->frame_count * recording->body_count;
    size_t stride = (poses + limits->poses - 1) / limits->poses;
    stride = stride > 0 ? stride : 1;
    int exponent;
    frexp(recording->camera_distance * POSITION_FRACTION, &exponent);
    return (PageWriter){
        .recording = recording,
        .stream = stream,
        .stride = (uint32_t)stride,
        .frame_count = (uint32_t)((recording->frame_count + stride - 1) / stride),
        .position_step = ldexpf(1.0f, exponent - 1),
    };
}

bool write_html_within(const Recording* recording, const char* path, const PageLimits* limits)
{
    OutputFile file;
    if (!output_file_open(&file, path))
    {
        return false;
    }
    PageWriter writer = make_writer(recording, file.stream, limits);
    writer.poses = malloc((recording->body_count + (size_t)1) * sizeof(RecordedPose));
    bool good = writer.poses != NULL &&
                page_contacts_begin(&writer.contacts, recording, writer.stride, limits->contacts) &&
                put_page(&writer);
    page_contacts_end(&writer.contacts);
    free(writer.poses);
    if (!good)
    {
        message_error("%s: cannot be written: no memory, or its frames are lost", path);
        output_file_abandon(&file);
        return false;
    }
    return output_file_commit(&file);
}

bool write_html(const Recording* recording, const char* path)
{
    return write_html_within(recording, path, &browser_limits);
}

#endif
