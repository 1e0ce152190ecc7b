#include "bake/sign/jobs.h"

#include "bake/sign/chain.h"
#include "bake/sign/gap_winding.h"
#include "bake/sign/point_sign.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "mesh/corners.h"

enum
{
    SMALLEST_TILE = 4, // smaller tiles are not tested for a certain sign
};

static void sign_range(AbutSignState* state, const AbutNodeRange* range, uint32_t size)
{
    AbutNodeBall ball = abut_node_range_ball(&state->job->grid, range);
    if (abut_sign_classifier_is_certain(state->classifier, ball.center, ball.radius))
    {
        abut_sign_chains(state, range);
        return;
    }
    if (size <= SMALLEST_TILE)
    {
        abut_sign_gap(state, range);
        return;
    }
    AbutNodeRange octant;
    for (int corner = 0; corner < 8; ++corner)
    {
        if (abut_node_range_octant(range, corner, size / 2, &octant))
        {
            sign_range(state, &octant, size / 2);
        }
    }
}

/// Each node by its own foot, for pseudo-normals alone: they agree along a chain only where the surface is
/// closed.
static void sign_by_feet(AbutSignState* state, const AbutNodeRange* range)
{
    for (uint32_t i = 0; i < abut_node_range_total(range); ++i)
    {
        uint32_t node[3];
        abut_node_range_node(range, i, node);
        size_t index = abut_sign_node_index(state, node);
        const AbutSignPoint point = { abut_sign_node_point(state, node), state->job->nearest[index],
                                      .use_sides = true };
        abut_sign_set_inside(state, index, abut_sign_classifier_point(state->classifier, &point).inside);
    }
    abut_sign_add(&state->evaluated, abut_node_range_total(range));
}

static void sign_tile(void* context, uint32_t tile, uint32_t worker)
{
    (void)worker;
    AbutSignState* state = context;
    const uint32_t *count = state->tile_count, *node_count = state->job->grid.node_count;
    const uint32_t index[3] = { tile % count[0], tile / count[0] % count[1], tile / count[0] / count[1] };
    AbutNodeRange range;
    for (int i = 0; i < 3; ++i)
    {
        range.begin[i] = index[i] * ABUT_NODE_BLOCK;
        uint32_t left = node_count[i] - range.begin[i];
        range.end[i] = range.begin[i] + (left < ABUT_NODE_BLOCK ? left : ABUT_NODE_BLOCK);
    }
    if (state->classifier->method == ABUT_SIGN_PSEUDO_NORMALS && !state->classifier->info.closed)
    {
        sign_by_feet(state, &range);
    }
    else
    {
        sign_range(state, &range, ABUT_NODE_BLOCK);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Jobs
// -----------------------------------------------------------------------------------------------------------

/// Error of distances in float, relative to the largest coordinate.
static const double FLOAT_ERROR = 2e-6;

static void begin_state(const AbutSignClassifier* classifier, const AbutSignJob* job, AbutSignState* state)
{
    const AbutNodeGrid* grid = &job->grid;
    double largest = classifier->largest_coordinate;
    state->classifier = classifier;
    state->job = job;
    for (int i = 0; i < 3; ++i)
    {
        state->tile_count[i] = abut_block_count(grid->node_count[i], ABUT_NODE_BLOCK);
        double first = abut_node_coordinate(grid, i, 0),
               last = abut_node_coordinate(grid, i, grid->node_count[i]);
        largest = abut_larger(largest, abut_larger(fabs(first), fabs(last)));
    }
    double error = FLOAT_ERROR * largest;
    // Both distances and the positions of both nodes have errors, and cracks count as surface.
    state->link = grid->cell_size * (1.0 + 1e-6) + 2.0 * error + 2.0 * classifier->crack;
    state->touch_squared = error * error;
    atomic_init(&state->evaluated, 0);
    atomic_init(&state->winding_nodes, 0);
    atomic_init(&state->uncertain_nodes, 0);
}

static uint32_t tile_total(const AbutSignState* state)
{
    return state->tile_count[0] * state->tile_count[1] * state->tile_count[2];
}

static void end_state(AbutSignState* state, AbutSignCounts* counts)
{
    counts->evaluated += atomic_load(&state->evaluated);
    counts->winding_nodes += atomic_load(&state->winding_nodes);
    counts->uncertain_nodes += atomic_load(&state->uncertain_nodes);
}

AbutSignJob abut_sign_job(const AbutNodeGrid* grid, const uint32_t* nearest, float* squared)
{
    AbutSignJob job = { *grid, nearest, squared, NULL };
    return job;
}

void abut_sign_grid(const AbutSignClassifier* classifier, const AbutSignJob* job, const AbutHost* host,
                    AbutSignCounts* counts)
{
    AbutHost resolved = abut_host_resolve(host);
    AbutSignState state;
    begin_state(classifier, job, &state);
    abut_parallel_for(&resolved, tile_total(&state), sign_tile, &state);
    end_state(&state, counts);
}

void abut_sign_nodes(const AbutSignClassifier* classifier, const AbutSignJob* job, AbutSignCounts* counts)
{
    AbutSignState state;
    begin_state(classifier, job, &state);
    for (uint32_t tile = 0; tile < tile_total(&state); ++tile)
    {
        sign_tile(&state, tile, 0);
    }
    end_state(&state, counts);
}
