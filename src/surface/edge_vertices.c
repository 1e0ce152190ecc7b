// The position of each vertex on its edge. All roots of a block are narrowed together, so that the shape is
// sampled at many points at once.
#include "surface/edge_vertices.h"

#include "mesh/mesh.h"
#include "surface/node_signs.h"

enum
{
    SECANT_STEPS = 4,              // enough for smooth shapes; the rest are creases and bisected
    MAX_STEPS = SECANT_STEPS + 15, // 2¹⁴ > 1 / ABUT_SURFACE_CLEARANCE, and one for the rounding of the halves
};

static float clamp(double value, double low, double high)
{
    return (float)(value < low ? low : value > high ? high : value);
}

/// A vertex between the box and the layer around it is on the face of the box, at the node. Where faces meet,
/// the node would get a vertex for each: there they are a nudge away from the other faces, still on their
/// own.
static AbutVec3 side_vertex(const AbutSurfaceGrid* grid, const uint32_t node[3], int edge_axis)
{
    float p[3];
    for (int i = 0; i < 3; ++i)
    {
        const AbutSurfaceAxis* axis = &grid->axes[i];
        p[i] = axis->nodes[node[i]];
        if (i != edge_axis && node[i] == 1)
        {
            p[i] = (float)((double)p[i] + (double)axis->nudge);
        }
        if (i != edge_axis && node[i] == axis->cell_count + 1)
        {
            p[i] = (float)((double)p[i] - (double)axis->nudge);
        }
    }
    return abut_vec3(p[0], p[1], p[2]);
}

static AbutSurfaceRoot make_root(const AbutSurfaceGrid* grid, const uint32_t node[3], int axis,
                                 uint16_t vertex, bool low_inside)
{
    AbutSurfaceRoot root = { .vertex = vertex,
                             .axis = (uint8_t)axis,
                             .low_inside = low_inside,
                             .start = { grid->axes[0].nodes[node[0]], grid->axes[1].nodes[node[1]],
                                        grid->axes[2].nodes[node[2]] } };
    root.end = grid->axes[axis].nodes[node[axis] + 1];
    root.low = root.start[axis];
    root.high = root.end;
    return root;
}

/// Writes the vertices on the faces of the box and lists the others as roots. Returns the count of roots.
static uint32_t list_vertices(const AbutSurfaceExtraction* extraction, const AbutSurfaceBlock* block,
                              AbutSurfaceScratch* scratch)
{
    AbutVec3* vertices = extraction->mesh->vertices + block->first_vertex;
    uint16_t vertex = 0;
    uint32_t root_count = 0;
    for (int row = 0; row < ABUT_BLOCK_CELLS * ABUT_BLOCK_CELLS; ++row)
    {
        const int y = row % ABUT_BLOCK_CELLS, z = row / ABUT_BLOCK_CELLS;
        for (int axis = 0; axis < 3; ++axis)
        {
            for (unsigned bits = abut_surface_crossed(block, axis, y, z); bits != 0;
                 bits &= bits - 1, ++vertex)
            {
                const unsigned x = abut_surface_lowest_bit(bits);
                uint32_t node[3];
                for (int i = 0; i < 3; ++i)
                {
                    const unsigned offset = i == 0 ? x : (unsigned)(i == 1 ? y : z);
                    node[i] = abut_surface_key_coordinate(block->key, i) * ABUT_BLOCK_CELLS + offset;
                }
                const AbutSurfaceAxis* along = &extraction->grid.axes[axis];
                if (abut_surface_axis_has(along, node[axis]) && abut_surface_axis_has(along, node[axis] + 1))
                {
                    const bool low_inside = (block->rows[ABUT_BLOCK_NODES * z + y] >> x & 1u) != 0;
                    scratch->roots[root_count++] =
                        make_root(&extraction->grid, node, axis, vertex, low_inside);
                }
                else
                {
                    node[axis] += abut_surface_axis_has(along, node[axis]) ? 0 : 1;
                    vertices[vertex] = side_vertex(&extraction->grid, node, axis);
                }
            }
        }
    }
    return root_count;
}

static void set_point(AbutSurfaceScratch* scratch, size_t i, const AbutSurfaceRoot* root, float along)
{
    scratch->x[i] = root->axis == 0 ? along : root->start[0];
    scratch->y[i] = root->axis == 1 ? along : root->start[1];
    scratch->z[i] = root->axis == 2 ? along : root->start[2];
}

/// Samples both ends of all edges. False for an error: NaN, or a sign that differs from the first sample of
/// the node.
static bool sample_ends(const AbutSurfaceExtraction* extraction, uint32_t count, uint32_t number,
                        AbutSurfaceScratch* scratch)
{
    for (int end = 0; end < 2; ++end)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            const AbutSurfaceRoot* root = &scratch->roots[i];
            set_point(scratch, i, root, end == 0 ? root->low : root->high);
        }
        if (!abut_surface_sample(extraction, count, number, scratch))
        {
            return false;
        }
        for (uint32_t i = 0; i < count; ++i)
        {
            AbutSurfaceRoot* root = &scratch->roots[i];
            *(end == 0 ? &root->low_value : &root->high_value) =
                (double)scratch->value[i] - (double)extraction->iso;
            if ((scratch->value[i] <= extraction->iso) != (root->low_inside == (end == 0)))
            {
                abut_surface_record_error(scratch, ABUT_SURFACE_ERROR_INCONSISTENT, number,
                                          abut_vec3(scratch->x[i], scratch->y[i], scratch->z[i]));
                return false;
            }
        }
    }
    return true;
}

/// The root of the line through the values of both ends; the middle when a value is infinite.
static double secant(const AbutSurfaceRoot* root)
{
    const double low = root->low, high = root->high;
    const double s = low + (high - low) * (root->low_value / (root->low_value - root->high_value));
    return s >= low && s <= high ? s : 0.5 * (low + high);
}

/// The next sample. A secant ends so near to the root that it would move one end of the interval only; half a
/// tolerance further, the next sample is on the other side of the root, and the interval shrinks from both
/// ends.
static float next_point(const AbutSurfaceRoot* root, double tolerance, int step)
{
    const double low = root->low, high = root->high;
    if (step >= SECANT_STEPS)
    {
        return (float)(0.5 * (low + high));
    }
    double s = secant(root);
    s += s - low < high - s ? 0.5 * tolerance : -0.5 * tolerance;
    return clamp(s, low + 0.25 * tolerance, high - 0.25 * tolerance);
}

static double tolerance_of(const AbutSurfaceExtraction* extraction, const AbutSurfaceRoot* root)
{
    return 4.0 * (double)extraction->grid.axes[root->axis].nudge;
}

/// Narrows all roots to the tolerance. False for an error.
static bool narrow(const AbutSurfaceExtraction* extraction, uint32_t count, uint32_t number,
                   AbutSurfaceScratch* scratch)
{
    uint32_t open_count = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        scratch->open[i] = (uint16_t)i;
    }
    for (int step = 0; step < MAX_STEPS && open_count > 0; ++step)
    {
        for (uint32_t i = 0; i < open_count; ++i)
        {
            const AbutSurfaceRoot* root = &scratch->roots[scratch->open[i]];
            set_point(scratch, i, root, next_point(root, tolerance_of(extraction, root), step));
        }
        if (!abut_surface_sample(extraction, open_count, number, scratch))
        {
            return false;
        }
        uint32_t still_open = 0;
        for (uint32_t i = 0; i < open_count; ++i)
        {
            AbutSurfaceRoot* root = &scratch->roots[scratch->open[i]];
            const float along = root->axis == 0   ? scratch->x[i]
                                : root->axis == 1 ? scratch->y[i]
                                                  : scratch->z[i];
            const bool is_low = (scratch->value[i] <= extraction->iso) == root->low_inside;
            *(is_low ? &root->low : &root->high) = along;
            *(is_low ? &root->low_value : &root->high_value) =
                (double)scratch->value[i] - (double)extraction->iso;
            if ((double)root->high - (double)root->low > tolerance_of(extraction, root))
            {
                scratch->open[still_open++] = scratch->open[i];
            }
        }
        open_count = still_open;
    }
    return true;
}

/// The position of a root, kept away from the nodes so that no two vertices coincide.
static AbutVec3 root_vertex(const AbutSurfaceExtraction* extraction, const AbutSurfaceRoot* root)
{
    const double clearance = tolerance_of(extraction, root);
    float p[3] = { root->start[0], root->start[1], root->start[2] };
    p[root->axis] =
        clamp(secant(root), (double)root->start[root->axis] + clearance, (double)root->end - clearance);
    return abut_vec3(p[0], p[1], p[2]);
}

static void compute_block(AbutSurfaceExtraction* extraction, uint32_t number, AbutSurfaceScratch* scratch)
{
    const AbutSurfaceBlock* block = &extraction->blocks.items[number];
    const uint32_t count = list_vertices(extraction, block, scratch);
    if (!sample_ends(extraction, count, number, scratch) || !narrow(extraction, count, number, scratch))
    {
        return;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        extraction->mesh->vertices[block->first_vertex + scratch->roots[i].vertex] =
            root_vertex(extraction, &scratch->roots[i]);
    }
}

AbutResult abut_surface_compute_vertices(AbutSurfaceExtraction* extraction)
{
    return abut_surface_for_blocks(extraction, compute_block, 0, ABUT_SURFACE_CLOSE_END,
                                   ABUT_SURFACE_VERTICES_END);
}
