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

static void write_poses(const Recording* recording, FILE* stream)
{
    fputs("frame,time,body,name,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz,asleep\n", stream);
    for (uint32_t frame = 0; frame < recording->frame_count; ++frame)
    {
        for (uint32_t body = 0; body < recording->body_count; ++body)
        {
            const RecordedPose* pose = recording_pose(recording, frame, body);
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
}

static void write_frames(const Recording* recording, FILE* stream)
{
    fputs("frame,time,kinetic,potential,energy,deepest,contacts,asleep\n", stream);
    for (uint32_t i = 0; i < recording->frame_count; ++i)
    {
        const RecordedFrame* frame = &recording->frames[i];
        uint32_t asleep = 0;
        for (uint32_t body = 0; body < recording->body_count; ++body)
        {
            asleep += recording_pose(recording, i, body)->asleep ? 1u : 0u;
        }
        fprintf(stream, "%u,%.9g,%.12g,%.12g,%.12g,%.9g,%u,%u\n", i, frame->time, frame->kinetic,
                frame->potential, frame->kinetic + frame->potential, (double)frame->max_penetration,
                frame->contact_count, asleep);
    }
}

static void write_contacts(const Recording* recording, FILE* stream)
{
    fputs("frame,time,body_a,body_b,x,y,z,nx,ny,nz,separation,impulse\n", stream);
    for (uint32_t i = 0; i < recording->frame_count; ++i)
    {
        const RecordedFrame* frame = &recording->frames[i];
        for (uint32_t k = 0; k < frame->contact_count; ++k)
        {
            const RecordedContact* contact = &recording->contacts[frame->first_contact + k];
            fprintf(stream, "%u,%.9g,%u,%u", i, frame->time, contact->bodies[0], contact->bodies[1]);
            put_position(stream, contact->position);
            put_vec3(stream, contact->normal);
            fprintf(stream, ",%.9g,%.9g\n", (double)contact->separation, (double)contact->impulse);
        }
    }
}

static bool write_table(const Recording* recording, const char* path,
                        void (*write)(const Recording* recording, FILE* stream))
{
    OutputFile file;
    if (!output_file_open(&file, path))
    {
        return false;
    }
    write(recording, file.stream);
    return output_file_commit(&file);
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
