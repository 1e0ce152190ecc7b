/// @file collide.h
/// Parts of `abut collide`: the answer of a pose, and how answers are written.
#ifndef ABUT_CLI_COLLIDE_H
#define ABUT_CLI_COLLIDE_H

#include "batches.h"
#include "poses.h"

typedef struct CollideSettings
{
    CommonSettings common;
    const char* pose;
    const char* poses;
    const char* method;
    const char* picture;
    const char* device;    ///< NULL: the processor
    const char* points_of; ///< the shapes that may play the points
    double tolerance, margin, spacing, relaxation, hull_error;
    double linear[3], angular[3];
    uint32_t resolution, steps, deepest, budget;
    uint32_t size[2]; ///< of the picture
    uint32_t reduce;  ///< NOT_REDUCED: all contacts
    bool quasi_random, one_per_voxel;
    uint32_t points;
    bool no_corners, no_tree, no_correct;
    bool depth, distance, csv, fail;
} CollideSettings;

#define NOT_REDUCED UINT32_MAX

// -----------------------------------------------------------------------------------------------------------
// Answers
// -----------------------------------------------------------------------------------------------------------

enum
{
    ANSWER_MESSAGE_SIZE = 256,
    COLLIDE_MOST_REDUCED = 1 << 24
};

typedef struct PairAnswer
{
    AbutCollideOutput output;
    AbutReduction reduction;
    AbutHullCounts hull;         ///< of the method hull
    AbutDistanceOutput distance; ///< where it was asked for and the solids do not touch
    bool has_distance;
    AbutContact* contacts; ///< output.contact_count of them
    uint32_t capacity;
    bool out_of_memory;
    char message[ANSWER_MESSAGE_SIZE]; ///< why the state is invalid
} PairAnswer;

/// Writes answers as they come, so that any number of poses needs no memory.
typedef struct AnswerWriter
{
    const CollideSettings* settings;
    size_t count; ///< written so far
} AnswerWriter;

typedef struct CollideSummary
{
    size_t touching, invalid; ///< poses that are not separated; that have no answer
} CollideSummary;

/// A run over all poses.
typedef struct CollideJob
{
    const CollideSettings* settings;
    AbutCollideInput input; ///< shapes and settings
    const PoseList* poses;
    Batches batches;
    PairAnswer answers[BATCH_SIZE];
    AnswerWriter writer;
    CollideSummary summary;
    AbutDevice* device; ///< or NULL
    AbutCollider* collider;
    AbutCollideResults results; ///< of a batch on the device
} CollideJob;

/// Answers all poses and writes the answers. @return false after a message, when one could not be written or
/// kept.
bool collide_answer(const Session* session, CollideJob* job);

/// Frees the answers of the last batch.
void collide_job_free(CollideJob* job);

// -----------------------------------------------------------------------------------------------------------
// Devices
// -----------------------------------------------------------------------------------------------------------

/// The device of the settings, if any. @return false after a message.
bool collide_device_open(const Session* session, CollideJob* job);

void collide_device_close(CollideJob* job);

/// Results of a batch of poses. @return false after a message.
bool collide_device_answer(void* job, size_t first, uint32_t count);

/// The result of pose `i` of the batch.
AbutCollideOutput collide_device_output(const CollideJob* job, uint32_t i, const AbutContact** contacts);

// -----------------------------------------------------------------------------------------------------------
// Writing
// -----------------------------------------------------------------------------------------------------------

/// What stands before the first answer.
void answers_begin(AnswerWriter* writer, const CollideSettings* settings, const char* method);

/// @return false after a message, without memory.
bool answers_add(AnswerWriter* writer, const PairAnswer* answer);

/// What stands after the last.
void answers_end(AnswerWriter* writer, double seconds);

#endif
