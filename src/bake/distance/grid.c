// Distances of a whole grid: blocks on all workers.
#include "bake/distance/grid.h"

#include "base/memory.h"
#include "base/tasks.h"

#include <stdatomic.h>
#include <string.h>

typedef struct GridBake
{
    const AbutTriangleGroups* groups;
    const AbutNodeGrid* grid;
    AbutDistanceScratch** scratch; // per worker
    float* squared;
    uint32_t* nearest;
    atomic_bool out_of_memory;
} GridBake;

static void bake_grid_block(void* context, uint32_t block, uint32_t worker)
{
    GridBake* self = context;
    float squared[ABUT_NODE_BLOCK_TOTAL];
    uint32_t nearest[ABUT_NODE_BLOCK_TOTAL], first[3];
    AbutNodeGrid subgrid = abut_node_block(self->grid, block, first);
    AbutNodeDistances out = { .squared = squared, .nearest = self->nearest != NULL ? nearest : NULL };
    if (atomic_load(&self->out_of_memory) ||
        abut_distance_block(self->groups, &subgrid, self->scratch[worker], &out) != ABUT_OK)
    {
        atomic_store(&self->out_of_memory, true);
        return;
    }
    size_t row = subgrid.node_count[0];
    for (uint32_t z = 0; z < subgrid.node_count[2]; ++z)
    {
        for (uint32_t y = 0; y < subgrid.node_count[1]; ++y)
        {
            size_t from = abut_node_index(&subgrid, 0, y, z);
            size_t to = abut_node_index(self->grid, first[0], first[1] + y, first[2] + z);
            memcpy(self->squared + to, squared + from, row * sizeof(float));
            if (self->nearest != NULL)
            {
                memcpy(self->nearest + to, nearest + from, row * sizeof(uint32_t));
            }
        }
    }
}

AbutResult abut_distance_grid(const AbutTriangleGroups* groups, const AbutNodeGrid* grid,
                              const AbutHost* host, float* squared, uint32_t* nearest)
{
    AbutHost resolved = abut_host_resolve(host);
    GridBake self = { .groups = groups, .grid = grid, .squared = squared, .nearest = nearest };
    self.scratch = abut_memory_allocate_zero(&resolved, resolved.worker_count, sizeof(AbutDistanceScratch*));
    if (self.scratch == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    bool complete = true;
    for (uint32_t i = 0; i < resolved.worker_count && complete; ++i)
    {
        self.scratch[i] = abut_distance_scratch_create(&resolved);
        complete = self.scratch[i] != NULL;
    }
    if (complete)
    {
        abut_parallel_for(&resolved, abut_node_block_count(grid), bake_grid_block, &self);
        complete = !atomic_load(&self.out_of_memory);
    }
    for (uint32_t i = 0; i < resolved.worker_count; ++i)
    {
        abut_distance_scratch_destroy(self.scratch[i]);
    }
    abut_memory_free(&resolved, self.scratch, resolved.worker_count, sizeof(AbutDistanceScratch*));
    return complete ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}
