// Bounds per brick. The true distance changes by at most the way that one goes, so over a cell it stays
// within half a diagonal of the nodes, and a blend of the nodes is never further from it than that (plus what
// the nodes' own rounding adds). TODO(#3): normal cones and convexity make the error of a cell several times
// smaller; see field_bounds in docs.
#include "bake/bounds.h"

#include "base/tasks.h"
#include "field/node.h"

#include <math.h>

/// Half of the diagonal of a cell, in cells.
static const double HALF_DIAGONAL = 0.86602540378443865;

typedef struct BrickNodes
{
    float value[ABUT_BRICK_NODE_TOTAL]; // in cells of the level
    float gradient[3][ABUT_BRICK_NODE_TOTAL];
    uint32_t side; // nodes along a side: 9, or 2 for a brick of the coarse level
    double cell_size;
    bool thin; // one of them is
} BrickNodes;

static void decode_node(const AbutBuild* build, size_t node, BrickNodes* out, size_t i)
{
    AbutFieldNode decoded = abut_field_node(abut_field_section(build->block, ABUT_FIELD_NODES),
                                            (AbutFieldFormat)build->header.format, out->cell_size, node);
    out->value[i] = decoded.value;
    out->thin = out->thin || decoded.thin;
    for (int axis = 0; axis < 3; ++axis)
    {
        out->gradient[axis][i] = decoded.gradient[axis];
    }
}

/// First node and steps along y and z of a brick's nodes, in the dense grid, the stored brick or the coarse
/// level.
static void load_brick(const AbutBuild* build, uint32_t x, uint32_t y, uint32_t z, BrickNodes* out)
{
    const AbutFieldHeader* h = &build->header;
    size_t row = abut_field_level_nodes(h, 0), slab = row * abut_field_level_nodes(h, 1);
    size_t first = (z * slab + y * row + x) * (h->sparse != 0 ? 1u : (size_t)ABUT_BRICK_CELLS);
    out->thin = false;
    out->side = ABUT_BRICK_NODES;
    out->cell_size = h->cell_size;
    if (h->sparse != 0)
    {
        const uint32_t* slots = abut_field_section(build->block, ABUT_FIELD_SLOTS);
        uint32_t slot = slots[(z * h->brick_count[1] + y) * h->brick_count[0] + x];
        if (slot == ABUT_FIELD_NO_SLOT)
        {
            out->side = 2;
            out->cell_size = h->cell_size * ABUT_BRICK_CELLS;
        }
        else
        {
            first = slab * abut_field_level_nodes(h, 2) + (size_t)slot * ABUT_BRICK_NODE_TOTAL;
            row = ABUT_BRICK_NODES;
            slab = (size_t)ABUT_BRICK_NODES * ABUT_BRICK_NODES;
        }
    }
    size_t i = 0;
    for (uint32_t k = 0; k < out->side; ++k)
    {
        for (uint32_t j = 0; j < out->side; ++j)
        {
            for (uint32_t l = 0; l < out->side; ++l, ++i)
            {
                decode_node(build, first + k * slab + j * row + l, out, i);
            }
        }
    }
}

/// Largest slope along an axis of an edge's blend, anywhere in the cells around it: the difference of its
/// nodes, and for order 1 how that difference changes with the nodes' gradients over a cell.
static double edge_slope(const BrickNodes* nodes, size_t a, size_t b, int axis, bool first_order)
{
    double difference = (double)nodes->value[b] - (double)nodes->value[a];
    if (!first_order)
    {
        return fabs(difference);
    }
    // v_b − v_a with v = f + ½ g·(x − node) is linear in x. Along the edge both ends are half a cell from its
    // middle; across it x is anywhere within a cell to either side.
    double middle = difference - 0.25 * ((double)nodes->gradient[axis][a] + (double)nodes->gradient[axis][b]);
    double change = 0.0, along = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        double turn = fabs((double)nodes->gradient[k][b] - (double)nodes->gradient[k][a]);
        change += k == axis ? 0.25 * turn : 0.5 * turn;
    }
    along = 0.5 * fmax(fabs((double)nodes->gradient[axis][a]), fabs((double)nodes->gradient[axis][b]));
    return fabs(middle) + change + along;
}

/// Slopes of the edges along each axis, at their lower nodes; 0 where no edge begins.
typedef struct EdgeSlopes
{
    double along[3][ABUT_BRICK_NODE_TOTAL];
} EdgeSlopes;

static void fill_edge_slopes(const BrickNodes* nodes, bool first_order, EdgeSlopes* out)
{
    const size_t side = nodes->side;
    const size_t step[3] = { 1, side, side * side };
    for (int axis = 0; axis < 3; ++axis)
    {
        for (size_t i = 0; i < side * side * side; ++i)
        {
            bool begins = i / step[axis] % side + 1 < side;
            out->along[axis][i] = begins ? edge_slope(nodes, i, i + step[axis], axis, first_order) : 0.0;
        }
    }
}

/// Of the cell whose lowest node is `i`: along each axis the slope is an average of those of its four edges.
static double cell_slope(const EdgeSlopes* edges, size_t i, size_t side)
{
    const size_t step[3] = { 1, side, side * side };
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        size_t a = step[(axis + 1) % 3], b = step[(axis + 2) % 3];
        const double* along = edges->along[axis];
        double most = fmax(fmax(along[i], along[i + a]), fmax(along[i + b], along[i + a + b]));
        squared += most * most;
    }
    return sqrt(squared);
}

static double steepest(const BrickNodes* nodes, bool first_order)
{
    EdgeSlopes edges;
    fill_edge_slopes(nodes, first_order, &edges);
    const size_t side = nodes->side;
    double most = 0.0;
    for (size_t z = 0; z + 1 < side; ++z)
    {
        for (size_t y = 0; y + 1 < side; ++y)
        {
            for (size_t x = 0; x + 1 < side; ++x)
            {
                most = fmax(most, cell_slope(&edges, (z * side + y) * side + x, side));
            }
        }
    }
    return most;
}

static float round_up(double value)
{
    float rounded = (float)value;
    return (double)rounded < value ? nextafterf(rounded, INFINITY) : rounded;
}

static double largest_gradient(const BrickNodes* nodes)
{
    double squared = 0.0;
    for (size_t i = 0; i < (size_t)nodes->side * nodes->side * nodes->side; ++i)
    {
        double x = nodes->gradient[0][i], y = nodes->gradient[1][i], z = nodes->gradient[2][i];
        squared = fmax(squared, x * x + y * y + z * z);
    }
    return sqrt(squared);
}

/// What thin nodes may add to the slope. With C = Σ wᵢ gᵢ·(x − xᵢ) they add up to ½ ∇C and C times the slope of the factor,
/// at most ½ along each axis; |C| is at most half a diagonal and each slope of C at most 4, for gradients of length 1.
static double thin_slope(const BrickNodes* nodes)
{
    const double root = 2.0 * HALF_DIAGONAL; // √3
    return nodes->thin ? (2.0 * root + 0.5 * root * HALF_DIAGONAL) * largest_gradient(nodes) : 0.0;
}

/// True when the sign is beyond doubt all over the brick and a cell around it.
static bool is_certain(const AbutBuild* build, uint32_t brick)
{
    const AbutFieldHeader* h = &build->header;
    const AbutNodeSource* source = build->source;
    if (source->is_certain == NULL)
    {
        return true;
    }
    const uint32_t place[3] = { brick % h->brick_count[0], brick / h->brick_count[0] % h->brick_count[1],
                                brick / h->brick_count[0] / h->brick_count[1] };
    double center[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        center[axis] = h->origin[axis] + h->cell_size * ABUT_BRICK_CELLS * (place[axis] + 0.5);
    }
    return source->is_certain(source->context, center, (ABUT_BRICK_CELLS + 2) * HALF_DIAGONAL * h->cell_size);
}

static void bound_brick(void* context, uint32_t brick, uint32_t worker)
{
    (void)worker;
    const AbutBuild* build = context;
    const AbutFieldHeader* h = &build->header;
    bool first_order = h->format == ABUT_FIELD_FIRST_ORDER;
    BrickNodes nodes;
    load_brick(build, brick % h->brick_count[0], brick / h->brick_count[0] % h->brick_count[1],
               brick / h->brick_count[0] / h->brick_count[1], &nodes);
    double low = INFINITY, high = -INFINITY, size = 0.0;
    for (size_t i = 0; i < (size_t)nodes.side * nodes.side * nodes.side; ++i)
    {
        low = fmin(low, nodes.value[i]);
        high = fmax(high, nodes.value[i]);
        size = fmax(size, fabs((double)nodes.value[i]));
    }
    // A half keeps eleven bits; under 2⁻¹⁴ it has a fixed step.
    double rounding = h->format == ABUT_FIELD_F32 ? size * 0x1p-23 : size * 0x1p-11 + 0x1p-25;
    double node_error = build->node_error / nodes.cell_size + rounding;
    double reach = build->slope * HALF_DIAGONAL + node_error;
    // Order 1 adds at most half of each gradient (all of it where nodes are thin) times the way to the node, which the weights average like
    // the way itself.
    double error =
        first_order ? (build->slope + (nodes.thin ? 1.0 : 0.5) * largest_gradient(&nodes)) * HALF_DIAGONAL +
                          node_error
                    : reach;
    if (!is_certain(build, brick))
    {
        // The size of the distance is bounded all the same; its sign is not.
        low = -size;
        high = size;
        error = INFINITY;
    }
    AbutFieldBounds* bounds = (AbutFieldBounds*)abut_field_section(build->block, ABUT_FIELD_PYRAMID) + brick;
    *bounds = (AbutFieldBounds){
        .low = -round_up(-(low - reach) * nodes.cell_size),
        .high = round_up((high + reach) * nodes.cell_size),
        .error = round_up(error * nodes.cell_size * (1.0 + 1e-6)),
        .slope = round_up((steepest(&nodes, first_order) + thin_slope(&nodes)) * (1.0 + 1e-5)),
    };
}

static AbutFieldBounds join(AbutFieldBounds a, AbutFieldBounds b)
{
    return (AbutFieldBounds){ fminf(a.low, b.low), fmaxf(a.high, b.high), fmaxf(a.error, b.error),
                              fmaxf(a.slope, b.slope) };
}

static void build_level(const AbutFieldBounds* below, const uint32_t count[3], AbutFieldBounds* level,
                        const uint32_t level_count[3])
{
    size_t i = 0;
    for (uint32_t z = 0; z < level_count[2]; ++z)
    {
        for (uint32_t y = 0; y < level_count[1]; ++y)
        {
            for (uint32_t x = 0; x < level_count[0]; ++x, ++i)
            {
                level[i] = below[((size_t)(2 * z) * count[1] + 2 * y) * count[0] + 2 * x];
                for (uint32_t corner = 1; corner < 8; ++corner)
                {
                    uint32_t cx = 2 * x + (corner & 1), cy = 2 * y + (corner >> 1 & 1),
                             cz = 2 * z + (corner >> 2);
                    if (cx < count[0] && cy < count[1] && cz < count[2])
                    {
                        level[i] = join(level[i], below[((size_t)cz * count[1] + cy) * count[0] + cx]);
                    }
                }
            }
        }
    }
}

static void build_pyramid(AbutBuild* build)
{
    AbutFieldHeader* h = &build->header;
    AbutFieldBounds* below = abut_field_section(build->block, ABUT_FIELD_PYRAMID);
    uint32_t count[3] = { h->brick_count[0], h->brick_count[1], h->brick_count[2] };
    for (uint32_t level = 1; level < h->level_count; ++level)
    {
        uint32_t level_count[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            level_count[axis] = (count[axis] + 1) / 2;
        }
        AbutFieldBounds* above = below + (size_t)count[0] * count[1] * count[2];
        build_level(below, count, above, level_count);
        below = above;
        for (int axis = 0; axis < 3; ++axis)
        {
            count[axis] = level_count[axis];
        }
    }
    h->slope = below[0].slope;
}

void abut_build_bounds(AbutBuild* build)
{
    const AbutFieldHeader* h = &build->header;
    abut_parallel_for(&build->host, h->brick_count[0] * h->brick_count[1] * h->brick_count[2], bound_brick,
                      build);
    build_pyramid(build);
}
