#include "narrow/nodes.h"

#include "field/brick_nodes.h"
#include "field/field.h"

#include <math.h>

/// The eight nodes of the cell of a field that a point is in.
typedef struct CellNodes
{
    double way[8][3]; // from each to the point, in cells
    double high[8];   // at most the distance there, in cells; infinite where none is kept
} CellNodes;

static CellNodes load_cell(const AbutPairSide* side, const double outer[3])
{
    AbutFieldHeader* h = abut_field_of(side->shape)->block;
    CellNodes nodes;
    double grid[3];
    uint32_t cell[3];
    abut_pair_to_grid(side, outer, grid);
    for (int axis = 0; axis < 3; ++axis)
    {
        double most = h->brick_count[axis] * (double)ABUT_BRICK_CELLS - 1.0;
        cell[axis] = (uint32_t)(grid[axis] > 0.0 ? (grid[axis] < most ? grid[axis] : most) : 0.0);
    }
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        const uint32_t place[3] = { cell[0] + (corner & 1u), cell[1] + (corner >> 1 & 1u),
                                    cell[2] + (corner >> 2) };
        double value = (double)abut_field_value_at(h, place);
        nodes.high[corner] =
            isnan(value) ? INFINITY : value + abut_field_value_error(h, fabs(value), h->cell_size);
        for (int axis = 0; axis < 3; ++axis)
        {
            nodes.way[corner][axis] = grid[axis] - place[axis];
        }
    }
    return nodes;
}

/// True when the solid of a side is proved to be at a point.
static bool is_inside(const AbutPairSide* side, const double outer[3])
{
    if (!side->is_field)
    {
        float x = (float)outer[0], y = (float)outer[1], z = (float)outer[2], distance;
        abut_shape_sample(side->shape, side->pose, (AbutPoints){ &x, &y, &z }, 1,
                          (AbutSamples){ .distance = &distance });
        return distance + side->error <= side->inflate;
    }
    CellNodes nodes = load_cell(side, outer);
    double rounding = (double)side->rounding / (double)side->cell_size;
    double inflate = (double)side->inflate / (double)side->cell_size;
    for (int i = 0; i < 8; ++i)
    {
        const double* way = nodes.way[i];
        double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        if (nodes.high[i] + (double)side->growth * (length + rounding) <= inflate)
        {
            return true;
        }
    }
    return false;
}

bool abut_pair_find_hit_node(const AbutPair* pair, AbutPairBatch* batch, size_t i)
{
    const double at[3] = { batch->at[0][i], batch->at[1][i], batch->at[2][i] };
    for (int number = 0; number < 2; ++number)
    {
        const AbutPairSide *side = &pair->sides[number], *other = &pair->sides[1 - number];
        if (!side->is_field || isfinite(abut_pair_field_error(side, batch, i)) == 0)
        {
            continue;
        }
        CellNodes nodes = load_cell(side, at);
        double rounding = (double)side->growth * (double)side->rounding / (double)side->cell_size;
        double inflate = (double)side->inflate / (double)side->cell_size;
        for (int k = 0; k < 8; ++k)
        {
            double way[3], node[3];
            abut_frame_rotate(&side->frame, nodes.way[k], way);
            for (int axis = 0; axis < 3; ++axis)
            {
                // Rounded as the batch keeps it.
                node[axis] = (float)(at[axis] - way[axis] * (double)side->cell_size);
            }
            if (nodes.high[k] + rounding <= inflate && is_inside(other, node))
            {
                for (int axis = 0; axis < 3; ++axis)
                {
                    batch->at[axis][i] = (float)node[axis];
                }
                return true;
            }
        }
    }
    return false;
}

bool abut_pair_is_sharp_hit(const AbutPair* pair, const AbutPairBatch* batch, size_t i)
{
    for (int number = 0; number < 2; ++number)
    {
        const AbutPairSide* side = &pair->sides[number];
        if (!side->is_field)
        {
            if (!(batch->distance[number][i] + side->error <= 0.0f))
            {
                return false;
            }
            continue;
        }
        const double outer[3] = { batch->at[0][i], batch->at[1][i], batch->at[2][i] };
        double inner[3];
        abut_frame_to_inner(&side->frame, outer, inner);
        AbutVec3 point = abut_vec3((float)inner[0], (float)inner[1], (float)inner[2]);
        float high = abut_field_point_bounds(side->shape, point).high * (float)side->frame.scale;
        if (!(high + side->rounding <= side->inflate))
        {
            return false;
        }
    }
    return true;
}
