// Loops over the blocks of an extraction: tasks, progress and errors.
#include "surface/extraction.h"

#include "base/assert.h"
#include "base/tasks.h"

enum
{
    TASK_BLOCKS = 8,    // handed out at once
    PASS_BLOCKS = 8192, // between two reports of progress
};

AbutResult abut_surface_progress(const AbutSurfaceExtraction* extraction, double done)
{
    if (extraction->def->progress != NULL &&
        !extraction->def->progress(extraction->def->progress_user, (float)done))
    {
        return abut_fail(ABUT_CANCELLED, "surface: cancelled");
    }
    return ABUT_OK;
}

AbutResult abut_surface_report(const AbutSurfaceExtraction* extraction)
{
    AbutSurfaceError first = { .kind = ABUT_SURFACE_NO_ERROR };
    for (uint32_t i = 0; i < extraction->host.worker_count; ++i)
    {
        const AbutSurfaceError* error = &extraction->scratch[i].error;
        if (error->kind != ABUT_SURFACE_NO_ERROR &&
            (first.kind == ABUT_SURFACE_NO_ERROR || error->number < first.number))
        {
            first = *error;
        }
    }
    const double x = first.position.x, y = first.position.y, z = first.position.z;
    switch (first.kind)
    {
    case ABUT_SURFACE_ERROR_NAN:
        return abut_fail(ABUT_INVALID_DATA, "surface: the shape's distance is not a number at (%g, %g, %g)",
                         x, y, z);
    case ABUT_SURFACE_ERROR_INCONSISTENT:
        return abut_fail(ABUT_INVALID_DATA,
                         "surface: the shape gave two different distances for one point near (%g, %g, %g): a "
                         "callback must depend on the point alone",
                         x, y, z);
    case ABUT_SURFACE_NO_ERROR:
        break;
    }
    return ABUT_OK;
}

typedef struct BlockLoop
{
    AbutSurfaceExtraction* extraction;
    AbutSurfaceBlockFn* function;
    size_t first, end;
} BlockLoop;

static void run_task(void* context, uint32_t task, uint32_t worker)
{
    const BlockLoop* loop = context;
    const size_t first = loop->first + (size_t)task * TASK_BLOCKS;
    const size_t end = first + TASK_BLOCKS < loop->end ? first + TASK_BLOCKS : loop->end;
    for (size_t number = first; number < end; ++number)
    {
        loop->function(loop->extraction, (uint32_t)number, &loop->extraction->scratch[worker]);
    }
}

AbutResult abut_surface_for_blocks(AbutSurfaceExtraction* extraction, AbutSurfaceBlockFn* function,
                                   size_t first, double done_before, double done_after)
{
    ABUT_ASSERT(first <= extraction->blocks.count);
    const size_t count = extraction->blocks.count;
    AbutResult result = ABUT_OK;
    for (size_t begin = first; begin < count && result == ABUT_OK; begin += PASS_BLOCKS)
    {
        BlockLoop loop = { extraction, function, begin,
                           begin + PASS_BLOCKS < count ? begin + PASS_BLOCKS : count };
        abut_parallel_for(&extraction->host, abut_block_count(loop.end - begin, TASK_BLOCKS), run_task,
                          &loop);
        result = abut_surface_report(extraction);
        if (result == ABUT_OK)
        {
            const double fraction = (double)(loop.end - first) / (double)(count - first);
            result = abut_surface_progress(extraction, done_before + fraction * (done_after - done_before));
        }
    }
    return result;
}
