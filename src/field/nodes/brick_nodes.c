#include "field/nodes/brick_nodes.h"

#include "base/assert.h"
#include "field/nodes/node.h"
#include "math/dvec3.h"
#include "math/rounding.h"

#include <math.h>
#include <string.h>

/// Half-diagonal of a cell, in cells.
static const double HALF_DIAGONAL = 0.86602540378443865;

// -----------------------------------------------------------------------------------------------------------
// Nodes
// -----------------------------------------------------------------------------------------------------------

/// The nodes of a brick in the NODES section: of the dense grid, of the stored brick or of the coarse level.
typedef struct BrickLayout
{
    size_t first, row, slab;
    uint32_t side;
} BrickLayout;

static BrickLayout brick_layout(void* block, uint32_t x, uint32_t y, uint32_t z)
{
    const AbutFieldHeader* h = block;
    size_t row = abut_field_level_nodes(h, 0), slab = row * abut_field_level_nodes(h, 1);
    if (h->sparse == 0)
    {
        return (BrickLayout){ (z * slab + y * row + x) * ABUT_BRICK_CELLS, row, slab, ABUT_BRICK_NODES };
    }
    const uint32_t* slots = abut_field_section(block, ABUT_FIELD_SLOTS);
    uint32_t slot = slots[((size_t)z * h->brick_count[1] + y) * h->brick_count[0] + x];
    if (slot == ABUT_FIELD_NO_SLOT)
    {
        return (BrickLayout){ z * slab + y * row + x, row, slab, 2 };
    }
    size_t first = slab * abut_field_level_nodes(h, 2) + (size_t)slot * ABUT_BRICK_NODE_TOTAL;
    return (BrickLayout){ first, ABUT_BRICK_NODES, (size_t)ABUT_BRICK_NODES * ABUT_BRICK_NODES,
                          ABUT_BRICK_NODES };
}

static BrickLayout layout_of(void* block, uint32_t brick)
{
    const AbutFieldHeader* h = block;
    uint32_t position[3];
    abut_brick_position(h->brick_count, brick, position);
    return brick_layout(block, position[0], position[1], position[2]);
}

static size_t row_start(const BrickLayout* layout, uint32_t row)
{
    ABUT_ASSERT(row < layout->side * layout->side);
    return layout->first + row / layout->side * layout->slab + row % layout->side * layout->row;
}

void abut_field_load_values(void* block, uint32_t brick, AbutBrickNodes* out)
{
    const AbutFieldHeader* h = block;
    const void* nodes = abut_field_section(block, ABUT_FIELD_NODES);
    BrickLayout layout = layout_of(block, brick);
    out->side = layout.side;
    out->cell_size = h->cell_size * (layout.side == 2 ? ABUT_BRICK_CELLS : 1);
    for (uint32_t row = 0; row < layout.side * layout.side; ++row)
    {
        abut_field_node_values(nodes, (AbutFieldFormat)h->format, out->cell_size, row_start(&layout, row),
                               layout.side, out->value + (size_t)row * layout.side);
    }
}

void abut_field_load_brick(void* block, uint32_t brick, AbutBrickNodes* out)
{
    const AbutFieldHeader* h = block;
    BrickLayout layout = layout_of(block, brick);
    abut_field_load_values(block, brick, out);
    if (h->format != ABUT_FIELD_FIRST_ORDER)
    {
        memset(out->gradient, 0, sizeof(out->gradient));
        memset(out->thin, 0, sizeof(out->thin));
        return;
    }
    for (uint32_t row = 0; row < layout.side * layout.side; ++row)
    {
        size_t to = (size_t)row * layout.side;
        abut_field_node_gradients(abut_field_section(block, ABUT_FIELD_NODES), row_start(&layout, row),
                                  layout.side, out->gradient[0] + to, out->gradient[1] + to,
                                  out->gradient[2] + to, out->thin + to);
    }
}

float abut_field_value_at(void* block, const uint32_t position[3])
{
    const AbutFieldHeader* h = block;
    if (h->sparse == 0 && h->format == ABUT_FIELD_F32) // the usual case
    {
        const float* values = abut_field_section(block, ABUT_FIELD_NODES);
        size_t row = abut_field_level_nodes(h, 0), slab = row * abut_field_level_nodes(h, 1);
        return values[position[2] * slab + position[1] * row + position[0]] * (float)(1.0 / h->cell_size);
    }
    uint32_t brick[3], cell[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        uint32_t at = position[axis] / ABUT_BRICK_CELLS;
        brick[axis] = at < h->brick_count[axis] ? at : h->brick_count[axis] - 1;
        cell[axis] = position[axis] - brick[axis] * ABUT_BRICK_CELLS;
    }
    BrickLayout layout = brick_layout(block, brick[0], brick[1], brick[2]);
    if (layout.side == 2)
    {
        return NAN;
    }
    size_t node = layout.first + cell[2] * layout.slab + cell[1] * layout.row + cell[0];
    float value;
    abut_field_node_values(abut_field_section(block, ABUT_FIELD_NODES), (AbutFieldFormat)h->format,
                           h->cell_size, node, 1, &value);
    return value;
}

/// The layout of the brick of a cell.
static BrickLayout cell_layout(void* block, const uint32_t cell[3])
{
    return brick_layout(block, cell[0] / ABUT_BRICK_CELLS, cell[1] / ABUT_BRICK_CELLS,
                        cell[2] / ABUT_BRICK_CELLS);
}

/// The lowest node of a cell, among all nodes.
static size_t lowest_node(const BrickLayout* layout, const uint32_t cell[3])
{
    return layout->first + cell[2] % ABUT_BRICK_CELLS * layout->slab +
           cell[1] % ABUT_BRICK_CELLS * layout->row + cell[0] % ABUT_BRICK_CELLS;
}

bool abut_field_cell_nodes(void* block, const uint32_t cell[3], AbutFieldNode nodes[8])
{
    const AbutFieldHeader* h = block;
    BrickLayout layout = cell_layout(block, cell);
    if (layout.side == 2)
    {
        return false;
    }
    size_t first = lowest_node(&layout, cell);
    for (size_t i = 0; i < 8; ++i)
    {
        size_t node = first + (i & 1) + (i >> 1 & 1) * layout.row + (i >> 2) * layout.slab;
        nodes[i] = abut_field_node(abut_field_section(block, ABUT_FIELD_NODES), (AbutFieldFormat)h->format,
                                   h->cell_size, node);
    }
    return true;
}

bool abut_field_cell_values(void* block, const uint32_t cell[3], float values[8])
{
    const AbutFieldHeader* h = block;
    BrickLayout layout = cell_layout(block, cell);
    if (layout.side == 2)
    {
        return false;
    }
    size_t first = lowest_node(&layout, cell);
    for (size_t row = 0; row < 4; ++row)
    {
        abut_field_node_values(abut_field_section(block, ABUT_FIELD_NODES), (AbutFieldFormat)h->format,
                               h->cell_size, first + row / 2 * layout.slab + row % 2 * layout.row, 2,
                               values + 2 * row);
    }
    return true;
}

float abut_field_coarse_value_at(void* block, const uint32_t position[3])
{
    const AbutFieldHeader* h = block;
    size_t row = abut_field_level_nodes(h, 0), slab = row * abut_field_level_nodes(h, 1);
    size_t node = (position[2] * slab + position[1] * row + position[0]) / ABUT_BRICK_CELLS;
    return abut_field_node(abut_field_section(block, ABUT_FIELD_NODES), (AbutFieldFormat)h->format,
                           h->cell_size * ABUT_BRICK_CELLS, node)
        .value;
}

int abut_field_coarse_side(void* block, uint32_t brick)
{
    const AbutFieldHeader* h = block;
    BrickLayout layout = layout_of(block, brick);
    int below = 0, above = 0;
    for (uint32_t row = 0; row < 4 && layout.side == 2; ++row)
    {
        float values[2];
        abut_field_node_values(abut_field_section(block, ABUT_FIELD_NODES), (AbutFieldFormat)h->format,
                               h->cell_size, row_start(&layout, row), 2, values);
        below += (values[0] < 0.0f) + (values[1] < 0.0f);
        above += (values[0] > 0.0f) + (values[1] > 0.0f);
    }
    return below == 8 ? -1 : (above == 8 ? 1 : 0);
}

/// Copies the nodes of a brick to a cube, at `offset` from its first node; NaN for nodes that are not stored.
static void copy_to_cube(void* block, const BrickLayout* layout, const int offset[3], float* cube)
{
    const AbutFieldHeader* h = block;
    const void* nodes = abut_field_section(block, ABUT_FIELD_NODES);
    for (uint32_t i = 0; i < ABUT_BRICK_NODES * ABUT_BRICK_NODES; ++i)
    {
        size_t z = (size_t)offset[2] + i / ABUT_BRICK_NODES, y = (size_t)offset[1] + i % ABUT_BRICK_NODES;
        float* row = cube + (z * ABUT_CUBE_SIDE + y) * ABUT_CUBE_SIDE + offset[0];
        if (layout->side == ABUT_BRICK_NODES)
        {
            abut_field_node_values(nodes, (AbutFieldFormat)h->format, h->cell_size, row_start(layout, i),
                                   ABUT_BRICK_NODES, row);
            continue;
        }
        for (int x = 0; x < ABUT_BRICK_NODES; ++x)
        {
            row[x] = NAN;
        }
    }
}

/// The 27 bricks of a cube: those without nodes first, so that nodes of shared faces of stored neighbours
/// remain.
static void copy_bricks(void* block, const uint32_t position[3], bool alone, bool stored, float* cube)
{
    const AbutFieldHeader* h = block;
    for (int i = 0; i < 27; ++i)
    {
        const int step[3] = { i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1 };
        uint32_t other[3];
        int offset[3];
        bool inside = !alone || i == 13;
        for (int axis = 0; axis < 3; ++axis)
        {
            other[axis] = position[axis] + (uint32_t)step[axis];
            inside = inside && other[axis] < h->brick_count[axis]; // −1 wraps around
            offset[axis] = ABUT_CUBE_MARGIN + ABUT_BRICK_CELLS * step[axis];
        }
        BrickLayout layout = { .side = 0 };
        if (inside)
        {
            layout = brick_layout(block, other[0], other[1], other[2]);
        }
        if ((layout.side == ABUT_BRICK_NODES) == stored)
        {
            copy_to_cube(block, &layout, offset, cube);
        }
    }
}

float abut_field_load_cube(void* block, uint32_t brick, bool alone, float* cube)
{
    const AbutFieldHeader* h = block;
    uint32_t position[3];
    abut_brick_position(h->brick_count, brick, position);
    copy_bricks(block, position, alone, false, cube);
    copy_bricks(block, position, alone, true, cube);
    float largest = 0.0f;
    for (size_t i = 0; i < ABUT_CUBE_TOTAL; ++i)
    {
        float size = fabsf(cube[i]);
        largest = size > largest ? size : largest; // NaN is not
    }
    return largest;
}

// -----------------------------------------------------------------------------------------------------------
// Bounds
// -----------------------------------------------------------------------------------------------------------

double abut_field_value_error(const AbutFieldHeader* header, double size, double cell_size)
{
    // A half float has eleven bits, and a fixed step under 2⁻¹⁴; order 1 has fifteen bits. The others have no
    // sizes under 2⁻⁶⁰ but 0.
    static const double steps[ABUT_FIELD_FORMAT_COUNT] = {
        [ABUT_FIELD_F32] = 0x1p-23,
        [ABUT_FIELD_F16] = 0x1p-11,
        [ABUT_FIELD_FIRST_ORDER] = 0x1p-15,
    };
    double rounding = size * steps[header->format] + (header->format == ABUT_FIELD_F16 ? 0x1p-25 : 0x1p-59);
    return (double)header->node_error / cell_size + rounding;
}

/// Slopes of the edges along each axis, at their lower nodes; without meaning where no edge begins.
typedef struct EdgeSlopes
{
    float along[3][ABUT_BRICK_NODE_TOTAL];
} EdgeSlopes;

static void order_0_edge_slopes(const AbutBrickNodes* nodes, size_t step, size_t count, float* out)
{
    const float* v = nodes->value;
    for (size_t i = 0; i < count; ++i)
    {
        out[i] = fabsf(v[i + step] - v[i]);
    }
}

/// The largest slope along an axis anywhere in the cells around an edge: v_b − v_a with v = f + ½ g·(x −
/// node) is linear in x. Along the edge both ends are half a cell from its middle; across it x is anywhere
/// within a cell to either side.
static void order_1_edge_slopes(const AbutBrickNodes* nodes, int axis, size_t step, size_t count, float* out)
{
    const float* v = nodes->value;
    const float *g = nodes->gradient[axis], *p = nodes->gradient[(axis + 1) % 3],
                *q = nodes->gradient[(axis + 2) % 3];
    for (size_t i = 0; i < count; ++i)
    {
        float low = fabsf(g[i]), high = fabsf(g[i + step]);
        float middle = fabsf(v[i + step] - v[i] - 0.25f * (g[i] + g[i + step]));
        float across = fabsf(p[i + step] - p[i]) + fabsf(q[i + step] - q[i]);
        float change = 0.25f * fabsf(g[i + step] - g[i]) + 0.5f * across;
        out[i] = middle + change + 0.5f * (low > high ? low : high);
    }
}

static void fill_edge_slopes(const AbutBrickNodes* nodes, bool first_order, EdgeSlopes* out)
{
    const size_t side = nodes->side;
    const size_t step[3] = { 1, side, side * side };
    for (int axis = 0; axis < 3; ++axis)
    {
        size_t count = side * side * side - step[axis];
        if (first_order)
        {
            order_1_edge_slopes(nodes, axis, step[axis], count, out->along[axis]);
        }
        else
        {
            order_0_edge_slopes(nodes, step[axis], count, out->along[axis]);
        }
    }
}

/// Squared, of the cell whose lowest node is `i`: along each axis the slope is an average of those of its
/// four edges.
static float squared_cell_slope(const EdgeSlopes* edges, size_t i, const size_t step[3])
{
    float squared = 0.0f;
    for (int axis = 0; axis < 3; ++axis)
    {
        size_t a = step[(axis + 1) % 3], b = step[(axis + 2) % 3];
        const float* along = edges->along[axis] + i;
        float most = along[0] > along[a] ? along[0] : along[a];
        most = along[b] > most ? along[b] : most;
        most = along[a + b] > most ? along[a + b] : most;
        squared += most * most;
    }
    return squared;
}

/// The steepest cell, within the rounding of the sums.
static double steepest(const AbutBrickNodes* nodes, bool first_order)
{
    EdgeSlopes edges;
    fill_edge_slopes(nodes, first_order, &edges);
    const size_t side = nodes->side;
    const size_t step[3] = { 1, side, side * side };
    float most = 0.0f;
    for (size_t row = 0; row < (side - 1) * (side - 1); ++row)
    {
        size_t first = row / (side - 1) * step[2] + row % (side - 1) * step[1];
        for (size_t x = 0; x + 1 < side; ++x)
        {
            float squared = squared_cell_slope(&edges, first + x, step);
            most = squared > most ? squared : most;
        }
    }
    return sqrt((double)most);
}

static double largest_gradient(const AbutBrickNodes* nodes)
{
    double squared = 0.0;
    for (size_t i = 0; i < (size_t)nodes->side * nodes->side * nodes->side; ++i)
    {
        double x = nodes->gradient[0][i], y = nodes->gradient[1][i], z = nodes->gradient[2][i];
        squared = abut_larger(squared, x * x + y * y + z * z);
    }
    return sqrt(squared);
}

static bool has_thin_nodes(const AbutBrickNodes* nodes)
{
    size_t count = (size_t)nodes->side * nodes->side * nodes->side;
    return memchr(nodes->thin, true, count * sizeof(bool)) != NULL;
}

/// The largest difference of gradients along an edge of an axis.
static double largest_gradient_change(const AbutBrickNodes* nodes, int axis)
{
    const size_t side = nodes->side, step = axis == 0 ? 1 : axis == 1 ? side : side * side;
    const float* gradient = nodes->gradient[axis];
    double most = 0.0;
    for (size_t i = 0; i + step < side * side * side; ++i)
    {
        most = abut_larger(most, fabs((double)gradient[i] - (double)gradient[i + step]));
    }
    return most;
}

/// Slope along one axis, of its own changes and the sum over all axes.
static double thin_slope_along(double own, double sum)
{
    return 0.5 * (own + 0.5 * (sum - own)) + 0.125 * sum;
}

/// Upper bound of the slope that thin nodes add. The blend is B + α C, C = Σ over axes of t (1 − t) · D, D
/// the difference of gradients along an edge; α is ½ without thin nodes and up to 1 with them, with a slope
/// of at most ½ per cell.
static double thin_slope(const AbutBrickNodes* nodes)
{
    double x = largest_gradient_change(nodes, 0), y = largest_gradient_change(nodes, 1),
           z = largest_gradient_change(nodes, 2), sum = x + y + z;
    return abut_dvec3_length(
        abut_dvec3(thin_slope_along(x, sum), thin_slope_along(y, sum), thin_slope_along(z, sum)));
}

AbutFieldBounds abut_field_bound_brick(void* block, uint32_t brick)
{
    const AbutFieldHeader* h = block;
    bool first_order = h->format == ABUT_FIELD_FIRST_ORDER;
    AbutBrickNodes nodes;
    abut_field_load_brick(block, brick, &nodes);
    float low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < (size_t)nodes.side * nodes.side * nodes.side; ++i)
    {
        low = nodes.value[i] < low ? nodes.value[i] : low;
        high = nodes.value[i] > high ? nodes.value[i] : high;
    }
    bool thin = first_order && has_thin_nodes(&nodes);
    double node_error =
        abut_field_value_error(h, fmax(fabs((double)low), fabs((double)high)), nodes.cell_size);
    double slack = (double)h->source_slope * HALF_DIAGONAL + node_error;
    // Order 1 adds at most half of each gradient (all of it at thin nodes) times the distance to the node,
    // averaged by the weights as the distance itself is.
    double error =
        first_order ? slack + (thin ? 1.0 : 0.5) * largest_gradient(&nodes) * HALF_DIAGONAL : slack;
    double slope = steepest(&nodes, first_order) + (thin ? thin_slope(&nodes) : 0.0);
    return (AbutFieldBounds){
        .low = -abut_round_up(-((double)low - slack) * nodes.cell_size),
        .high = abut_round_up(((double)high + slack) * nodes.cell_size),
        .error = abut_round_up(error * nodes.cell_size * (1.0 + 1e-6)),
        .slope = abut_round_up(slope * (1.0 + 1e-5)),
    };
}

AbutFieldBounds abut_field_uncertain_bounds(AbutFieldBounds bounds)
{
    float size = fmaxf(fabsf(bounds.low), fabsf(bounds.high));
    return (AbutFieldBounds){ -size, size, INFINITY, bounds.slope };
}
