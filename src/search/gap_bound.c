#include "search/gap_bound.h"

#include "base/assert.h"
#include "field/field.h"
#include "field/nodes/brick_nodes.h"
#include "search/kernels.h"

#include <math.h>

enum
{
    TRIES = 2
};

/// Distances of far points: in cells of a field, or in radii of the box.
static const float FIELD_STEPS[TRIES] = { 6.0f, 3.0f }, SHAPE_STEPS[TRIES] = { 32.0f, 6.0f };

/// A far point n: the distance at x is at least `low` − |x − n|.
typedef struct FarPoint
{
    double low;       // distance there over the slope
    AbutDVec3 offset; // from it to the middle of the box, in the pair's frame
    double length;    // of `offset`
} FarPoint;

/// The node of a field nearest to the point `step` cells from the box.
static bool far_node(const AbutPairSide* side, AbutDVec3 middle, AbutDVec3 direction, double step,
                     FarPoint* out)
{
    AbutFieldHeader* h = abut_field_of(side->shape)->block;
    AbutDVec3 far = abut_dvec3_mul_add(middle, step, direction);
    uint32_t node[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        double at = abut_dvec3_get(far, axis) + 0.5;
        double most = h->brick_count[axis] * (double)ABUT_BRICK_CELLS;
        node[axis] = (uint32_t)(at > 0.0 ? (at < most ? at : most) : 0.0);
    }
    double value = (double)abut_field_value_at(h, node), unit = h->cell_size * side->frame.scale;
    if (!(value > 0.0)) // NaN where none is stored
    {
        return false;
    }
    out->low = (value - abut_field_value_error(h, value, h->cell_size)) * unit / (double)side->growth;
    AbutDVec3 offset = abut_dvec3_sub(middle, abut_dvec3(node[0], node[1], node[2]));
    out->offset = abut_dvec3_scale(abut_transform_rotate(&side->frame, offset), unit);
    out->length = abut_dvec3_length(out->offset);
    return true;
}

static bool best_node(const AbutPairSide* side, const AbutPairBatch* batch, size_t i, AbutDVec3 gradient,
                      FarPoint* best)
{
    AbutDVec3 middle = abut_pair_to_grid(side, abut_dvec3_from_vec3(abut_pair_batch_point(batch, i)));
    AbutDVec3 direction = abut_transform_inverse_rotate(&side->frame, gradient);
    double most = -INFINITY;
    for (int k = 0; k < TRIES; ++k)
    {
        FarPoint point;
        if (far_node(side, middle, direction, (double)FIELD_STEPS[k], &point) &&
            point.low - point.length > most)
        {
            most = point.low - point.length;
            *best = point;
        }
    }
    return most > -INFINITY;
}

static bool best_sample(const AbutPairSide* side, const AbutPairBatch* batch, size_t i, AbutDVec3 gradient,
                        float radius, FarPoint* best)
{
    AbutVec3 middle = abut_pair_batch_point(batch, i), along = abut_dvec3_to_vec3(gradient);
    float at[3][TRIES], distance[TRIES];
    double most = -INFINITY;
    for (int k = 0; k < TRIES; ++k)
    {
        float step = SHAPE_STEPS[k] * radius;
        at[0][k] = middle.x + step * along.x;
        at[1][k] = middle.y + step * along.y;
        at[2][k] = middle.z + step * along.z;
    }
    abut_pair_side_sample(side, (AbutPoints){ at[0], at[1], at[2] }, TRIES,
                          (AbutSamples){ .distance = distance });
    for (int k = 0; k < TRIES; ++k)
    {
        FarPoint point = { .low = ((double)distance[k] - (double)side->error) / (double)side->growth };
        point.offset = abut_dvec3_sub(abut_dvec3_from_vec3(middle), abut_dvec3(at[0][k], at[1][k], at[2][k]));
        point.length = abut_dvec3_length(point.offset);
        if (point.low - point.length > most && point.length > 0.0)
        {
            most = point.low - point.length;
            *best = point;
        }
    }
    return most > -INFINITY;
}

/// True when the sign is certain in all bricks around a point, among whose nodes far nodes are chosen.
static bool is_certain(const AbutPairSide* side, const AbutPairBatch* batch, size_t i)
{
    return !side->uncertain || isfinite(abut_pair_field_error(side, batch, i));
}

/// The far point with the best bound at sample `i`.
static bool best_point(const AbutPair* pair, int number, const AbutPairBatch* batch, size_t i, float radius,
                       FarPoint* best)
{
    const AbutPairSide* side = &pair->sides[number];
    AbutDVec3 gradient = abut_dvec3(batch->gradient[number][0][i], batch->gradient[number][1][i],
                                    batch->gradient[number][2][i]);
    double length = abut_dvec3_length(gradient);
    if (!(length > 0.0) || !is_certain(side, batch, i))
    {
        return false;
    }
    gradient = abut_dvec3_div(gradient, length);
    return side->is_field ? best_node(side, batch, i, gradient, best)
                          : best_sample(side, batch, i, gradient, radius, best);
}

/// For pairs with at least one shape that is not a field. With w from the far point to the middle of the box,
/// |w + d| ≤
/// |w| + d·w/|w| + |d|²/2|w|: over a box the linear term is largest at a corner, where it is the sum over the
/// axes.
static float gap_bound(const AbutPair* pair, const AbutPairBatch* batch, size_t i, const float half[3])
{
    FarPoint points[2];
    float squared = half[0] * half[0] + half[1] * half[1] + half[2] * half[2], radius = sqrtf(squared);
    for (int side = 0; side < 2; ++side)
    {
        if (!best_point(pair, side, batch, i, radius, &points[side]))
        {
            return -INFINITY;
        }
    }
    double low[] = { 0.0, 0.0, 0.0 }; // of each solid alone, and of the sum
    for (int side = 0; side < 2; ++side)
    {
        const FarPoint* point = &points[side];
        low[side] = point->low - point->length - 0.5 * (double)squared / point->length -
                    (double)(pair->sides[side].rounding + pair->sides[side].inflate);
        low[2] += 0.5 * low[side];
    }
    AbutDVec3 to_a = abut_dvec3_div(points[0].offset, points[0].length);
    AbutDVec3 to_b = abut_dvec3_div(points[1].offset, points[1].length);
    for (int axis = 0; axis < 3; ++axis)
    {
        double a = abut_dvec3_get(to_a, axis), b = abut_dvec3_get(to_b, axis);
        low[0] -= (double)half[axis] * fabs(a);
        low[1] -= (double)half[axis] * fabs(b);
        low[2] -= 0.5 * (double)half[axis] * fabs(a + b);
    }
    return (float)fmax(fmax(low[0], low[1]), low[2]);
}

static AbutFarNodes far_field(const AbutPairSide* side)
{
    const AbutField* field = abut_field_of(side->shape);
    const AbutFieldHeader* h = field->block;
    double error = abut_field_value_error(h, 0.0, h->cell_size);
    AbutFarNodes far = {
        .nodes = field->view.nodes,
        .slots = field->view.slots,
        .format = h->format,
        .row = field->view.row,
        .slab = field->view.slab,
        .fine_start = field->view.fine_start,
        .value_scale = h->format == ABUT_FIELD_F32 ? (float)(1.0 / h->cell_size) : 1.0f,
        // Rounding of the products comes on top.
        .relative_error = (float)(abut_field_value_error(h, 1.0, h->cell_size) - error) + 1e-6f,
        .absolute_error = (float)(error * (1.0 + 1e-6)),
        .unit = side->cell_size,
        .inverse_slope = (1.0f - 1e-6f) / side->growth,
        .rounding = side->rounding + side->inflate,
    };
    for (int row = 0; row < 3; ++row)
    {
        far.cells[row] = (float)field->view.cell_count[row];
        far.bricks[row] = h->brick_count[row];
        for (int column = 0; column < 3; ++column)
        {
            far.to_grid[row][column] = (float)side->to_grid.m[row][column];
            far.rotation[row][column] = (float)side->frame.rotation.m[column][row];
        }
        far.to_grid[row][3] = (float)side->to_grid.m[row][3];
    }
    return far;
}

bool abut_gap_bound_fields(const AbutPair* pair, AbutFarNodes far[2])
{
    for (int i = 0; i < 2; ++i)
    {
        if (!pair->sides[i].is_field || pair->sides[i].uncertain)
        {
            return false;
        }
        far[i] = far_field(&pair->sides[i]);
    }
    return true;
}

static void gap_bound_fields(const AbutPair* pair, AbutPairBatch* batch, const uint8_t* wanted,
                             const float half[3], const float* scale, float* low)
{
    const AbutFarNodes fields[2] = { far_field(&pair->sides[0]), far_field(&pair->sides[1]) };
    AbutPairPoints points = abut_pair_points(batch);
    abut_search_kernels()->gap_bound(fields, &points, batch->count, wanted, half, scale, low);
    bool uncertain = pair->sides[0].uncertain || pair->sides[1].uncertain;
    for (size_t i = 0; i < batch->count && uncertain; ++i)
    {
        if (wanted[i] == 0)
        {
            continue;
        }
        if (!is_certain(&pair->sides[0], batch, i) || !is_certain(&pair->sides[1], batch, i))
        {
            low[i] = -INFINITY;
        }
    }
}

void abut_gap_bound(const AbutPair* pair, AbutPairBatch* batch, const uint8_t* wanted, const float half[3],
                    const float* scale, float* low)
{
    ABUT_ASSERT(batch->count <= ABUT_PAIR_BATCH);
    ABUT_ASSERT(wanted != NULL && scale != NULL && low != NULL);
    if (pair->sides[0].is_field && pair->sides[1].is_field)
    {
        gap_bound_fields(pair, batch, wanted, half, scale, low);
        return;
    }
    for (size_t i = 0; i < batch->count; ++i)
    {
        if (wanted[i] == 0)
        {
            continue;
        }
        const float sides[3] = { half[0] * scale[i], half[1] * scale[i], half[2] * scale[i] };
        low[i] = gap_bound(pair, batch, i, sides);
    }
}
