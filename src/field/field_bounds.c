// Bounds of the true distance at a point and over a box.
#include "field/field.h"

#include <math.h>

static AbutInterval widened(double low, double high)
{
    // Outward by what the sums below may have rounded.
    double slack = 1e-6 * (fabs(low) + fabs(high));
    return (AbutInterval){ .low = (float)(low - slack), .high = (float)(high + slack) };
}

/// Number of the brick that holds a point of the grid, clamped to the grid.
static uint32_t brick_at(const AbutFieldHeader* h, const double p[3])
{
    uint32_t place[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        double at = (p[axis] - h->origin[axis]) / (h->cell_size * ABUT_BRICK_CELLS);
        double most = h->brick_count[axis] - 1.0;
        place[axis] = (uint32_t)(at > 0.0 ? (at < most ? at : most) : 0.0);
    }
    return (place[2] * h->brick_count[1] + place[1]) * h->brick_count[0] + place[0];
}

/// The nearest point of the grid's box, and the distance to it.
static double clamp_to_grid(const AbutFieldHeader* h, const double p[3], double inside[3])
{
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = h->origin[axis], high = low + h->cell_size * ABUT_BRICK_CELLS * h->brick_count[axis];
        inside[axis] = p[axis] > low ? (p[axis] < high ? p[axis] : high) : low;
        squared += (p[axis] - inside[axis]) * (p[axis] - inside[axis]);
    }
    return sqrt(squared);
}

AbutInterval abut_field_point_bounds(const AbutShape* field, AbutVec3 point)
{
    const AbutField* self = abut_field_of(field);
    AbutFieldHeader* h = self->block;
    const double p[3] = { point.x, point.y, point.z };
    if (isnan(p[0]) || isnan(p[1]) || isnan(p[2]))
    {
        return (AbutInterval){ -INFINITY, INFINITY, false };
    }
    double inside[3];
    double outside = clamp_to_grid(h, p, inside);
    const AbutFieldBounds* bounds =
        (const AbutFieldBounds*)abut_field_section(h, ABUT_FIELD_PYRAMID) + brick_at(h, inside);
    AbutVec3 nearest = abut_vec3((float)inside[0], (float)inside[1], (float)inside[2]);
    double f = abut_shape_distance(field, nearest, NULL);
    // The sample is within the error, the brick within its bounds, and further out the distance changes by
    // the way.
    double low = fmax(f - (double)bounds->error, bounds->low) - outside;
    double high = fmin(f + (double)bounds->error, bounds->high) + outside;
    AbutInterval interval = widened(low, high);
    interval.sign_in_doubt = isinf(bounds->error);
    return interval;
}

/// First and last brick that a range of one axis meets, clamped to the grid.
static void brick_range(const AbutFieldHeader* h, int axis, double low, double high, uint32_t range[2])
{
    const double ends[2] = { low, high };
    for (int i = 0; i < 2; ++i)
    {
        double at = (ends[i] - h->origin[axis]) / (h->cell_size * ABUT_BRICK_CELLS);
        double most = h->brick_count[axis] - 1.0;
        range[i] = (uint32_t)(at > 0.0 ? (at < most ? at : most) : 0.0);
    }
}

/// True when the sign is in doubt in a brick that the box meets. Fields without doubt are known by their root.
static bool meets_doubt(void* block, AbutBox box)
{
    const AbutFieldHeader* h = block;
    if (isfinite(abut_field_root_bounds(block).error))
    {
        return false;
    }
    const AbutFieldBounds* bounds = abut_field_section(block, ABUT_FIELD_PYRAMID);
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
                if (isinf(bounds[((size_t)k * h->brick_count[1] + j) * h->brick_count[0] + i].error))
                {
                    return true;
                }
            }
        }
    }
    return false;
}

AbutInterval abut_field_box_bounds(const AbutShape* field, AbutBox box)
{
    if (abut_box_is_empty(box) || !abut_box_is_finite(box))
    {
        return (AbutInterval){ -INFINITY, INFINITY, false };
    }
    double center[3] = { 0.5 * ((double)box.min.x + (double)box.max.x),
                         0.5 * ((double)box.min.y + (double)box.max.y),
                         0.5 * ((double)box.min.z + (double)box.max.z) };
    double dx = (double)box.max.x - center[0], dy = (double)box.max.y - center[1],
           dz = (double)box.max.z - center[2];
    double radius =
        sqrt(dx * dx + dy * dy + dz * dz) + 1e-6 * (fabs(center[0]) + fabs(center[1]) + fabs(center[2]));
    AbutInterval middle =
        abut_field_point_bounds(field, abut_vec3((float)center[0], (float)center[1], (float)center[2]));
    AbutInterval interval = widened((double)middle.low - radius, (double)middle.high + radius);
    if (meets_doubt(abut_field_of(field)->block, box))
    {
        // The size of the distance changes by the way whatever its sign does.
        float size = fmaxf(fabsf(interval.low), fabsf(interval.high));
        interval = (AbutInterval){ -size, size, true };
    }
    return interval;
}
