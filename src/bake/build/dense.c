// A dense field: every node, in blocks.
#include "bake/build/dense.h"

#include "bake/build/node_fault.h"
#include "bake/build/reuse.h"
#include "base/tasks.h"

#include <string.h>

typedef struct DenseBuild
{
    AbutBuild* build;
    AbutNodeGrid grid;
    uint32_t first_block; // of this pass
} DenseBuild;

static void build_block(void* context, uint32_t block, uint32_t worker)
{
    const DenseBuild* self = context;
    uint32_t first[3];
    AbutNodeGrid subgrid = abut_node_block(&self->grid, self->first_block + block, first);
    if (!abut_reuse_is_dirty(self->build, &subgrid, 1))
    {
        return;
    }
    abut_build_node_block(self->build, &self->grid, self->first_block + block, worker);
}

AbutResult abut_build_dense(AbutBuild* build)
{
    enum
    {
        PASS_BLOCKS = 512 // blocks between two reports of progress
    };
    build->header.stored_brick_count =
        build->header.brick_count[0] * build->header.brick_count[1] * build->header.brick_count[2];
    AbutResult result = abut_build_allocate(build);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (build->reuse != NULL)
    {
        memcpy(abut_field_section(build->block, ABUT_FIELD_NODES), abut_reuse_nodes(build->reuse),
               (size_t)build->header.sections[ABUT_FIELD_NODES].size);
    }
    DenseBuild self = { .build = build, .grid = abut_build_grid(build, 1) };
    uint32_t total = abut_node_block_count(&self.grid);
    for (; self.first_block < total && abut_build_progress(build, (float)self.first_block / (float)total);
         self.first_block += PASS_BLOCKS)
    {
        uint32_t left = total - self.first_block;
        abut_parallel_for(&build->host, left < PASS_BLOCKS ? left : PASS_BLOCKS, build_block, &self);
        abut_build_check_nodes(build);
    }
    return (AbutResult)atomic_load(&build->result);
}
