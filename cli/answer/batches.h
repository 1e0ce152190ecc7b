/// @file batches.h
/// Many questions: answered on all workers, so many at a time, and written in their order, so that any number
/// of them needs no memory.
#ifndef ABUT_CLI_BATCHES_H
#define ABUT_CLI_BATCHES_H

#include "command.h"

enum
{
    BATCH_SIZE = 64 ///< questions that are answered at once, at most
};

typedef struct Batches
{
    const char* what; ///< "colliding"; for the progress
    size_t total;
    uint32_t at_once; ///< questions of a batch, at most BATCH_SIZE; 0: as many
    /// Called before the answers of a batch, or NULL; false after a message: no more then.
    bool (*prepare)(void* job, size_t first, uint32_t count);
    AbutBlockFn* answer;                                    ///< question first + block; called on all workers
    bool (*write)(void* job, size_t first, uint32_t count); ///< false after a message: no more then
    void* job;                                              ///< first argument of both
    size_t first;                                           ///< of the batch that is being answered
    double seconds;                                         ///< that all answers took
} Batches;

/// @return false when a `write` did, or standard output takes no more.
bool batches_run(const Session* session, Batches* batches);

#endif
