#include "narrow/prove/node_proof.h"

#include "field/field.h"
#include "field/nodes/brick_nodes.h"

#include <math.h>
#include <string.h>

/// The eight nodes of the cell of a field around a point.
typedef struct CellNodes
{
    AbutDVec3 offset[8]; // from each to the point, in cells
    double high[8];      // upper bounds of the distance there, in cells
} CellNodes;

/// False where the field stores no nodes.
static bool load_cell(const AbutPairSide* side, AbutDVec3 grid, const uint32_t cell[3], CellNodes* out)
{
    AbutFieldHeader* h = abut_field_of(side->shape)->block;
    float values[8];
    if (!abut_field_cell_values(h, cell, values))
    {
        return false;
    }
    // The error is a constant, and a term in proportion to the size.
    double error = abut_field_value_error(h, 0.0, h->cell_size);
    double relative = abut_field_value_error(h, 1.0, h->cell_size) - error;
    for (uint32_t i = 0; i < 8; ++i)
    {
        double value = (double)values[i];
        out->high[i] = value + (error + 1.0000001 * relative * fabs(value));
        out->offset[i] =
            abut_dvec3_sub(grid, abut_dvec3(cell[0] + (i & 1u), cell[1] + (i >> 1 & 1u), cell[2] + (i >> 2)));
    }
    return true;
}

/// True when a point is proved to be in the solid of a side.
static bool is_inside(const AbutPairSide* side, AbutVec3 outer)
{
    if (!side->is_field)
    {
        float distance;
        abut_pair_side_sample(side, (AbutPoints){ &outer.x, &outer.y, &outer.z }, 1,
                              (AbutSamples){ .distance = &distance });
        float error = side->local_error ? abut_pair_local_error(side, outer) : side->error;
        return distance + error <= side->inflate;
    }
    CellNodes nodes;
    AbutDVec3 grid = abut_pair_to_grid(side, abut_dvec3_from_vec3(outer));
    uint32_t cell[3];
    abut_pair_cell_at(side, grid, cell);
    bool known = load_cell(side, grid, cell, &nodes);
    double rounding = (double)side->rounding / (double)side->cell_size;
    double inflate = (double)side->inflate / (double)side->cell_size;
    for (int i = 0; i < 8 && known; ++i)
    {
        double length = abut_dvec3_length(nodes.offset[i]);
        if (nodes.high[i] + (double)side->growth * (length + rounding) <= inflate)
        {
            return true;
        }
    }
    return false;
}

/// True when a node of the cell of a side around a point is proved to be in both solids.
static bool try_cell(const AbutPair* pair, int number, AbutDVec3 at, AbutDVec3 grid, const uint32_t cell[3],
                     AbutVec3* hit)
{
    const AbutPairSide *side = &pair->sides[number], *other = &pair->sides[1 - number];
    CellNodes nodes;
    bool known = load_cell(side, grid, cell, &nodes);
    double rounding = (double)side->growth * (double)side->rounding / (double)side->cell_size;
    double inflate = (double)side->inflate / (double)side->cell_size;
    for (int k = 0; k < 8 && known; ++k)
    {
        if (!(nodes.high[k] + rounding <= inflate))
        {
            continue;
        }
        AbutDVec3 offset = abut_transform_rotate(&side->frame, nodes.offset[k]);
        *hit = abut_dvec3_to_vec3(abut_dvec3_mul_sub(at, (double)side->cell_size, offset));
        if (is_inside(other, *hit))
        {
            return true;
        }
    }
    return false;
}

enum
{
    MAX_CELLS = 16 // in the list of tried cells
};

/// Cells of a side that were tried.
typedef struct SeenCells
{
    uint32_t cells[MAX_CELLS][3];
    size_t count;
} SeenCells;

static bool is_new(SeenCells* seen, const uint32_t cell[3])
{
    for (size_t i = 0; i < seen->count; ++i)
    {
        const uint32_t* other = seen->cells[i];
        if (cell[0] == other[0] && cell[1] == other[1] && cell[2] == other[2])
        {
            return false;
        }
    }
    if (seen->count < MAX_CELLS)
    {
        memcpy(seen->cells[seen->count++], cell, sizeof(seen->cells[0]));
    }
    return true;
}

bool abut_prove_find_hit_node(const AbutPair* pair, AbutPairBatch* batch, float max_distance,
                              size_t* hit_index)
{
    SeenCells seen[2] = { { .count = 0 }, { .count = 0 } };
    for (size_t i = 0; i < batch->count; ++i)
    {
        AbutDVec3 at = abut_dvec3_from_vec3(abut_pair_batch_point(batch, i));
        bool is_close = batch->distance[0][i] <= max_distance && batch->distance[1][i] <= max_distance;
        for (int number = 0; number < 2 && is_close; ++number)
        {
            const AbutPairSide* side = &pair->sides[number];
            uint32_t cell[3];
            AbutVec3 hit;
            if (!side->is_field)
            {
                continue;
            }
            AbutDVec3 grid = abut_pair_to_grid(side, at);
            abut_pair_cell_at(side, grid, cell);
            if (is_new(&seen[number], cell) &&
                (!side->uncertain || isfinite(abut_pair_field_error(side, batch, i))) &&
                try_cell(pair, number, at, grid, cell, &hit))
            {
                abut_pair_batch_set(batch, i, hit);
                *hit_index = i;
                return true;
            }
        }
    }
    return false;
}

bool abut_prove_is_sharp_hit(const AbutPair* pair, const AbutPairBatch* batch, size_t i)
{
    for (int number = 0; number < 2; ++number)
    {
        const AbutPairSide* side = &pair->sides[number];
        if (!side->is_field)
        {
            if (!(batch->distance[number][i] + abut_pair_error(pair, number, batch, i, 0.0f) <= 0.0f))
            {
                return false;
            }
            continue;
        }
        AbutDVec3 outer = abut_dvec3_from_vec3(abut_pair_batch_point(batch, i));
        AbutVec3 point = abut_dvec3_to_vec3(abut_transform_inverse_point(&side->frame, outer));
        float high = abut_field_point_bounds(side->shape, point).high * (float)side->frame.scale;
        if (!(high + side->rounding <= side->inflate))
        {
            return false;
        }
    }
    return true;
}
