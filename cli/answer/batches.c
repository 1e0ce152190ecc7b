#include "batches.h"

#include "output.h"

bool batches_run(const Session* session, Batches* batches)
{
    bool good = true;
    Progress progress = progress_start(batches->what);
    batches->seconds = 0.0;
    uint32_t most = batches->at_once > 0 && batches->at_once < BATCH_SIZE ? batches->at_once : BATCH_SIZE;
    for (size_t first = 0; good && first < batches->total; first += most)
    {
        size_t rest = batches->total - first;
        uint32_t count = rest < most ? (uint32_t)rest : most;
        double start = seconds_now();
        batches->first = first;
        good = batches->prepare == NULL || batches->prepare(batches->job, first, count);
        if (good)
        {
            session->host.parallel_for(session->host.user, count, batches->answer, batches->job);
        }
        batches->seconds += seconds_now() - start;
        progress_end(); // the answers may go to the same terminal
        good = good && batches->write(batches->job, first, count) && output_flush();
        progress_resume(&progress);
        progress_show(&progress, (float)(first + count) / (float)batches->total);
    }
    progress_end();
    return good;
}
