// Poses to answers, on all cores.
#include "collide.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
    FIRST_CAPACITY = 2048 // as many contacts as the adaptive method finds at most
};

static bool grow(PairAnswer* answer, uint32_t capacity)
{
    AbutContact* contacts = realloc(answer->contacts, (size_t)capacity * sizeof(*contacts));
    answer->out_of_memory = contacts == NULL;
    if (contacts != NULL)
    {
        answer->contacts = contacts;
        answer->capacity = capacity;
    }
    return contacts != NULL;
}

static bool is_apart(AbutCollideState state)
{
    return state != ABUT_COLLIDE_CONTACT && state != ABUT_COLLIDE_INVALID;
}

static AbutDistanceOutput find_distance(const CollideSettings* settings, const AbutCollideInput* input)
{
    AbutDistanceInput query = abut_distance_input(input->shape_a, input->shape_b);
    query.pose_b = input->pose_b;
    query.tolerance = (float)settings->tolerance;
    query.budget = settings->budget;
    return abut_distance(&query);
}

/// All contacts, however many there are. @return false without memory for them
static bool find_contacts(const AbutCollideInput* input, bool search, PairAnswer* answer)
{
    if (search && answer->capacity == 0 && !grow(answer, FIRST_CAPACITY))
    {
        return false;
    }
    AbutCollideOutput output = abut_collide(input, answer->contacts, search ? answer->capacity : 0);
    if (search && output.contact_total > answer->capacity)
    {
        if (!grow(answer, output.contact_total))
        {
            return false;
        }
        output = abut_collide(input, answer->contacts, answer->capacity);
    }
    answer->output = output;
    return true;
}

/// The same from the results of a device.
static bool copy_contacts(const CollideJob* job, uint32_t i, bool search, PairAnswer* answer)
{
    const AbutContact* contacts;
    AbutCollideOutput output = collide_device_output(job, i, &contacts);
    output.contact_count = search ? output.contact_count : 0;
    if (output.contact_count > answer->capacity && !grow(answer, output.contact_count))
    {
        return false;
    }
    for (uint32_t k = 0; k < output.contact_count; ++k)
    {
        answer->contacts[k] = contacts[k];
    }
    answer->output = output;
    return true;
}

/// Contacts, and then those that were asked for.
static void answer_pair(const CollideJob* job, uint32_t i, const AbutCollideInput* input, PairAnswer* answer)
{
    const CollideSettings* settings = job->settings;
    bool search = settings->reduce > 0;
    if (!(job->device != NULL ? copy_contacts(job, i, search, answer) : find_contacts(input, search, answer)))
    {
        return;
    }
    AbutCollideOutput output = answer->output;
    if (output.state == ABUT_COLLIDE_INVALID)
    {
        snprintf(answer->message, sizeof(answer->message), "%s", abut_last_error());
    }
    uint32_t keep = settings->reduce < COLLIDE_MOST_REDUCED ? settings->reduce : output.contact_count;
    answer->reduction = abut_contacts_reduce(answer->contacts, output.contact_count, keep);
    output.contact_count = answer->reduction.kept_count;
    answer->output = output;
    answer->has_distance = settings->distance && is_apart(output.state);
    if (answer->has_distance)
    {
        answer->distance = find_distance(settings, input);
    }
}

static void answer_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    CollideJob* job = context;
    AbutCollideInput input = job->input;
    input.pose_b = job->poses->items[job->batches.first + block];
    input.settings.hull.counts = &job->answers[block].hull;
    answer_pair(job, block, &input, &job->answers[block]);
}

static bool write_batch(void* context, size_t first, uint32_t count)
{
    CollideJob* job = context;
    for (uint32_t i = 0; i < count; ++i)
    {
        const PairAnswer* answer = &job->answers[i];
        if (answer->out_of_memory)
        {
            message_error("pose %zu: no memory for its contacts", first + i + 1);
            return false;
        }
        AbutCollideState state = answer->output.state;
        if (state == ABUT_COLLIDE_INVALID)
        {
            message_error("pose %zu: %s", first + i + 1, answer->message);
            job->summary.invalid += 1;
        }
        job->summary.touching += state != ABUT_COLLIDE_SEPARATED ? 1u : 0u;
        if (!answers_add(&job->writer, answer))
        {
            return false;
        }
    }
    return true;
}

/// Every particle may become a contact: so many poses at once that all of theirs fit a quarter of the memory.
static uint32_t poses_at_once(const CollideJob* job)
{
    const AbutCollideSettings* settings = &job->input.settings;
    if (settings->method != ABUT_COLLIDE_PARTICLES)
    {
        return BATCH_SIZE;
    }
    uint64_t n = settings->particles.resolution, bytes = n * n * n * sizeof(AbutContact);
    uint64_t fitting = command_memory() / 4 / (bytes > 0 ? bytes : 1);
    return fitting < 1 ? 1 : fitting < BATCH_SIZE ? (uint32_t)fitting : BATCH_SIZE;
}

/// The method of the pair, also where its kinds choose it.
static const char* method_name(const AbutCollideInput* input)
{
    AbutCollideMethod method = input->settings.method;
    if (method == ABUT_COLLIDE_AUTOMATIC)
    {
        method = input->settings.measure_depth ? abut_collide_depth_method_of(input->shape_a, input->shape_b)
                                               : abut_collide_method_of(input->shape_a, input->shape_b);
    }
    return abut_collide_method_name(method);
}

bool collide_answer(const Session* session, CollideJob* job)
{
    job->batches = (Batches){ .what = "colliding",
                              .total = job->poses->count,
                              .at_once = poses_at_once(job),
                              .answer = answer_block,
                              .write = write_batch,
                              .job = job };
    if (!collide_device_open(session, job))
    {
        return false;
    }
    job->batches.prepare = job->device != NULL ? collide_device_answer : NULL;
    answers_begin(&job->writer, job->settings, method_name(&job->input));
    bool good = batches_run(session, &job->batches);
    answers_end(&job->writer, job->batches.seconds);
    return good;
}

void collide_job_free(CollideJob* job)
{
    for (int i = 0; i < BATCH_SIZE; ++i)
    {
        free(job->answers[i].contacts);
    }
    collide_device_close(job);
}
