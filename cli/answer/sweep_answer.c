// Motions to answers, on all cores.
#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
    FIRST_CAPACITY = 1024
};

static bool grow(MotionAnswer* answer, uint32_t capacity)
{
    AbutPointInterval* intervals = realloc(answer->intervals, (size_t)capacity * sizeof(*intervals));
    answer->out_of_memory = intervals == NULL;
    if (intervals != NULL)
    {
        answer->intervals = intervals;
        answer->capacity = capacity;
    }
    return intervals != NULL;
}

/// All intervals, however many there are.
static AbutToiOutput find_intervals(const AbutToiInput* input, MotionAnswer* answer)
{
    AbutToiOutput output = { .state = ABUT_TOI_INVALID };
    if (answer->capacity == 0 && !grow(answer, FIRST_CAPACITY))
    {
        return output;
    }
    output = abut_toi_intervals(input, answer->intervals, answer->capacity);
    if (output.interval_total > answer->capacity && grow(answer, output.interval_total))
    {
        output = abut_toi_intervals(input, answer->intervals, answer->capacity);
    }
    return output;
}

static void answer_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    SweepJob* job = context;
    MotionAnswer* answer = &job->answers[block];
    const SweepMotion* motion = &job->motions->items[job->batches.first + block];
    AbutToiInput input = job->input;
    input.pose_b = motion->start;
    input.motion_b = motion->motion;
    answer->output = job->intervals ? find_intervals(&input, answer) : abut_time_of_impact(&input);
    if (answer->output.state == ABUT_TOI_INVALID)
    {
        snprintf(answer->message, sizeof(answer->message), "%s", abut_last_error());
    }
}

static bool write_batch(void* context, size_t first, uint32_t count)
{
    SweepJob* job = context;
    for (uint32_t i = 0; i < count; ++i)
    {
        const MotionAnswer* answer = &job->answers[i];
        if (answer->out_of_memory)
        {
            message_error("motion %zu: no memory for its intervals", first + i + 1);
            return false;
        }
        AbutToiState state = answer->output.state;
        if (state == ABUT_TOI_INVALID)
        {
            message_error("motion %zu: %s", first + i + 1, answer->message);
            job->summary.invalid += 1;
        }
        job->summary.touching += state != ABUT_TOI_MISS ? 1u : 0u;
        if (!motions_add(&job->writer, answer))
        {
            return false;
        }
    }
    return true;
}

bool sweep_answer(const Session* session, SweepJob* job)
{
    job->batches = (Batches){ .what = "sweeping",
                              .total = job->motions->count,
                              .answer = answer_block,
                              .write = write_batch,
                              .job = job };
    job->writer = (MotionWriter){ .settings = job->settings,
                                  .method = job->input.settings.method,
                                  .points = &job->points };
    motions_begin(&job->writer);
    bool good = batches_run(session, &job->batches);
    motions_end(&job->writer, job->batches.seconds);
    return good;
}

void sweep_job_free(SweepJob* job)
{
    for (int i = 0; i < BATCH_SIZE; ++i)
    {
        free(job->answers[i].intervals);
    }
}
