/// @file sweep.h
/// Parts of `abut sweep`: how B moves, points on the solids, the answer of a motion, and how answers are
/// written.
#ifndef ABUT_CLI_SWEEP_H
#define ABUT_CLI_SWEEP_H

#include "batches.h"
#include "poses.h"

typedef struct SweepSettings
{
    CommonSettings common;
    const char* from;
    const char* to;
    const char* motions;
    const char* method; ///< NULL: shape, or points where something of points was asked for
    const char* side;
    const char* picture;
    double rotation[3]; ///< NaN: not given
    double center[3];
    double tolerance, spacing;
    uint32_t points, budget; ///< points: 0 for the default
    uint32_t size[2];        ///< of the picture
    bool vertices, linear, intervals, csv, fail;
} SweepSettings;

// -----------------------------------------------------------------------------------------------------------
// Motions
// -----------------------------------------------------------------------------------------------------------

/// Where B starts, and how it moves, in the frame of A.
typedef struct SweepMotion
{
    AbutPose start;
    AbutMotion motion;
} SweepMotion;

typedef struct MotionList
{
    SweepMotion* items; ///< to be freed
    size_t count;
} MotionList;

/// From --from, --to and --turn, or from the file of --motions. EXIT_DONE, or after a message another code.
ExitCode sweep_motions_load(const SweepSettings* settings, MotionList* list);

// -----------------------------------------------------------------------------------------------------------
// Points
// -----------------------------------------------------------------------------------------------------------

/// Point sets of A and B; NULL for a solid that has none.
typedef struct SweepPoints
{
    AbutPointSet* of[2];
} SweepPoints;

/// Points on the solids that the settings ask for: vertices or samples of the mesh that a SHAPE was baked
/// from, else samples of the shape. Solids without end have none. @return false after a message.
bool sweep_points_make(const Session* session, const SweepSettings* settings, AbutShape* const shapes[2],
                       SweepPoints* out);

void sweep_points_free(SweepPoints* points);

// -----------------------------------------------------------------------------------------------------------
// Answers
// -----------------------------------------------------------------------------------------------------------

enum
{
    SWEEP_MESSAGE_SIZE = 256
};

typedef struct MotionAnswer
{
    AbutToiOutput output;
    AbutPointInterval* intervals; ///< output.interval_count of them
    uint32_t capacity;
    bool out_of_memory;
    char message[SWEEP_MESSAGE_SIZE]; ///< why the state is invalid
} MotionAnswer;

/// Writes answers as they come.
typedef struct MotionWriter
{
    const SweepSettings* settings;
    AbutToiMethod method;
    const SweepPoints* points;
    size_t count; ///< written so far
} MotionWriter;

typedef struct SweepSummary
{
    size_t touching, invalid; ///< motions that are not proved to be free; that have no answer
} SweepSummary;

/// A run over all motions.
typedef struct SweepJob
{
    const SweepSettings* settings;
    AbutToiInput input; ///< shapes, points and settings
    SweepPoints points;
    const MotionList* motions;
    bool intervals; ///< look for all
    Batches batches;
    MotionAnswer answers[BATCH_SIZE];
    MotionWriter writer;
    SweepSummary summary;
} SweepJob;

/// Answers all motions and writes the answers. @return false after a message, when one could not be written
/// or kept.
bool sweep_answer(const Session* session, SweepJob* job);

/// Frees the answers of the last batch.
void sweep_job_free(SweepJob* job);

/// What stands before the first answer.
void motions_begin(MotionWriter* writer);

/// @return false after a message, without memory.
bool motions_add(MotionWriter* writer, const MotionAnswer* answer);

/// What stands after the last.
void motions_end(MotionWriter* writer, double seconds);

#endif
