// Bounds of the true distance at a point and over a box.
#include "field/distance_bounds.h"

#include "field/bounds/pyramid.h"
#include "field/field.h"
#include "field/nodes/brick_nodes.h"

#include "base/fp_env.h"
#include "math/dvec3.h"

#include <math.h>

/// Errors of cells that are not worth a closer look, in cells.
#define SMALL_ERROR 0.1

static AbutDistanceBounds widened(double low, double high)
{
    // Outward by the rounding of the sums.
    double slack = 1e-6 * (fabs(low) + fabs(high));
    return (AbutDistanceBounds){ .low = (float)(low - slack), .high = (float)(high + slack) };
}

static AbutDVec3 grid_begin(const AbutFieldHeader* h)
{
    return abut_dvec3_from_array(h->origin);
}

static AbutDVec3 grid_end(const AbutFieldHeader* h)
{
    AbutDVec3 bricks = abut_dvec3(h->brick_count[0], h->brick_count[1], h->brick_count[2]);
    return abut_dvec3_mul_add(grid_begin(h), h->cell_size * ABUT_BRICK_CELLS, bricks);
}

/// A point in cells from node 0.
static AbutDVec3 to_cells(const AbutFieldHeader* h, AbutDVec3 p)
{
    return abut_dvec3_div(abut_dvec3_sub(p, grid_begin(h)), h->cell_size);
}

/// Index of the brick along one axis, clamped to the grid.
static uint32_t brick_along(const AbutFieldHeader* h, int axis, double p)
{
    double at = (p - h->origin[axis]) / (h->cell_size * ABUT_BRICK_CELLS);
    double most = h->brick_count[axis] - 1.0;
    return (uint32_t)(at > 0.0 ? (at < most ? at : most) : 0.0);
}

/// Number of the brick that holds a point of the grid, clamped to the grid.
static uint32_t brick_at(const AbutFieldHeader* h, AbutDVec3 p)
{
    const uint32_t position[3] = { brick_along(h, 0, p.x), brick_along(h, 1, p.y), brick_along(h, 2, p.z) };
    return abut_brick_number(h->brick_count, position);
}

/// The nearest point of the grid's box.
static AbutDVec3 clamp_to_grid(const AbutFieldHeader* h, AbutDVec3 p)
{
    return abut_dvec3_min(abut_dvec3_max(p, grid_begin(h)), grid_end(h));
}

/// A distance at a node bounds the distance at a point, by the triangle inequality.
typedef struct PointBounds
{
    void* block;
    AbutDVec3 at; // the point, in cells of the level from its first node
    double step;  // cells of the level in the grid's: 1, or 8 on the coarse level
    double low, high;
    uint32_t first[3], last[3]; // range of nodes that may be used, in cells of the grid
} PointBounds;

static bool is_in_range(const PointBounds* self, int axis, double at)
{
    return at >= self->first[axis] && at <= self->last[axis];
}

static void bound_by_node(PointBounds* self, AbutDVec3 node)
{
    const AbutFieldHeader* h = self->block;
    AbutDVec3 at = abut_dvec3_scale(node, self->step);
    if (!is_in_range(self, 0, at.x) || !is_in_range(self, 1, at.y) || !is_in_range(self, 2, at.z))
    {
        return;
    }
    const uint32_t position[3] = { (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z };
    double cell = h->cell_size * self->step;
    double f = self->step > 1.0 ? abut_field_coarse_value_at(self->block, position)
                                : abut_field_value_at(self->block, position);
    double bound = (double)h->source_slope * abut_dvec3_distance(self->at, node) +
                   abut_field_value_error(h, fabs(f), cell);
    self->low = fmax(self->low, (f - bound) * cell); // fmax ignores NaN, of nodes that are not stored
    self->high = fmin(self->high, (f + bound) * cell);
}

static AbutDVec3 round_down(AbutDVec3 v)
{
    return abut_dvec3(floor(v.x), floor(v.y), floor(v.z));
}

/// The node nearest to a point of the line through `at` along the gradient.
static AbutDVec3 node_along(AbutDVec3 at, double along, AbutDVec3 gradient)
{
    return round_down(abut_dvec3_add(abut_dvec3_mul_add(at, along, gradient), abut_dvec3(0.5, 0.5, 0.5)));
}

/// The nodes around a point, and the furthest ones along and against the gradient: there the distance to the
/// point and the change of the field are nearly equal (field/nodes/kernels.h has the argument).
static void bound_by_nodes(PointBounds* self, AbutDVec3 gradient)
{
    double length = abut_dvec3_length(gradient);
    for (int corner = 0; corner < 8; ++corner)
    {
        AbutDVec3 from_first = abut_dvec3(corner & 1, corner >> 1 & 1, corner >> 2);
        bound_by_node(self, abut_dvec3_add(round_down(self->at), from_first));
    }
    for (int i = -2 * ABUT_CUBE_MARGIN; i <= 2 * ABUT_CUBE_MARGIN && length > 0.0; ++i)
    {
        bound_by_node(self, node_along(self->at, 0.5 * i / length, gradient));
    }
}

/// Range of nodes: of the brick alone where the sign is uncertain in a neighbour, since the field is not
/// continuous there.
static void set_radius(PointBounds* self, uint32_t brick)
{
    const AbutFieldHeader* h = self->block;
    uint32_t position[3];
    abut_brick_position(h->brick_count, brick, position);
    uint32_t around = abut_field_is_certain_around(self->block, brick) ? 1 : 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        uint32_t low = position[axis] > around ? position[axis] - around : 0;
        uint32_t high = position[axis] + around + 1;
        self->first[axis] = low * ABUT_BRICK_CELLS;
        self->last[axis] = (high < h->brick_count[axis] ? high : h->brick_count[axis]) * ABUT_BRICK_CELLS;
    }
}

/// The cell of a brick that holds a point. True where a stored brick meets the coarse level: samples jump
/// there, and rounding decides from which side they come.
static bool find_cell(const AbutFieldHeader* h, AbutDVec3 p, uint32_t brick, uint32_t cell[3])
{
    uint32_t position[3];
    abut_brick_position(h->brick_count, brick, position);
    AbutDVec3 at = to_cells(h, p);
    bool at_jump = false;
    for (int axis = 0; axis < 3; ++axis)
    {
        double in_brick = abut_dvec3_get(at, axis) - (double)(position[axis] * ABUT_BRICK_CELLS);
        cell[axis] = (uint32_t)fmin(fmax(floor(in_brick), 0.0), ABUT_BRICK_CELLS - 1.0);
        at_jump =
            at_jump || (h->sparse != 0 && fmin(fabs(in_brick), fabs(in_brick - ABUT_BRICK_CELLS)) < 1e-3);
    }
    return at_jump;
}

/// Bounds at a point of the grid's box, in a brick whose sign is certain.
static AbutDistanceBounds certain_bounds(const AbutShape* field, AbutDVec3 p, uint32_t brick,
                                         AbutFieldBounds bounds)
{
    AbutFieldHeader* h = abut_field_of(field)->block;
    uint32_t slot = ((const uint32_t*)abut_field_section(h, ABUT_FIELD_SLOTS))[brick];
    PointBounds self = { .block = h,
                         .step = h->sparse != 0 && slot == ABUT_FIELD_NO_SLOT ? ABUT_BRICK_CELLS : 1.0 };
    uint32_t cell[3];
    bool at_jump = find_cell(h, p, brick, cell);
    self.at = abut_dvec3_div(to_cells(h, p), self.step);
    AbutVec3 gradient;
    double f = abut_shape_distance(field, abut_dvec3_to_vec3(p), &gradient);
    double error = at_jump ? INFINITY : (double)abut_field_cell_error(h, brick, cell);
    self.low = fmax(f - error, bounds.low);
    self.high = fmin(f + error, bounds.high);
    set_radius(&self, brick);
    bound_by_nodes(&self, abut_dvec3_from_vec3(gradient));
    // The point was rounded to float in the frame of the grid.
    double rounding = (double)h->node_error;
    return (AbutDistanceBounds){ .low = (float)(self.low - rounding), .high = (float)(self.high + rounding) };
}

/// The nodes that stand furthest along the gradient, a cell apart, in a stored brick whose sign is certain.
static double low_by_nodes(const AbutShape* field, AbutDVec3 p, uint32_t brick, double error)
{
    AbutFieldHeader* h = abut_field_of(field)->block;
    PointBounds self = { .block = h, .at = to_cells(h, p), .step = 1.0 };
    AbutVec3 gradient;
    double f = abut_shape_distance(field, abut_dvec3_to_vec3(p), &gradient);
    self.low = f - error;
    self.high = INFINITY;
    double length = (double)abut_vec3_length(gradient);
    set_radius(&self, brick);
    for (int i = 1; i <= ABUT_CUBE_MARGIN && length > 0.0; ++i)
    {
        bound_by_node(&self, node_along(self.at, i / length, abut_dvec3_from_vec3(gradient)));
    }
    return self.low - (double)h->node_error;
}

double abut_field_distance_low(const AbutShape* field, AbutVec3 point)
{
    AbutFieldHeader* h = abut_field_of(field)->block;
    AbutDVec3 p = abut_dvec3_from_vec3(point), inside = clamp_to_grid(h, p);
    if (!(abut_dvec3_distance(p, inside) <= 0.0)) // NaN, too
    {
        return (double)abut_field_point_bounds(field, point).low;
    }
    uint32_t brick = brick_at(h, inside), cell[3];
    uint32_t slot = ((const uint32_t*)abut_field_section(h, ABUT_FIELD_SLOTS))[brick];
    bool at_jump = find_cell(h, inside, brick, cell);
    double error = (double)abut_field_cell_error(h, brick, cell);
    if (at_jump || slot == ABUT_FIELD_NO_SLOT || !isfinite(error))
    {
        return (double)abut_field_point_bounds(field, point).low;
    }
    return error <= SMALL_ERROR * h->cell_size
               ? (double)abut_shape_distance(field, point, NULL) - error - (double)h->node_error
               : low_by_nodes(field, inside, brick, error);
}

AbutDistanceBounds abut_field_point_bounds(const AbutShape* field, AbutVec3 point)
{
    ABUT_FP_CALL(abut_field_point_bounds, field, point);
    AbutFieldHeader* h = abut_field_of(field)->block;
    if (!abut_vec3_is_finite(point))
    {
        return (AbutDistanceBounds){ -INFINITY, INFINITY, false };
    }
    AbutDVec3 p = abut_dvec3_from_vec3(point), inside = clamp_to_grid(h, p);
    double outside = abut_dvec3_distance(p, inside);
    uint32_t brick = brick_at(h, inside);
    AbutFieldBounds bounds = abut_field_brick_bounds(h, brick);
    bool uncertain = isinf(bounds.error) && isfinite(h->source_slope);
    AbutDistanceBounds at = { bounds.low, bounds.high, uncertain };
    if (isfinite(bounds.error))
    {
        at = certain_bounds(field, inside, brick, bounds);
    }
    // Outside of the grid: by the triangle inequality.
    AbutDistanceBounds interval = widened((double)at.low - outside, (double)at.high + outside);
    interval.sign_uncertain = uncertain;
    return interval;
}

/// First and last brick of a range along one axis, clamped to the grid.
static void brick_range(const AbutFieldHeader* h, int axis, double low, double high, uint32_t range[2])
{
    range[0] = brick_along(h, axis, low);
    range[1] = brick_along(h, axis, high);
}

/// True when the sign is uncertain in a brick of the box. The root tells fields with certain signs.
static bool overlaps_uncertain(void* block, AbutBox box)
{
    const AbutFieldHeader* h = block;
    if (isfinite(abut_field_root_bounds(block).error) || isinf(h->source_slope))
    {
        return false; // nothing is proved at all, so the sign is not the reason
    }
    uint32_t x[2], y[2], z[2];
    brick_range(h, 0, box.min.x, box.max.x, x);
    brick_range(h, 1, box.min.y, box.max.y, y);
    brick_range(h, 2, box.min.z, box.max.z, z);
    for (uint32_t k = z[0]; k <= z[1]; ++k)
    {
        for (uint32_t j = y[0]; j <= y[1]; ++j)
        {
            for (uint32_t i = x[0]; i <= x[1]; ++i)
            {
                if (isinf(abut_field_brick_bounds(block, (k * h->brick_count[1] + j) * h->brick_count[0] + i)
                              .error))
                {
                    return true;
                }
            }
        }
    }
    return false;
}

/// From the lowest level of the pyramid of which the box overlaps few boxes.
AbutFieldBounds abut_field_bounds_over(void* block, AbutBox box)
{
    const AbutFieldHeader* h = block;
    uint32_t x[2], y[2], z[2], level = 0;
    brick_range(h, 0, box.min.x, box.max.x, x);
    brick_range(h, 1, box.min.y, box.max.y, y);
    brick_range(h, 2, box.min.z, box.max.z, z);
    for (; x[1] - x[0] > 1 || y[1] - y[0] > 1 || z[1] - z[0] > 1; ++level)
    {
        for (int end = 0; end < 2; ++end)
        {
            x[end] /= 2;
            y[end] /= 2;
            z[end] /= 2;
        }
    }
    uint32_t count[3];
    const AbutPackedBounds* entries = abut_field_level(block, level, count);
    AbutFieldBounds joined = { INFINITY, -INFINITY, 0.0f, 0.0f };
    for (uint32_t i = 0; i < 8; ++i)
    {
        uint32_t at = (z[i >> 2] * count[1] + y[i >> 1 & 1]) * count[0] + x[i & 1];
        AbutFieldBounds child = level == 0 ? abut_field_brick_bounds(block, at)
                                           : abut_field_unpack_bounds(entries[at], h->cell_size);
        joined = abut_field_join_bounds(joined, child);
    }
    return joined;
}

static bool is_in_grid(const AbutFieldHeader* h, AbutBox box)
{
    AbutDVec3 low = abut_dvec3_from_vec3(box.min), high = abut_dvec3_from_vec3(box.max);
    AbutDVec3 begin = grid_begin(h), end = grid_end(h);
    return low.x >= begin.x && low.y >= begin.y && low.z >= begin.z && high.x <= end.x && high.y <= end.y &&
           high.z <= end.z;
}

AbutDistanceBounds abut_field_box_bounds(const AbutShape* field, AbutBox box)
{
    ABUT_FP_CALL(abut_field_box_bounds, field, box);
    if (abut_box_is_empty(box) || !abut_box_is_finite(box))
    {
        return (AbutDistanceBounds){ -INFINITY, INFINITY, false };
    }
    AbutDVec3 max = abut_dvec3_from_vec3(box.max);
    AbutDVec3 center = abut_dvec3_scale(abut_dvec3_add(abut_dvec3_from_vec3(box.min), max), 0.5);
    double radius =
        abut_dvec3_distance(max, center) + 1e-6 * (fabs(center.x) + fabs(center.y) + fabs(center.z));
    AbutDistanceBounds middle = abut_field_point_bounds(field, abut_dvec3_to_vec3(center));
    AbutDistanceBounds interval = widened((double)middle.low - radius, (double)middle.high + radius);
    void* block = abut_field_of(field)->block;
    if (is_in_grid(block, box))
    {
        AbutFieldBounds bounds = abut_field_bounds_over(block, box);
        interval.low = fmaxf(interval.low, bounds.low);
        interval.high = fminf(interval.high, bounds.high);
    }
    if (overlaps_uncertain(block, box))
    {
        // The size of the distance has slope 1 for any sign.
        float size = fmaxf(fabsf(interval.low), fabsf(interval.high));
        interval = (AbutDistanceBounds){ -size, size, true };
    }
    return interval;
}
