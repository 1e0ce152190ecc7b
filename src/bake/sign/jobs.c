// Jobs and their tiles.
#include "bake/sign/jobs.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "mesh/corners.h"

enum
{
    SMALLEST_TILE = 4, // smaller ones are not asked whether the sign is certain in them
};

bool abut_range_part(const AbutNodeRange* range, int corner, uint32_t size, AbutNodeRange* part)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        part->begin[axis] = range->begin[axis] + ((corner >> axis & 1) != 0 ? size : 0u);
        uint32_t end = part->begin[axis] + size;
        part->end[axis] = end < range->end[axis] ? end : range->end[axis];
        if (part->begin[axis] >= part->end[axis])
        {
            return false;
        }
    }
    return true;
}

double abut_range_ball(const AbutNodeGrid* grid, const AbutNodeRange* range, double center[3])
{
    double squared = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double low = abut_node_coordinate(grid, i, range->begin[i]);
        double high = abut_node_coordinate(grid, i, range->end[i] - 1);
        center[i] = 0.5 * (low + high);
        squared += 0.25 * (high - low) * (high - low);
    }
    return sqrt(squared);
}

static void sign_range(AbutSignRun* run, const AbutNodeRange* range, uint32_t size)
{
    double center[3], radius = abut_range_ball(&run->job->grid, range, center);
    if (abut_signer_is_certain(run->signer, center, radius))
    {
        abut_sign_chains(run, range);
        return;
    }
    if (size <= SMALLEST_TILE)
    {
        abut_sign_gap(run, range);
        return;
    }
    AbutNodeRange part;
    for (int corner = 0; corner < 8; ++corner)
    {
        if (abut_range_part(range, corner, size / 2, &part))
        {
            sign_range(run, &part, size / 2);
        }
    }
}

/// Each node by its own foot, for pseudo-normals alone: they agree along a chain only where the surface is closed.
static void sign_by_feet(AbutSignRun* run, const AbutNodeRange* range)
{
    for (uint32_t i = 0; i < abut_range_total(range); ++i)
    {
        double point[3];
        uint32_t node[3];
        abut_range_node(range, i, node);
        abut_run_point(run, node, point);
        size_t place = abut_run_place(run, node);
        abut_run_set(run, place,
                     abut_signer_point(run->signer, point, run->job->nearest[place], true).inside);
    }
    abut_run_add(&run->looked_at, abut_range_total(range));
}

static void sign_tile(void* context, uint32_t tile, uint32_t worker)
{
    (void)worker;
    AbutSignRun* run = context;
    const uint32_t *count = run->tile_count, *node_count = run->job->grid.node_count;
    const uint32_t place[3] = { tile % count[0], tile / count[0] % count[1], tile / count[0] / count[1] };
    AbutNodeRange range;
    for (int i = 0; i < 3; ++i)
    {
        range.begin[i] = place[i] * ABUT_NODE_BLOCK;
        uint32_t left = node_count[i] - range.begin[i];
        range.end[i] = range.begin[i] + (left < ABUT_NODE_BLOCK ? left : ABUT_NODE_BLOCK);
    }
    if (run->signer->method == ABUT_SIGN_NORMALS && !run->signer->info.closed)
    {
        sign_by_feet(run, &range);
    }
    else
    {
        sign_range(run, &range, ABUT_NODE_BLOCK);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Jobs
// ---------------------------------------------------------------------------------------------------------------------

/// Error of distances in float, in parts of the largest coordinate.
static const double FLOAT_ERROR = 2e-6;

static void open_run(const AbutSigner* signer, const AbutSignJob* job, AbutSignRun* run)
{
    const AbutNodeGrid* grid = &job->grid;
    double largest = signer->reach;
    run->signer = signer;
    run->job = job;
    for (int i = 0; i < 3; ++i)
    {
        run->tile_count[i] = abut_block_count(grid->node_count[i], ABUT_NODE_BLOCK);
        double first = abut_node_coordinate(grid, i, 0),
               last = abut_node_coordinate(grid, i, grid->node_count[i]);
        largest = abut_larger(largest, abut_larger(fabs(first), fabs(last)));
    }
    double error = FLOAT_ERROR * largest;
    // Both distances and the places of both nodes may be off, and cracks are as good as surface.
    run->link = grid->cell_size * (1.0 + 1e-6) + 2.0 * error + 2.0 * signer->crack;
    run->touch_squared = error * error;
    atomic_init(&run->looked_at, 0);
    atomic_init(&run->winding_nodes, 0);
    atomic_init(&run->doubtful_nodes, 0);
}

static uint32_t tile_total(const AbutSignRun* run)
{
    return run->tile_count[0] * run->tile_count[1] * run->tile_count[2];
}

static void close_run(AbutSignRun* run, AbutSignCounts* counts)
{
    counts->looked_at += atomic_load(&run->looked_at);
    counts->winding_nodes += atomic_load(&run->winding_nodes);
    counts->doubtful_nodes += atomic_load(&run->doubtful_nodes);
}

AbutSignJob abut_sign_job(const AbutNodeGrid* grid, const uint32_t* nearest, float* squared)
{
    AbutSignJob job = { *grid, nearest, squared, NULL };
    return job;
}

void abut_sign_grid(const AbutSigner* signer, const AbutSignJob* job, const AbutHost* host,
                    AbutSignCounts* counts)
{
    AbutHost resolved = abut_host_resolve(host);
    AbutSignRun run;
    open_run(signer, job, &run);
    abut_parallel_for(&resolved, tile_total(&run), sign_tile, &run);
    close_run(&run, counts);
}

void abut_sign_nodes(const AbutSigner* signer, const AbutSignJob* job, AbutSignCounts* counts)
{
    AbutSignRun run;
    open_run(signer, job, &run);
    for (uint32_t tile = 0; tile < tile_total(&run); ++tile)
    {
        sign_tile(&run, tile, 0);
    }
    close_run(&run, counts);
}
