#include "bake/build/node_fault.h"

#include "base/scratch.h"

#include <math.h>

// A fault is one number, the smallest of which counts: the index of the node in the finest grid, then the
// kind of fault, then the distance of its neighbours in cells.
enum
{
    STEP_BITS = 2, // 0: 1 cell, 1: 4 cells, 2: 8 cells
    KIND_BITS = 2, // 0: the value, 1 to 3: the change from the node before along x, y or z
    BAD_VALUE = 0
};

/// Rounding of differences of neighbours, relative to values and coordinates.
static const double ROUNDING = 1e-6;

/// Distances between nodes are 1, 4 or 8 cells.
static uint32_t step_code(const AbutBuild* build, const AbutNodeGrid* block)
{
    double cells = block->cell_size / build->header.cell_size;
    return cells > 6.0 ? 2 : (cells > 2.0 ? 1 : 0);
}

static uint32_t step_of_code(uint64_t code)
{
    return code == 0 ? 1u : 4u * (uint32_t)code;
}

static void record_fault(AbutBuild* build, const AbutNodeGrid* block, size_t i, uint64_t kind)
{
    const uint32_t* count = block->node_count;
    const uint64_t at[3] = { i % count[0], i / count[0] % count[1], i / count[0] / count[1] };
    uint64_t code = step_code(build, block), number = 0;
    for (int axis = 2; axis >= 0; --axis)
    {
        uint64_t nodes = (uint64_t)build->header.brick_count[axis] * ABUT_BRICK_CELLS + 1;
        number = number * nodes + (block->begin[axis] + at[axis]) * step_of_code(code);
    }
    // Plus one: 0 stands for none.
    uint64_t fault = ((number << KIND_BITS | kind) << STEP_BITS | code) + 1,
             least = atomic_load(&build->fault);
    while ((least == 0 || fault < least) && !atomic_compare_exchange_weak(&build->fault, &least, fault))
    {
    }
}

// -----------------------------------------------------------------------------------------------------------
// Blocks
// -----------------------------------------------------------------------------------------------------------

/// The largest value that the format holds. Probes are not kept in it.
static float largest_value(const AbutBuild* build, uint32_t code)
{
    const AbutFieldHeader* h = &build->header;
    bool halves = h->format == ABUT_FIELD_F16 && code != 1;
    double most = halves ? 65504.0 * step_of_code(code) : (double)ABUT_FIELD_MAX_CELLS;
    return (float)fmin(most * h->cell_size, 3e38);
}

static void check_values(AbutBuild* build, const AbutNodeGrid* block, const float* distance)
{
    const float most = largest_value(build, step_code(build, block));
    size_t total = abut_node_total(block);
    int bad = 0;
    for (size_t i = 0; i < total; ++i)
    {
        bad |= !(fabsf(distance[i]) <= most);
    }
    for (size_t i = 0; i < total && bad != 0; ++i)
    {
        if (!(fabsf(distance[i]) <= most))
        {
            record_fault(build, block, i, BAD_VALUE);
            return;
        }
    }
}

/// Largest difference of values at neighbouring nodes, without the rounding of the values.
static float largest_change(const AbutBuild* build, const AbutNodeGrid* block)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double size = block->cell_size * (block->begin[axis] + (double)block->node_count[axis]);
        largest = fmax(largest, fabs(block->origin[axis]) + size);
    }
    double change = build->slope * (block->cell_size + ROUNDING * largest) * (1.0 + ROUNDING);
    return (float)fmin(change + 2.0 * build->node_error, 3e38);
}

static bool is_steep(float a, float b, float most)
{
    return !(fabsf(a - b) <= most + (float)ROUNDING * (fabsf(a) + fabsf(b)));
}

static bool any_steep(const float* distance, size_t step, size_t end, float most)
{
    int steep = 0; // no branches: compilers use lanes
    for (size_t i = step; i < end; ++i)
    {
        steep |= is_steep(distance[i], distance[i - step], most);
    }
    return steep != 0;
}

/// Each node with the one before it along an axis, `step` before it in the block.
static void check_axis(AbutBuild* build, const AbutNodeGrid* block, const float* distance, int axis,
                       float most)
{
    const uint32_t* count = block->node_count;
    size_t step = axis == 0 ? 1 : (axis == 1 ? count[0] : (size_t)count[0] * count[1]);
    size_t lines = step * count[axis], total = abut_node_total(block); // side by side, then the next ones
    for (size_t first = 0; first < total; first += lines)
    {
        size_t end = any_steep(distance + first, step, lines, most) ? lines : 0;
        for (size_t i = step; i < end; ++i)
        {
            if (is_steep(distance[first + i], distance[first + i - step], most))
            {
                record_fault(build, block, first + i, 1u + (uint64_t)axis);
                return;
            }
        }
    }
}

void abut_build_check_block(AbutBuild* build, const AbutNodeGrid* block, const float* distance)
{
    check_values(build, block, distance);
    if (build->source->is_continuous && isfinite(build->slope))
    {
        float most = largest_change(build, block);
        check_axis(build, block, distance, 0, most);
        check_axis(build, block, distance, 1, most);
        check_axis(build, block, distance, 2, most);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Messages
// -----------------------------------------------------------------------------------------------------------

/// One node of the finest grid, sampled again.
static float sample_node(AbutBuild* build, const uint32_t at[3], AbutVec3* point)
{
    AbutNodeGrid grid = { .cell_size = build->header.cell_size };
    for (int axis = 0; axis < 3; ++axis)
    {
        grid.origin[axis] = build->header.origin[axis];
        grid.begin[axis] = at[axis];
        grid.node_count[axis] = 1;
    }
    *point = abut_vec3(abut_node_coordinate(&grid, 0, 0), abut_node_coordinate(&grid, 1, 0),
                       abut_node_coordinate(&grid, 2, 0));
    AbutNodeValues* values = abut_build_sample_distances(build, build->source, 0, &grid);
    float distance = values != NULL ? values->distance[0] : NAN;
    abut_scratch_release(values);
    return distance;
}

static AbutResult fail_value(float value, AbutVec3 p, bool halves)
{
    if (!isfinite(value))
    {
        return abut_fail(ABUT_INVALID_DATA, "bake: the shape is %g at (%g, %g, %g); distances are finite",
                         (double)value, (double)p.x, (double)p.y, (double)p.z);
    }
    return abut_fail(ABUT_INVALID_DATA,
                     "bake: the shape is %g at (%g, %g, %g), which is too many cells for %s", (double)value,
                     (double)p.x, (double)p.y, (double)p.z,
                     halves ? "f16; use f32, or larger cells" : "a field; use larger cells");
}

static AbutResult fail_node(AbutBuild* build, uint64_t fault)
{
    uint64_t code = fault & 3u, kind = fault >> STEP_BITS & 3u, number = fault >> (STEP_BITS + KIND_BITS);
    uint32_t at[3];
    AbutVec3 p, q;
    for (int axis = 0; axis < 3; ++axis)
    {
        uint64_t nodes = (uint64_t)build->header.brick_count[axis] * ABUT_BRICK_CELLS + 1;
        at[axis] = (uint32_t)(number % nodes);
        number /= nodes;
    }
    float value = sample_node(build, at, &p);
    if (kind == BAD_VALUE)
    {
        return fail_value(value, p, build->header.format == ABUT_FIELD_F16);
    }
    at[kind - 1] -= step_of_code(code);
    float before = sample_node(build, at, &q);
    return abut_fail(
        ABUT_INVALID_DATA,
        "bake: the shape is %g at (%g, %g, %g) and %g at (%g, %g, %g), which is steeper than the slope "
        "of %g that it declares",
        (double)before, (double)q.x, (double)q.y, (double)q.z, (double)value, (double)p.x, (double)p.y,
        (double)p.z, build->slope);
}

bool abut_build_check_nodes(AbutBuild* build)
{
    uint64_t fault = atomic_load(&build->fault);
    return abut_build_record_result(
        build, fault == 0 || atomic_load(&build->result) != ABUT_OK ? ABUT_OK : fail_node(build, fault - 1));
}
