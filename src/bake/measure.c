#include "bake/measure.h"

#include "bake/source/shape_source.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "base/tasks.h"
#include "field/bounds/pyramid.h"
#include "field/field.h"
#include "field/mass.h"
#include "field/nodes/brick_nodes.h"

#include <math.h>

enum
{
    SAMPLED_BRICKS = 256, // at most; spread evenly over the bricks at the surface
    FEW_BRICKS = 16,      // that are sampled at least, where there are so many
    SAMPLED_DIVISOR = 8   // one brick in so many, so that measuring takes a small fraction of the bake
};

/// Errors of one brick.
typedef struct BrickErrors
{
    double largest, squares;
    uint32_t count;
    size_t finite; // points before the first one where the source is not
} BrickErrors;

typedef struct Measure
{
    AbutBuild* build;
    const AbutShape* field;
    uint32_t bricks[SAMPLED_BRICKS];
    BrickErrors errors[SAMPLED_BRICKS];
    uint32_t brick_count;
} Measure;

/// The grid of points inside the cells of a brick, one per cell, away from nodes: not the same in every
/// brick.
static AbutNodeGrid probe_grid(const AbutFieldHeader* h, uint32_t brick)
{
    uint32_t position[3];
    abut_brick_position(h->brick_count, brick, position);
    AbutNodeGrid grid = { .cell_size = h->cell_size };
    for (int axis = 0; axis < 3; ++axis)
    {
        double fraction = 0.25 * (1 + (brick >> axis) % 3);
        grid.origin[axis] =
            h->origin[axis] + h->cell_size * (ABUT_BRICK_CELLS * (double)position[axis] + fraction);
        grid.node_count[axis] = ABUT_BRICK_CELLS;
    }
    return grid;
}

static void measure_brick(void* context, uint32_t i, uint32_t worker)
{
    Measure* self = context;
    AbutBuild* build = self->build;
    AbutNodeGrid grid = probe_grid(&build->header, self->bricks[i]);
    AbutNodeSource field = abut_shape_source(self->field);
    BrickErrors* errors = &self->errors[i];
    AbutNodeValues* truth = abut_build_sample_distances(build, build->source, worker, &grid);
    AbutNodeValues* sampled =
        truth != NULL ? abut_build_sample_distances(build, &field, worker, &grid) : NULL;
    for (size_t n = 0; sampled != NULL && n < abut_node_total(&grid); ++n)
    {
        errors->finite += errors->finite == n && isfinite(truth->distance[n]) ? 1u : 0u;
        if (fabs((double)truth->distance[n]) <= 2.0 * build->header.cell_size)
        {
            double error = fabs((double)truth->distance[n] - (double)sampled->distance[n]);
            errors->largest = fmax(errors->largest, error);
            errors->squares += error * error;
            errors->count += 1;
        }
    }
    abut_scratch_release(sampled);
    abut_scratch_release(truth);
}

static bool is_near_surface(const AbutBuild* build, uint32_t brick)
{
    if (abut_field_coarse_side(build->block, brick) != 0)
    {
        return false;
    }
    AbutFieldBounds bounds = abut_field_brick_bounds(build->block, brick);
    return bounds.low <= 0.0f && bounds.high >= 0.0f;
}

static void choose_bricks(Measure* self)
{
    const AbutFieldHeader* h = &self->build->header;
    uint32_t total = h->brick_count[0] * h->brick_count[1] * h->brick_count[2], near_count = 0, seen = 0;
    for (uint32_t i = 0; i < total; ++i)
    {
        near_count += is_near_surface(self->build, i) ? 1u : 0u;
    }
    uint32_t most = near_count / SAMPLED_DIVISOR > FEW_BRICKS ? near_count / SAMPLED_DIVISOR : FEW_BRICKS;
    most = most < SAMPLED_BRICKS ? most : SAMPLED_BRICKS;
    for (uint32_t i = 0; i < total && self->brick_count < most; ++i)
    {
        if (is_near_surface(self->build, i) && (uint64_t)seen++ * most / near_count >= self->brick_count)
        {
            self->bricks[self->brick_count++] = i;
        }
    }
}

static void join_errors(Measure* self)
{
    BrickErrors sum = { 0 };
    for (uint32_t i = 0; i < self->brick_count; ++i)
    {
        sum.largest = fmax(sum.largest, self->errors[i].largest);
        sum.squares += self->errors[i].squares;
        sum.count += self->errors[i].count;
    }
    self->build->header.measured_max = (float)sum.largest;
    self->build->header.measured_rms = sum.count > 0 ? (float)sqrt(sum.squares / sum.count) : 0.0f;
}

/// Refuses a source that has no distance at a point between nodes.
static AbutResult check_points(Measure* self)
{
    for (uint32_t i = 0; i < self->brick_count; ++i)
    {
        AbutNodeGrid grid = probe_grid(&self->build->header, self->bricks[i]);
        size_t n = self->errors[i].finite, row = grid.node_count[0], slab = row * grid.node_count[1];
        if (n < abut_node_total(&grid))
        {
            return abut_fail(ABUT_INVALID_DATA,
                             "bake: the shape is not finite at (%g, %g, %g); distances are finite",
                             (double)abut_node_coordinate(&grid, 0, (uint32_t)(n % row)),
                             (double)abut_node_coordinate(&grid, 1, (uint32_t)(n / row % grid.node_count[1])),
                             (double)abut_node_coordinate(&grid, 2, (uint32_t)(n / slab)));
        }
    }
    return ABUT_OK;
}

static void keep_block(void* user, void* data, size_t size)
{
    (void)user; // the block stays the build's
    (void)data;
    (void)size;
}

AbutResult abut_build_measure(AbutBuild* build)
{
    // Sampling the field as a shape needs its slope, so the block gets a preliminary header.
    *(AbutFieldHeader*)build->block = build->header;
    AbutShape* field = NULL;
    AbutResult result = abut_field_create_with(build->block, keep_block, NULL, &build->host, &field);
    if (result != ABUT_OK)
    {
        return result;
    }
    Measure* self = abut_memory_allocate_zero(&build->host, 1, sizeof(Measure));
    if (self == NULL)
    {
        abut_shape_destroy(field);
        return ABUT_OUT_OF_MEMORY;
    }
    self->build = build;
    self->field = field;
    choose_bricks(self);
    abut_parallel_for(&build->host, self->brick_count, measure_brick, self);
    join_errors(self);
    result = (AbutResult)atomic_load(&build->result);
    result = result == ABUT_OK ? check_points(self) : result;
    abut_memory_free(&build->host, self, 1, sizeof(Measure));
    AbutMassData mass = { 0 };
    result = result == ABUT_OK ? abut_field_integrate(field, &build->host, &mass) : result;
    abut_field_pack_mass(&mass, build->header.mass);
    abut_shape_destroy(field);
    return result;
}
