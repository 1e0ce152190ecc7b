#include "field/bounds/lower_planes.h"

#include "base/tasks.h"
#include "field/nodes/brick_nodes.h"
#include "math/dvec3.h"

#include <math.h>
#include <string.h>

enum
{
    BOX_NODES = ABUT_LOWER_PLANE_CELLS + 1, // along a side
    LOWEST = -127                           // step of c; the step below means no plane
};

/// Subtracted from c, in cells: the rounding of nodes in units of cells.
static const double ROUNDING = 1e-5;

static uint64_t leaf_total(const AbutFieldHeader* h)
{
    return h->sparse != 0 ? h->stored_brick_count
                          : (uint64_t)h->brick_count[0] * h->brick_count[1] * h->brick_count[2];
}

uint64_t abut_lower_planes_bytes(const AbutFieldHeader* header)
{
    bool has = header->has_octree != 0 && header->format != ABUT_FIELD_FIRST_ORDER;
    return has ? leaf_total(header) * ABUT_LOWER_PLANE_GROUP : 0;
}

const uint8_t* abut_lower_planes_data(void* block)
{
    const AbutFieldHeader* h = block;
    return h->sections[ABUT_FIELD_LOWER_PLANES].size > 0 ? abut_field_section(block, ABUT_FIELD_LOWER_PLANES)
                                                         : NULL;
}

/// The nodes of a box, in cells.
typedef struct BoxNodes
{
    double value[BOX_NODES][BOX_NODES][BOX_NODES]; // [z][y][x]
} BoxNodes;

static void load_box(const AbutBrickNodes* nodes, uint32_t child, BoxNodes* box)
{
    const uint32_t x = (child & 1u) * ABUT_LOWER_PLANE_CELLS, y = (child >> 1 & 1u) * ABUT_LOWER_PLANE_CELLS,
                   z = (child >> 2) * ABUT_LOWER_PLANE_CELLS;
    for (uint32_t k = 0; k < BOX_NODES; ++k)
    {
        for (uint32_t j = 0; j < BOX_NODES; ++j)
        {
            const float* row = nodes->value + ((z + k) * ABUT_BRICK_NODES + y + j) * ABUT_BRICK_NODES + x;
            for (uint32_t i = 0; i < BOX_NODES; ++i)
            {
                box->value[k][j][i] = row[i];
            }
        }
    }
}

/// The slope of the linear function nearest to the nodes in least squares.
static AbutDVec3 mean_slope(const BoxNodes* box)
{
    const double middle = 0.5 * ABUT_LOWER_PLANE_CELLS;
    // Squared offsets from the middle along an axis, summed over all nodes.
    const double squares = 10.0 * BOX_NODES * BOX_NODES;
    AbutDVec3 sum = abut_dvec3_zero();
    for (int k = 0; k < BOX_NODES; ++k)
    {
        for (int j = 0; j < BOX_NODES; ++j)
        {
            for (int i = 0; i < BOX_NODES; ++i)
            {
                AbutDVec3 offset = abut_dvec3(i - middle, j - middle, k - middle);
                sum = abut_dvec3_mul_add(sum, box->value[k][j][i], offset);
            }
        }
    }
    return abut_dvec3_div(sum, squares);
}

/// The minimum of the nodes less the linear part; NaN where a node is NaN.
static double least_over(const BoxNodes* box, AbutDVec3 slope)
{
    const double middle = 0.5 * ABUT_LOWER_PLANE_CELLS;
    double least = INFINITY;
    for (int k = 0; k < BOX_NODES; ++k)
    {
        for (int j = 0; j < BOX_NODES; ++j)
        {
            for (int i = 0; i < BOX_NODES; ++i)
            {
                AbutDVec3 offset = abut_dvec3(i - middle, j - middle, k - middle);
                double over = box->value[k][j][i] - abut_dvec3_dot(slope, offset);
                least = over < least || isnan(over) ? over : least;
            }
        }
    }
    return least;
}

static int to_steps(double value, double unit, double least, double most)
{
    double steps = floor(value * unit);
    return (int)(steps > least ? (steps < most ? steps : most) : least);
}

/// The stored slope nearest to a component.
static int slope_steps(double slope)
{
    return to_steps(slope + 0.5 / ABUT_LOWER_PLANE_SLOPE, ABUT_LOWER_PLANE_SLOPE, -ABUT_LOWER_PLANE_SLOPE,
                    ABUT_LOWER_PLANE_SLOPE);
}

static void store(const BoxNodes* box, uint8_t floor[ABUT_LOWER_PLANE_BYTES])
{
    // Any slope is valid, as c is computed for the stored one.
    AbutDVec3 mean = mean_slope(box);
    const int steps[3] = { slope_steps(mean.x), slope_steps(mean.y), slope_steps(mean.z) };
    floor[0] = (uint8_t)(ABUT_LOWER_PLANE_ZERO + steps[0]);
    floor[1] = (uint8_t)(ABUT_LOWER_PLANE_ZERO + steps[1]);
    floor[2] = (uint8_t)(ABUT_LOWER_PLANE_ZERO + steps[2]);
    AbutDVec3 slope = abut_dvec3_div(abut_dvec3(steps[0], steps[1], steps[2]), ABUT_LOWER_PLANE_SLOPE);
    double least = least_over(box, slope) - ROUNDING;
    if (!(least * ABUT_LOWER_PLANE_UNIT >= LOWEST))
    {
        memset(floor, ABUT_LOWER_PLANE_ZERO, ABUT_LOWER_PLANE_BYTES - 1);
        floor[ABUT_LOWER_PLANE_BYTES - 1] = 0;
        return;
    }
    floor[ABUT_LOWER_PLANE_BYTES - 1] =
        (uint8_t)(ABUT_LOWER_PLANE_ZERO + to_steps(least, ABUT_LOWER_PLANE_UNIT, LOWEST, -LOWEST));
}

static void fill_brick(void* context, uint32_t brick, uint32_t worker)
{
    (void)worker;
    void* block = context;
    const AbutFieldHeader* h = block;
    const uint32_t* slots = abut_field_section(block, ABUT_FIELD_SLOTS);
    uint32_t leaf = h->sparse != 0 ? slots[brick] : brick;
    if (leaf == ABUT_FIELD_NO_SLOT)
    {
        return;
    }
    uint8_t* group =
        (uint8_t*)abut_field_section(block, ABUT_FIELD_LOWER_PLANES) + (size_t)leaf * ABUT_LOWER_PLANE_GROUP;
    AbutBrickNodes nodes;
    abut_field_load_values(block, brick, &nodes);
    for (uint32_t child = 0; child < 8; ++child)
    {
        BoxNodes box;
        load_box(&nodes, child, &box);
        store(&box, group + (size_t)child * ABUT_LOWER_PLANE_BYTES);
    }
}

void abut_lower_planes_build(void* block, const AbutHost* host)
{
    const AbutFieldHeader* h = block;
    if (h->sections[ABUT_FIELD_LOWER_PLANES].size > 0)
    {
        abut_parallel_for(host, h->brick_count[0] * h->brick_count[1] * h->brick_count[2], fill_brick, block);
    }
}
