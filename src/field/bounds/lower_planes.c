#include "field/bounds/lower_planes.h"

#include "base/tasks.h"
#include "field/nodes/brick_nodes.h"

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
static void mean_slope(const BoxNodes* box, double slope[3])
{
    const double middle = 0.5 * ABUT_LOWER_PLANE_CELLS;
    // Squared offsets from the middle along an axis, summed over all nodes.
    const double squares = 10.0 * BOX_NODES * BOX_NODES;
    double sum[3] = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < BOX_NODES; ++k)
    {
        for (int j = 0; j < BOX_NODES; ++j)
        {
            for (int i = 0; i < BOX_NODES; ++i)
            {
                double value = box->value[k][j][i];
                sum[0] += (i - middle) * value;
                sum[1] += (j - middle) * value;
                sum[2] += (k - middle) * value;
            }
        }
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        slope[axis] = sum[axis] / squares;
    }
}

/// The minimum of the nodes less the linear part; NaN where a node is NaN.
static double least_over(const BoxNodes* box, const double slope[3])
{
    const double middle = 0.5 * ABUT_LOWER_PLANE_CELLS;
    double least = INFINITY;
    for (int k = 0; k < BOX_NODES; ++k)
    {
        for (int j = 0; j < BOX_NODES; ++j)
        {
            for (int i = 0; i < BOX_NODES; ++i)
            {
                double linear = slope[0] * (i - middle) + slope[1] * (j - middle) + slope[2] * (k - middle);
                double over = box->value[k][j][i] - linear;
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

static void store(const BoxNodes* box, uint8_t floor[ABUT_LOWER_PLANE_BYTES])
{
    double slope[3];
    mean_slope(box, slope);
    for (int axis = 0; axis < 3; ++axis)
    {
        // Any slope is valid, as c is computed for the stored one.
        int steps = to_steps(slope[axis] + 0.5 / ABUT_LOWER_PLANE_SLOPE, ABUT_LOWER_PLANE_SLOPE,
                             -ABUT_LOWER_PLANE_SLOPE, ABUT_LOWER_PLANE_SLOPE);
        floor[axis] = (uint8_t)(ABUT_LOWER_PLANE_ZERO + steps);
        slope[axis] = (double)steps / ABUT_LOWER_PLANE_SLOPE;
    }
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
