/// @file recording.h
/// A simulation as it is shown: surfaces, bodies, and what was seen of them at even times. Every writer
/// (.html, .glb, .csv, .png) takes one. Poses and contacts are on disk, and each frame goes there when it is
/// added: memory holds no more than some numbers per frame.
#ifndef ABUT_CLI_RECORDING_H
#define ABUT_CLI_RECORDING_H

#include "spool.h"

#include <abut/dynamics.h>
#include <abut/mesh.h>

/// A surface that bodies share, in their own frame.
typedef struct RecordedMesh
{
    AbutVec3* positions;
    uint32_t vertex_count;
    uint32_t* indices; ///< three per triangle
    uint32_t triangle_count;
} RecordedMesh;

typedef struct RecordedBody
{
    char* name;
    uint32_t mesh;
    AbutBodyKind kind;
    float color[3]; ///< 0 to 1, sRGB
    float scale;
    double mass; ///< infinite unless dynamic
} RecordedBody;

/// A body at a time.
typedef struct RecordedPose
{
    AbutPosition position; ///< of the shape's frame, in the world
    AbutQuat rotation;
    AbutVec3 linear_velocity; ///< of the centre of mass
    AbutVec3 angular_velocity;
    bool asleep;
} RecordedPose;

typedef struct RecordedContact
{
    AbutPosition position;
    AbutVec3 normal; ///< from B to A
    float separation, impulse;
    uint32_t bodies[2]; ///< A and B, by their numbers in the recording
} RecordedContact;

enum
{
    RECORDED_TIMES = 6 ///< pairs, search, manifolds, solver, clamp, the rest
};

typedef struct RecordedFrame
{
    double time;
    double kinetic, potential;          ///< potential: of gravity, and of springs where contacts are such
    float max_penetration;              ///< of all steps since the frame before
    float milliseconds[RECORDED_TIMES]; ///< of a step, on the average since the frame before
    size_t first_contact;               ///< of contacts[]
    uint32_t contact_count;
} RecordedFrame;

/// Frame 0 is the start; frame f is at f · dt.
typedef struct Recording
{
    char* title;
    const char* response; ///< "impulse", "penalty" or "bullet"
    double dt;            ///< seconds between frames
    uint64_t hash;        ///< of the world after the last step
    AbutPosition origin;  ///< what writers of float subtract from every position
    AbutPosition camera_target;
    double camera_distance;
    double camera_yaw, camera_pitch; ///< degrees about y, from z towards x, and above the horizon
    AbutVec3 gravity;                ///< acceleration: which of two bodies supports the other

    uint32_t sheet_size[2]; ///< pixels of the sheet of pictures

    RecordedMesh* meshes;
    uint32_t mesh_count;
    RecordedBody* bodies;
    uint32_t body_count;

    RecordedFrame* frames;
    uint32_t frame_count, frame_capacity;
    Spool poses;    ///< frame_count · body_count RecordedPose
    Spool contacts; ///< contact_count RecordedContact
    size_t contact_count;

    size_t byte_limit;     ///< of frames, poses and contacts
    uint32_t thinned;      ///< how often every second frame was dropped to stay under it
    RecordedFrame pending; ///< what the dropped ones said of their steps, for the next frame
    bool has_pending;
} Recording;

typedef struct RecordingDef
{
    const char* title;
    const char* path; ///< poses and contacts are kept beside it until they are written
    uint32_t mesh_count, body_count;
    size_t byte_limit;
} RecordingDef;

/// Empty; bodies and meshes are zero until they are set. @return false after a message, without memory, where
/// no file can be made or when not even two frames fit under the limit.
bool recording_create(Recording* recording, const RecordingDef* def);

/// Frees everything; also what recording_create() left when it failed.
void recording_destroy(Recording* recording);

/// Copies the arrays. @return false after a message, without memory.
bool recording_set_mesh(Recording* recording, uint32_t index, const AbutMesh* mesh);

/// `body` is copied, with its name. @return false after a message, without memory.
bool recording_set_body(Recording* recording, uint32_t index, const RecordedBody* body);

/// Adds the frame of the time frame_count · dt: body_count poses, and the contacts. Where it would pass the
/// limit, every second frame is dropped first, this one too when it is one of them, and dt doubles: `thinned`
/// tells. @return false after a message.
bool recording_add_frame(Recording* recording, const RecordedFrame* frame, const RecordedPose* poses,
                         const RecordedContact* contacts);

/// Poses of `count` bodies from `first` on, in a frame. @return false after a message.
bool recording_read_poses(const Recording* recording, uint32_t frame, uint32_t first, uint32_t count,
                          RecordedPose* out);

/// All contacts of a frame: frame->contact_count. @return false after a message.
bool recording_read_contacts(const Recording* recording, const RecordedFrame* frame, RecordedContact* out);

/// The largest contact_count of all frames.
uint32_t recording_most_contacts(const Recording* recording);

/// Bytes that frames take now, nearly all of them on disk.
size_t recording_bytes(const Recording* recording);

#endif
