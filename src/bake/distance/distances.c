// Distances without a field.
#include <abut/bake.h>

#include "bake/distance/grid.h"
#include "base/fp_env.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <float.h>
#include <math.h>

AbutBakeDistancesDef abut_bake_distances_def(void)
{
    return (AbutBakeDistancesDef){ .cell_size = 1.0 };
}

static double largest_coordinate(AbutBox box)
{
    const float all[6] = { box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z };
    float largest = 0.0f;
    for (int i = 0; i < 6; ++i)
    {
        largest = fmaxf(largest, fabsf(all[i]));
    }
    return largest;
}

static AbutResult make_grid(const AbutBakeDistancesDef* def, const AbutMesh* mesh, AbutNodeGrid* grid)
{
    *grid = (AbutNodeGrid){ .origin = { def->origin.x, def->origin.y, def->origin.z },
                            .cell_size = def->cell_size };
    double blocks = 1.0, largest = largest_coordinate(abut_mesh_bounds(mesh));
    for (int axis = 0; axis < 3; ++axis)
    {
        grid->node_count[axis] = def->node_count[axis];
        blocks *= abut_block_count(def->node_count[axis], ABUT_NODE_BLOCK);
        double last = grid->origin[axis] + def->cell_size * (double)def->node_count[axis];
        largest = fmax(largest, fmax(fabs(grid->origin[axis]), fabs(last)));
        if (!isfinite(last))
        {
            largest = INFINITY; // fmax() would drop a NaN
        }
    }
    if (!(def->cell_size > 0.0) || !(blocks >= 1.0) || !(blocks <= UINT32_MAX))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "distances: a grid of %u x %u x %u nodes, %g apart, is empty or too large",
                         def->node_count[0], def->node_count[1], def->node_count[2], def->cell_size);
    }
    // Squares of coordinates are compared, and they are floats.
    if (!(largest * largest < 0.01 * (double)FLT_MAX))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "distances: grid or mesh reach %g, which floats cannot square", largest);
    }
    return ABUT_OK;
}

enum
{
    ROOTS = 1 << 16 // nodes of a block
};

typedef struct Roots
{
    float* values;
    size_t count;
} Roots;

static void take_roots(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Roots* self = context;
    size_t begin = (size_t)block * ROOTS, end = begin + ROOTS < self->count ? begin + ROOTS : self->count;
    for (size_t i = begin; i < end; ++i)
    {
        self->values[i] = sqrtf(self->values[i]);
    }
}

AbutResult abut_bake_distances(const AbutBakeDistancesDef* def, const AbutMesh* mesh, float* distances)
{
    ABUT_FP_CALL(abut_bake_distances, def, mesh, distances);
    AbutNodeGrid grid;
    if (abut_mesh_triangle_count(mesh) == 0)
    {
        return abut_fail(ABUT_INVALID_DATA, "distances: the mesh has no triangles");
    }
    AbutResult result = make_grid(def, mesh, &grid);
    AbutHost host = abut_host_resolve(def->host);
    AbutTriangleGroups* groups = NULL;
    result = result == ABUT_OK ? abut_triangle_groups_create(mesh, &host, &groups) : result;
    result = result == ABUT_OK ? abut_distance_grid(groups, &grid, &host, distances, NULL) : result;
    if (result == ABUT_OK)
    {
        Roots roots = { distances, abut_node_total(&grid) };
        abut_parallel_for(&host, abut_block_count(roots.count, ROOTS), take_roots, &roots);
    }
    abut_triangle_groups_destroy(groups);
    return result;
}
