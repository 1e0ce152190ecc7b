#include "toi/points/safe_radius.h"

#include "field/bounds/pyramid.h"
#include "field/distance_bounds.h"
#include "field/field.h"

#include <math.h>

/// Of coordinates and distances in float (shape.h promises 2e-6 of the size).
static const double ROUNDING = 2e-6;

enum
{
    LOCAL_TRIES = 4 // radii around a point in which bricks are asked, each a quarter of the one before
};

/// Largest coordinate of the box; 0 for one without end, where coordinates near the surface are those of the points.
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

AbutReach abut_reach_make(const AbutShape* shape)
{
    const AbutShapeInfo* info = &shape->info;
    AbutReach reach = { .shape = shape,
                        .slope = info->lipschitz,
                        .far_slope = info->lipschitz,
                        .far_error = 2.0 * (double)info->error,
                        .size = box_size(info->bounds) };
    if (info->kind == ABUT_SHAPE_FIELD)
    {
        const AbutFieldHeader* h = abut_field_of(shape)->block;
        reach.far_slope = fmax(1.0, h->source_slope);
        reach.is_local = h->sparse != 0 || !isfinite(info->error);
        reach.slope = h->sparse != 0 ? INFINITY : reach.slope;
    }
    else if (info->error > 0.0f)
    {
        reach.slope = INFINITY; // it may have a part that jumps
    }
    reach.per_slope = (1.0 - 1e-12) / reach.slope;
    reach.per_far_slope = isfinite(reach.far_error) ? (1.0 - 1e-12) / reach.far_slope : 0.0;
    reach.far_error = isfinite(reach.far_error) ? reach.far_error : 0.0;
    return reach;
}

double abut_reach_rounding(const AbutReach* reach, double place, double sample)
{
    return ROUNDING * (place + reach->size + fabs(sample));
}

// ---------------------------------------------------------------------------------------------------------------------
// Bricks around a point
// ---------------------------------------------------------------------------------------------------------------------

/// The bricks that a box meets, clamped to the grid; and how far the point is from leaving its own.
typedef struct Around
{
    uint32_t first[3], last[3], own[3];
    double inside;
} Around;

static Around find_bricks(const AbutFieldHeader* h, const float at[3], double radius)
{
    Around around = { .inside = INFINITY };
    double size = h->cell_size * ABUT_BRICK_CELLS;
    for (int axis = 0; axis < 3; ++axis)
    {
        double place = (double)at[axis] - h->origin[axis], most = h->brick_count[axis] - 1.0;
        double ends[3] = { (place - radius) / size, (place + radius) / size, place / size };
        for (int end = 0; end < 3; ++end)
        {
            ends[end] = ends[end] > 0.0 ? floor(fmin(ends[end], most)) : 0.0;
        }
        around.first[axis] = (uint32_t)ends[0];
        around.last[axis] = (uint32_t)ends[1];
        around.own[axis] = (uint32_t)ends[2];
        // Outside of the grid the nearest point of it counts, which stays in the border brick.
        double low = ends[2] > 0.0 ? place - ends[2] * size : INFINITY;
        double high = ends[2] < most ? (ends[2] + 1.0) * size - place : INFINITY;
        around.inside = fmin(around.inside, fmin(low, high));
    }
    return around;
}

static uint32_t brick_number(const AbutFieldHeader* h, uint32_t x, uint32_t y, uint32_t z)
{
    return (z * h->brick_count[1] + y) * h->brick_count[0] + x;
}

/// True when some of the bricks are stored and others are not, or when there are too many to look.
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

/// What bounds of the bricks within `radius` prove.
static double reach_within(const AbutReach* self, const float at[3], double size, double radius)
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
        double margin = 1e-5 * (self->size + h->cell_size); // rounding may take the sample from the next one
        free = fmax(free, fmin(size / fmax(1.0, own.slope), around.inside - margin));
    }
    return fmin(free, radius);
}

static double local_reach(const AbutReach* self, const float at[3], double size)
{
    double best = 0.0, radius = size;
    for (int i = 0; i < LOCAL_TRIES && best < 0.5 * radius; ++i)
    {
        best = fmax(best, reach_within(self, at, size, radius));
        radius *= 0.25;
    }
    return best;
}

// ---------------------------------------------------------------------------------------------------------------------

/// What holds for all of the shape. `size`: what is left of a sample.
static inline double global_reach(const AbutReach* reach, double size)
{
    double near = size * reach->per_slope, far = (size - reach->far_error) * reach->per_far_slope;
    double free = near > far ? near : far;
    return size > 0.0 && free > 0.0 ? free : 0.0;
}

static inline double certain_size(const AbutReach* reach, double x, double y, double z, double sample)
{
    return fabs(sample) - abut_reach_rounding(reach, fabs(x) + fabs(y) + fabs(z), sample);
}

/// More is proved by the bricks around a point, where that is too little.
static double add_local(const AbutReach* reach, const float at[3], double size, double free)
{
    bool is_little = reach->is_local && size > 0.0 && free < 0.75 * size && isfinite(size);
    return is_little ? fmax(free, local_reach(reach, at, size)) : free;
}

double abut_reach_same(const AbutReach* reach, const float at[3], float sample)
{
    double size = certain_size(reach, (double)at[0], (double)at[1], (double)at[2], (double)sample);
    return add_local(reach, at, size, global_reach(reach, size));
}

void abut_reach_same_all(const AbutReach* reach, AbutPoints points, const float* samples, size_t count,
                         double* out)
{
    const AbutReach copy = *reach; // which the stores below cannot alias
    for (size_t i = 0; i < count; ++i)
    {
        out[i] = global_reach(&copy, certain_size(&copy, (double)points.x[i], (double)points.y[i],
                                                  (double)points.z[i], (double)samples[i]));
    }
    for (size_t i = 0; i < count && copy.is_local; ++i)
    {
        const float at[3] = { points.x[i], points.y[i], points.z[i] };
        out[i] = abut_reach_same(reach, at, samples[i]);
    }
}

double abut_reach_free(const AbutReach* reach, const float at[3], float sample)
{
    return sample > 0.0f ? abut_reach_same(reach, at, sample) : 0.0;
}
