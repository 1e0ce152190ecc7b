/// @file collide.h
/// Parts of `abut collide`: where B stands, the answer of a pose, and how answers are written.
#ifndef ABUT_CLI_COLLIDE_H
#define ABUT_CLI_COLLIDE_H

#include "command.h"

typedef struct CollideSettings
{
    CommonSettings common;
    const char* pose;
    const char* poses;
    const char* method;
    const char* picture;
    double tolerance, margin, spacing, relaxation;
    uint32_t resolution, steps, deepest, budget;
    uint32_t size[2]; ///< of the picture
    uint32_t reduce;  ///< NOT_REDUCED: all contacts
    bool quasi_random, one_per_voxel;
    bool depth, distance, csv, fail;
} CollideSettings;

#define NOT_REDUCED UINT32_MAX

// ---------------------------------------------------------------------------------------------------------------------
// Poses
// ---------------------------------------------------------------------------------------------------------------------

typedef struct PoseList
{
    AbutPose* items; ///< to be freed
    size_t count, capacity;
} PoseList;

/// A pose per line, numbers apart by commas or blanks; empty lines and what follows a # are passed over. "-" is standard input.
/// @return false after a message that names the line.
bool poses_read(const char* path, PoseList* list);

/// @return false after a message, without memory.
bool poses_add(PoseList* list, const AbutPose* pose);

// ---------------------------------------------------------------------------------------------------------------------
// Answers
// ---------------------------------------------------------------------------------------------------------------------

enum
{
    ANSWER_MESSAGE_SIZE = 256
};

typedef struct PairAnswer
{
    AbutCollideOutput output;
    AbutReduction reduction;
    AbutDistanceOutput distance; ///< where it was asked for and the solids do not touch
    bool has_distance;
    AbutContact* contacts; ///< output.contact_count of them
    int capacity;
    bool out_of_memory;
    char message[ANSWER_MESSAGE_SIZE]; ///< why the state is invalid
} PairAnswer;

enum
{
    COLLIDE_BATCH = 64, ///< poses that are answered at once
    COLLIDE_MOST_REDUCED = 1 << 24
};

/// A run over all poses.
typedef struct CollideJob
{
    const CollideSettings* settings;
    AbutCollideInput input; ///< shapes and settings
    const AbutPose* poses;  ///< of the batch
    PairAnswer answers[COLLIDE_BATCH];
} CollideJob;

typedef struct CollideSummary
{
    size_t touching, invalid; ///< poses that are not separated; that have no answer
    double seconds;
} CollideSummary;

/// Answers all poses and writes the answers. @return false after a message, when one could not be written or kept.
bool collide_answer(const Session* session, CollideJob* job, const PoseList* poses, CollideSummary* summary);

/// Frees the answers of the last batch.
void collide_job_free(CollideJob* job);

/// Writes answers as they come, so that any number of poses needs no memory.
typedef struct AnswerWriter
{
    const CollideSettings* settings;
    size_t count; ///< written so far
} AnswerWriter;

/// What stands before the first answer.
void answers_begin(AnswerWriter* writer, const CollideSettings* settings);

/// @return false after a message, without memory.
bool answers_add(AnswerWriter* writer, const PairAnswer* answer);

/// What stands after the last.
void answers_end(AnswerWriter* writer, double seconds);

#endif
