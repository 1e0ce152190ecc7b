// Safe radii from slopes and errors, of a shape as a whole or of the bricks around a point.
#include "toi/points/safe_radius.h"

#include "field/bounds/pyramid.h"
#include "field/distance_bounds.h"
#include "field/field.h"

#include <math.h>

/// Relative rounding of coordinates and distances in float (shape.h promises 2e-6 of the size).
static const double ROUNDING = 2e-6;

enum
{
    LOCAL_TRIES = 4 // radii around a point with a bound of their bricks, each a quarter of the one before
};

/// Largest coordinate of the box; 0 for an infinite one, where the coordinates of the points count.
static double box_size(AbutBox box)
{
    if (!abut_box_is_finite(box) || abut_box_is_empty(box))
    {
        return 0.0;
    }
    AbutVec3 low = box.min, high = box.max;
    return fmax(fmax(fmax(fabs(low.x), fabs(high.x)), fmax(fabs(low.y), fabs(high.y))),
                fmax(fabs(low.z), fabs(high.z)));
}

AbutSafeRadius abut_safe_radius_make(const AbutShape* shape)
{
    const AbutShapeInfo* info = &shape->info;
    AbutSafeRadius safe_radius = { .shape = shape,
                                   .slope = info->lipschitz,
                                   .far_slope = info->lipschitz,
                                   .far_error = 2.0 * (double)info->error,
                                   .size = box_size(info->bounds) };
    if (info->kind == ABUT_SHAPE_FIELD)
    {
        const AbutFieldHeader* h = abut_field_of(shape)->block;
        safe_radius.far_slope = fmax(1.0, h->source_slope);
        safe_radius.is_local = h->sparse != 0 || !isfinite(info->error);
        safe_radius.slope = h->sparse != 0 ? INFINITY : safe_radius.slope;
    }
    else if (info->error > 0.0f)
    {
        safe_radius.slope = INFINITY; // it may jump
    }
    safe_radius.per_slope = (1.0 - 1e-12) / safe_radius.slope;
    safe_radius.per_far_slope = isfinite(safe_radius.far_error) ? (1.0 - 1e-12) / safe_radius.far_slope : 0.0;
    safe_radius.far_error = isfinite(safe_radius.far_error) ? safe_radius.far_error : 0.0;
    return safe_radius;
}

double abut_safe_radius_rounding(const AbutSafeRadius* safe_radius, double position, double sample)
{
    return ROUNDING * (position + safe_radius->size + fabs(sample));
}

// -----------------------------------------------------------------------------------------------------------
// Bricks around a point
// -----------------------------------------------------------------------------------------------------------

/// The bricks of a box, clamped to the grid, and the distance of the point from the border of its own brick.
typedef struct Around
{
    uint32_t first[3], last[3], own[3];
    double inside;
} Around;

/// The brick of a position along an axis; the nearest one for a position outside of the grid.
static double brick_of(double position, double size, double most)
{
    double brick = position / size;
    return brick > 0.0 ? floor(fmin(brick, most)) : 0.0;
}

static Around find_bricks(const AbutFieldHeader* h, const float at[3], double radius)
{
    Around around = { .inside = INFINITY };
    double size = h->cell_size * ABUT_BRICK_CELLS;
    for (int axis = 0; axis < 3; ++axis)
    {
        double position = (double)at[axis] - h->origin[axis], most = h->brick_count[axis] - 1.0;
        double own = brick_of(position, size, most);
        around.first[axis] = (uint32_t)brick_of(position - radius, size, most);
        around.last[axis] = (uint32_t)brick_of(position + radius, size, most);
        around.own[axis] = (uint32_t)own;
        // Outside of the grid the closest point of it counts, which stays in the border brick.
        double low = own > 0.0 ? position - own * size : INFINITY;
        double high = own < most ? (own + 1.0) * size - position : INFINITY;
        around.inside = fmin(around.inside, fmin(low, high));
    }
    return around;
}

static uint32_t brick_number(const AbutFieldHeader* h, uint32_t x, uint32_t y, uint32_t z)
{
    return (z * h->brick_count[1] + y) * h->brick_count[0] + x;
}

/// True when some of the bricks are stored and others are not, or when there are too many to check.
static bool is_mixed(AbutFieldHeader* h, const Around* around)
{
    const uint32_t* slots = abut_field_section(h, ABUT_FIELD_SLOTS);
    const uint32_t *a = around->first, *b = around->last;
    if (h->sparse == 0)
    {
        return false;
    }
    if (b[0] - a[0] > 2 || b[1] - a[1] > 2 || b[2] - a[2] > 2)
    {
        return true;
    }
    bool stored = slots[brick_number(h, a[0], a[1], a[2])] != ABUT_FIELD_NO_SLOT;
    for (uint32_t z = a[2]; z <= b[2]; ++z)
    {
        for (uint32_t y = a[1]; y <= b[1]; ++y)
        {
            for (uint32_t x = a[0]; x <= b[0]; ++x)
            {
                if ((slots[brick_number(h, x, y, z)] != ABUT_FIELD_NO_SLOT) != stored)
                {
                    return true;
                }
            }
        }
    }
    return false;
}

/// The safe radius by bounds of the bricks within `radius`.
static double safe_radius_within(const AbutSafeRadius* self, const float at[3], double size, double radius)
{
    AbutFieldHeader* h = abut_field_of(self->shape)->block;
    float r = (float)radius;
    AbutVec3 center = abut_vec3(at[0], at[1], at[2]);
    AbutFieldBounds bounds = abut_field_bounds_over(h, abut_box_expand(abut_box(center, center), r));
    Around around = find_bricks(h, at, radius * (1.0 + 1e-5));
    double free = (size - 2.0 * (double)bounds.error) / self->far_slope;
    if (!is_mixed(h, &around))
    {
        free = fmax(free, size / fmax(1.0, bounds.slope));
    }
    else
    {
        AbutFieldBounds own =
            abut_field_brick_bounds(h, brick_number(h, around.own[0], around.own[1], around.own[2]));
        double margin = 1e-5 * (self->size + h->cell_size); // the rounded sample may be of the next brick
        free = fmax(free, fmin(size / fmax(1.0, own.slope), around.inside - margin));
    }
    return fmin(free, radius);
}

static double local_safe_radius(const AbutSafeRadius* self, const float at[3], double size)
{
    double best = 0.0, radius = size;
    for (int i = 0; i < LOCAL_TRIES && best < 0.5 * radius; ++i)
    {
        best = fmax(best, safe_radius_within(self, at, size, radius));
        radius *= 0.25;
    }
    return best;
}

// -----------------------------------------------------------------------------------------------------------

/// The safe radius by bounds of the whole shape. `size`: the sample less its rounding.
static inline double global_safe_radius(const AbutSafeRadius* safe_radius, double size)
{
    double by_slope = size * safe_radius->per_slope,
           by_distance = (size - safe_radius->far_error) * safe_radius->per_far_slope;
    double free = by_slope > by_distance ? by_slope : by_distance;
    return size > 0.0 && free > 0.0 ? free : 0.0;
}

static inline double certain_size(const AbutSafeRadius* safe_radius, double x, double y, double z,
                                  double sample)
{
    return fabs(sample) - abut_safe_radius_rounding(safe_radius, fabs(x) + fabs(y) + fabs(z), sample);
}

/// Adds the bounds of the bricks around a point, where the radius is small.
static double add_local(const AbutSafeRadius* safe_radius, const float at[3], double size, double free)
{
    bool is_little = safe_radius->is_local && size > 0.0 && free < 0.75 * size && isfinite(size);
    return is_little ? fmax(free, local_safe_radius(safe_radius, at, size)) : free;
}

double abut_safe_radius_same_sign(const AbutSafeRadius* safe_radius, const float at[3], float sample)
{
    double size = certain_size(safe_radius, (double)at[0], (double)at[1], (double)at[2], (double)sample);
    return add_local(safe_radius, at, size, global_safe_radius(safe_radius, size));
}

void abut_safe_radius_same_sign_all(const AbutSafeRadius* safe_radius, AbutPoints points,
                                    const float* samples, size_t count, double* out)
{
    const AbutSafeRadius copy = *safe_radius; // no alias of the stores below
    for (size_t i = 0; i < count; ++i)
    {
        out[i] = global_safe_radius(&copy, certain_size(&copy, (double)points.x[i], (double)points.y[i],
                                                        (double)points.z[i], (double)samples[i]));
    }
    for (size_t i = 0; i < count && copy.is_local; ++i)
    {
        const float at[3] = { points.x[i], points.y[i], points.z[i] };
        out[i] = abut_safe_radius_same_sign(safe_radius, at, samples[i]);
    }
}

double abut_safe_radius_outside(const AbutSafeRadius* safe_radius, const float at[3], float sample)
{
    return sample > 0.0f ? abut_safe_radius_same_sign(safe_radius, at, sample) : 0.0;
}
