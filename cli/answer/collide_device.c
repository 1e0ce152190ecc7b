// Poses of `abut collide` on a device: those of a batch are the pairs of one step.
#include "collide.h"

#include "device_report.h"

#include <string.h>

bool collide_device_open(const Session* session, CollideJob* job)
{
    const CollideSettings* settings = job->settings;
    if (!device_open(settings->device, &session->host, &job->device) || job->device == NULL)
    {
        return job->device != NULL || settings->device == NULL || strcmp(settings->device, "cpu") == 0;
    }
    if (abut_collider_create(&session->host, &job->collider) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return false;
    }
    abut_collider_set_device(job->collider, job->device);
    return true;
}

void collide_device_close(CollideJob* job)
{
    abut_collider_destroy(job->collider);
    abut_device_destroy(job->device);
}

bool collide_device_answer(void* job_pointer, size_t first, uint32_t count)
{
    CollideJob* job = job_pointer;
    AbutCollideBody bodies[1 + BATCH_SIZE];
    AbutBodyPair pairs[BATCH_SIZE];
    bodies[0] = (AbutCollideBody){ job->input.shape_a, job->input.pose_a };
    for (uint32_t i = 0; i < count; ++i)
    {
        bodies[1 + i] = (AbutCollideBody){ job->input.shape_b, job->poses->items[first + i] };
        pairs[i] = (AbutBodyPair){ 0, 1 + i };
    }
    const AbutPairsInput input = { bodies, 1 + count, pairs, count };
    abut_collider_reset(job->collider); // the poses of the last batch were others
    if (abut_collide_pairs(job->collider, &input, &job->input.settings, &job->results) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return false;
    }
    return true;
}

AbutCollideOutput collide_device_output(const CollideJob* job, uint32_t i, const AbutContact** contacts)
{
    const AbutPairResult* result = &job->results.pairs[i];
    *contacts = job->results.contacts + result->first_contact;
    return result->output;
}
