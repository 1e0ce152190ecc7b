// OUT.csv: poses and velocities, a line per frame and body. Beside it OUT.frames.csv with energies and
// depths, a line per frame, and OUT.contacts.csv, a line per contact. No wall times: the bytes are the same
// for any number of threads.
#include "message.h"
#include "output.h"
#include "recording_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A name as a field of a CSV file: always in quotes, with quotes in it doubled.
static void put_name(FILE* stream, const char* name)
{
    putc('"', stream);
    for (; *name != '\0'; ++name)
    {
        if (*name == '"')
        {
            putc('"', stream);
        }
        putc((unsigned char)*name < 0x20 ? ' ' : *name, stream);
    }
    putc('"', stream);
}

static void put_vec3(FILE* stream, AbutVec3 v)
{
    fprintf(stream, ",%.9g,%.9g,%.9g", (double)v.x, (double)v.y, (double)v.z);
}

static void put_position(FILE* stream, AbutPosition p)
{
    fprintf(stream, ",%.12g,%.12g,%.12g", p.x, p.y, p.z);
}

static bool write_poses(const Recording* recording, void* buffer, FILE* stream)
{
    RecordedPose* poses = buffer;
    bool good = true;
    fputs("frame,time,body,name,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz,asleep\n", stream);
    for (uint32_t frame = 0; frame < recording->frame_count && good; ++frame)
    {
        good = recording_read_poses(recording, frame, 0, recording->body_count, poses);
        for (uint32_t body = 0; body < recording->body_count && good; ++body)
        {
            const RecordedPose* pose = &poses[body];
            const AbutQuat q = pose->rotation;
            fprintf(stream, "%u,%.9g,%u,", frame, recording->frames[frame].time, body);
            put_name(stream, recording->bodies[body].name);
            put_position(stream, pose->position);
            fprintf(stream, ",%.9g,%.9g,%.9g,%.9g", (double)q.x, (double)q.y, (double)q.z, (double)q.w);
            put_vec3(stream, pose->linear_velocity);
            put_vec3(stream, pose->angular_velocity);
            fprintf(stream, ",%d\n", pose->asleep ? 1 : 0);
        }
    }
    return good;
}

static bool write_frames(const Recording* recording, void* buffer, FILE* stream)
{
    RecordedPose* poses = buffer;
    bool good = true;
    fputs("frame,time,kinetic,potential,energy,deepest,contacts,asleep\n", stream);
    for (uint32_t i = 0; i < recording->frame_count && good; ++i)
    {
        const RecordedFrame* frame = &recording->frames[i];
        uint32_t asleep = 0;
        good = recording_read_poses(recording, i, 0, recording->body_count, poses);
        for (uint32_t body = 0; body < recording->body_count && good; ++body)
        {
            asleep += poses[body].asleep ? 1u : 0u;
        }
        fprintf(stream, "%u,%.9g,%.12g,%.12g,%.12g,%.9g,%u,%u\n", i, frame->time, frame->kinetic,
                frame->potential, frame->kinetic + frame->potential, (double)frame->max_penetration,
                frame->contact_count, asleep);
    }
    return good;
}

static bool write_contacts(const Recording* recording, void* buffer, FILE* stream)
{
    RecordedContact* contacts = buffer;
    bool good = true;
    fputs("frame,time,body_a,body_b,x,y,z,nx,ny,nz,separation,impulse\n", stream);
    for (uint32_t i = 0; i < recording->frame_count && good; ++i)
    {
        const RecordedFrame* frame = &recording->frames[i];
        good = recording_read_contacts(recording, frame, contacts);
        for (uint32_t k = 0; k < frame->contact_count && good; ++k)
        {
            const RecordedContact* contact = &contacts[k];
            fprintf(stream, "%u,%.9g,%u,%u", i, frame->time, contact->bodies[0], contact->bodies[1]);
            put_position(stream, contact->position);
            put_vec3(stream, contact->normal);
            fprintf(stream, ",%.9g,%.9g\n", (double)contact->separation, (double)contact->impulse);
        }
    }
    return good;
}

/// `write` has room for all poses, or all contacts, of a frame.
static bool write_table(const Recording* recording, const char* path,
                        bool (*write)(const Recording* recording, void* buffer, FILE* stream))
{
    size_t poses = recording->body_count * sizeof(RecordedPose);
    size_t contacts = recording_most_contacts(recording) * sizeof(RecordedContact);
    void* buffer = malloc((poses > contacts ? poses : contacts) + 1);
    OutputFile file;
    if (buffer == NULL)
    {
        message_error("%s: no memory for a frame", path);
    }
    if (buffer == NULL || !output_file_open(&file, path))
    {
        free(buffer);
        return false;
    }
    bool good = write(recording, buffer, file.stream);
    free(buffer);
    if (!good)
    {
        output_file_abandon(&file);
    }
    return good && output_file_commit(&file);
}

/// "a/b.csv" and "frames" become "a/b.frames.csv".
static char* path_beside(const char* path, const char* suffix)
{
    size_t size = strlen(path) + strlen(suffix) + 2;
    char* beside = malloc(size);
    if (beside != NULL)
    {
        size_t stem = strlen(path) - strlen(".csv");
        snprintf(beside, size, "%.*s.%s%s", (int)stem, path, suffix, path + stem);
    }
    return beside;
}

bool write_csv(const Recording* recording, const char* path)
{
    char* frames = path_beside(path, "frames");
    char* contacts = path_beside(path, "contacts");
    bool good = frames != NULL && contacts != NULL;
    if (!good)
    {
        message_error("%s: no memory for its name", path);
    }
    good = good && write_table(recording, path, write_poses) &&
           write_table(recording, frames, write_frames) && write_table(recording, contacts, write_contacts);
    free(frames);
    free(contacts);
    return good;
}
