#include "field/mass.h"

#include "base/memory.h"
#include "base/tasks.h"

#include <math.h>
#include <string.h>

/// Sums over a part of the solid, about the middle of the grid: volume, first and second moments (xx yy zz xy
/// yz zx).
typedef struct Moments
{
    double volume, first[3], second[6];
} Moments;

typedef struct Integral
{
    const AbutField* field;
    Moments* bricks;
} Integral;

static void add_cube(Moments* sum, const double center[3], double size, double part)
{
    double v = part * size * size * size, own = v * size * size / 12.0;
    sum->volume += v;
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3;
        sum->first[i] += v * center[i];
        sum->second[i] += v * center[i] * center[i] + own;
        sum->second[3 + i] += v * center[i] * center[j];
    }
}

/// Part of a cube of side `size` that lies below zero when f is linear with the given slope: the volume below
/// a plane, smoothed to a ramp over the cube's extent along the slope.
static double part_below(double f, const double slope[3], double size)
{
    double half = 0.5 * size * (fabs(slope[0]) + fabs(slope[1]) + fabs(slope[2]));
    return half > 0.0 ? fmin(1.0, fmax(0.0, 0.5 - 0.5 * f / half)) : (f < 0.0 ? 1.0 : 0.0);
}

/// Subcells per cell along a side.
enum
{
    SUBCELLS = 2,
    ROW = ABUT_BRICK_CELLS * SUBCELLS
};

/// One layer of subcells of a brick.
static void add_layer(const AbutField* field, const double low[3], uint32_t layer, const double middle[3],
                      Moments* sum)
{
    const AbutFieldHeader* h = field->block;
    const double size = h->cell_size / SUBCELLS;
    float at[3][ROW * ROW], value[4][ROW * ROW];
    for (int i = 0; i < ROW * ROW; ++i)
    {
        at[0][i] = (float)(low[0] + size * (i % ROW + 0.5));
        at[1][i] = (float)(low[1] + size * (i / ROW + 0.5));
        at[2][i] = (float)(low[2] + size * (layer + 0.5));
    }
    abut_shape_sample(&field->base, NULL, (AbutPoints){ at[0], at[1], at[2] }, ROW * ROW,
                      (AbutSamples){ value[0], value[1], value[2], value[3] });
    for (int i = 0; i < ROW * ROW; ++i)
    {
        const double slope[3] = { value[1][i], value[2][i], value[3][i] };
        const double center[3] = { low[0] + size * (i % ROW + 0.5) - middle[0],
                                   low[1] + size * (i / ROW + 0.5) - middle[1],
                                   low[2] + size * (layer + 0.5) - middle[2] };
        double part = part_below(value[0][i], slope, size);
        if (part > 0.0)
        {
            add_cube(sum, center, size, part);
        }
    }
}

static void grid_middle(const AbutFieldHeader* h, double middle[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        middle[axis] = h->origin[axis] + 0.5 * h->cell_size * ABUT_BRICK_CELLS * h->brick_count[axis];
    }
}

static void integrate_brick(void* context, uint32_t brick, uint32_t worker)
{
    (void)worker;
    const Integral* self = context;
    AbutFieldHeader* h = self->field->block;
    const AbutFieldBounds* bounds = (const AbutFieldBounds*)abut_field_section(h, ABUT_FIELD_PYRAMID) + brick;
    Moments* sum = &self->bricks[brick];
    if (bounds->low > 0.0f)
    {
        return;
    }
    const uint32_t place[3] = { brick % h->brick_count[0], brick / h->brick_count[0] % h->brick_count[1],
                                brick / h->brick_count[0] / h->brick_count[1] };
    double low[3], middle[3], center[3];
    double size = h->cell_size * ABUT_BRICK_CELLS;
    grid_middle(h, middle);
    for (int axis = 0; axis < 3; ++axis)
    {
        low[axis] = h->origin[axis] + size * place[axis];
        center[axis] = low[axis] + 0.5 * size - middle[axis];
    }
    if (bounds->high < 0.0f)
    {
        add_cube(sum, center, size, 1.0);
        return;
    }
    for (uint32_t layer = 0; layer < ROW; ++layer)
    {
        add_layer(self->field, low, layer, middle, sum);
    }
}

static AbutMass mass_of(const Moments* sum, const double middle[3])
{
    AbutMass mass = { .volume = sum->volume };
    double second[6];
    memcpy(second, sum->second, sizeof(second));
    if (!(sum->volume > 0.0))
    {
        return mass;
    }
    double center[3];
    for (int i = 0; i < 3; ++i)
    {
        center[i] = sum->first[i] / sum->volume;
        mass.center[i] = center[i] + middle[i];
    }
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3;
        second[i] -= sum->volume * center[i] * center[i];
        second[3 + i] -= sum->volume * center[i] * center[j];
    }
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        mass.inertia[i][i] = second[j] + second[k];
        mass.inertia[i][j] = mass.inertia[j][i] = -second[3 + i];
    }
    return mass;
}

AbutResult abut_field_integrate(const AbutShape* field, const AbutHost* host, AbutMass* out)
{
    AbutHost resolved = abut_host_resolve(host);
    Integral self = { .field = abut_field_of(field) };
    const AbutFieldHeader* h = self.field->block;
    uint32_t total = h->brick_count[0] * h->brick_count[1] * h->brick_count[2];
    self.bricks = abut_memory_allocate_zero(&resolved, total, sizeof(Moments));
    if (self.bricks == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    abut_parallel_for(&resolved, total, integrate_brick, &self);
    Moments sum = { 0 };
    for (uint32_t i = 0; i < total; ++i)
    {
        sum.volume += self.bricks[i].volume;
        for (int k = 0; k < 3; ++k)
        {
            sum.first[k] += self.bricks[i].first[k];
        }
        for (int k = 0; k < 6; ++k)
        {
            sum.second[k] += self.bricks[i].second[k];
        }
    }
    abut_memory_free(&resolved, self.bricks, total, sizeof(Moments));
    double middle[3];
    grid_middle(h, middle);
    *out = mass_of(&sum, middle);
    return ABUT_OK;
}
