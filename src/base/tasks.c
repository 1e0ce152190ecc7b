#include "base/tasks.h"

#include "base/assert.h"
#include "base/fp_env.h"

typedef struct BlockCall
{
    AbutBlockFn* block;
    void* context;
} BlockCall;

/// Threads of the host have environments of their own.
static void run_block(void* context, uint32_t block, uint32_t worker)
{
    const BlockCall* call = context;
    AbutFpState host = abut_fp_enter();
    call->block(call->context, block, worker);
    abut_fp_leave(host);
}

void abut_parallel_for(const AbutHost* host, uint32_t block_count, AbutBlockFn* block, void* context)
{
    ABUT_ASSERT(block != NULL);
    ABUT_ASSERT(host->worker_count <= 1 || host->parallel_for != NULL);
    if (block_count == 1 || host->worker_count <= 1)
    {
        for (uint32_t i = 0; i < block_count; ++i)
        {
            block(context, i, 0);
        }
    }
    else if (block_count > 1)
    {
        BlockCall call = { block, context };
        host->parallel_for(host->user, block_count, run_block, &call);
        abut_fp_reset();
    }
}
