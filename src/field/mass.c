#include "field/mass.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "field/bounds/pyramid.h"
#include "field/nodes/brick_nodes.h"

#include <math.h>
#include <string.h>

/// Integrals over a region of the solid, about the middle of the grid: volume, first and second moments (xx
/// yy zz xy yz zx).
typedef struct Moments
{
    double volume, first[3], second[6];
} Moments;

typedef struct Integral
{
    const AbutField* field;
    Moments* bricks;
} Integral;

static void add_cube(Moments* sum, const double center[3], double size, double fraction)
{
    double v = fraction * size * size * size, own = v * size * size / 12.0;
    sum->volume += v;
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3;
        sum->first[i] += v * center[i];
        sum->second[i] += v * center[i] * center[i] + own;
        sum->second[3 + i] += v * center[i] * center[j];
    }
}

/// Fraction of a cube of side `size` below zero when f is linear with the given slope: the volume below a
/// plane, smoothed to a ramp over the cube's extent along the slope.
static double fraction_below(double f, const double slope[3], double size)
{
    double half = 0.5 * size * (fabs(slope[0]) + fabs(slope[1]) + fabs(slope[2]));
    if (!(half > fabs(f)))
    {
        return f < 0.0 ? 1.0 : 0.0;
    }
    return 0.5 - 0.5 * f / half;
}

enum
{
    SUBCELLS = 2, // per cell along a side
    CELL_POINTS = SUBCELLS * SUBCELLS * SUBCELLS,
    BATCH_CELLS = 32,
    BATCH_POINTS = BATCH_CELLS * CELL_POINTS,
    CELLS = ABUT_BRICK_CELLS,
    NODES = ABUT_BRICK_NODES
};

// -----------------------------------------------------------------------------------------------------------
// Cells with the surface
// -----------------------------------------------------------------------------------------------------------

/// One brick, and its cells that wait for samples.
typedef struct BrickIntegral
{
    const AbutField* field;
    double low[3]; // corner of the brick
    double middle[3];
    uint32_t batch[BATCH_CELLS];
    uint32_t batch_count;
    Moments* sum;
} BrickIntegral;

static void subcell_center(const BrickIntegral* self, uint32_t i, double out[3])
{
    const AbutFieldHeader* h = self->field->block;
    const uint32_t cell = self->batch[i / CELL_POINTS], sub = i % CELL_POINTS;
    const uint32_t position[3] = { cell % CELLS, cell / CELLS % CELLS, cell / (CELLS * CELLS) };
    for (int axis = 0; axis < 3; ++axis)
    {
        double fraction = SUBCELLS * position[axis] + (sub >> axis & 1u) + 0.5;
        out[axis] = self->low[axis] + h->cell_size / SUBCELLS * fraction;
    }
}

/// Samples the subcells of the cells in the batch, and empties it.
static void add_batch(BrickIntegral* self)
{
    const AbutFieldHeader* h = self->field->block;
    const uint32_t count = self->batch_count * CELL_POINTS;
    float at[3][BATCH_POINTS], value[4][BATCH_POINTS];
    double center[BATCH_POINTS][3];
    for (uint32_t i = 0; i < count; ++i)
    {
        subcell_center(self, i, center[i]);
        for (int axis = 0; axis < 3; ++axis)
        {
            at[axis][i] = (float)center[i][axis];
            center[i][axis] -= self->middle[axis];
        }
    }
    abut_shape_sample(&self->field->base, NULL, (AbutPoints){ at[0], at[1], at[2] }, count,
                      (AbutSamples){ value[0], value[1], value[2], value[3] });
    for (uint32_t i = 0; i < count; ++i)
    {
        const double slope[3] = { value[1][i], value[2][i], value[3][i] };
        double fraction = fraction_below(value[0][i], slope, h->cell_size / SUBCELLS);
        if (fraction > 0.0)
        {
            add_cube(self->sum, center[i], h->cell_size / SUBCELLS, fraction);
        }
    }
    self->batch_count = 0;
}

// -----------------------------------------------------------------------------------------------------------
// Cells without
// -----------------------------------------------------------------------------------------------------------

/// Bounds of the interpolant over cells: of the term of each node, then joined along x, y and z.
typedef struct CellBounds
{
    float low[NODES * NODES * NODES], high[NODES * NODES * NODES];
} CellBounds;

/// Bounds of the terms of the nodes of a brick; false for a brick of the coarse level.
static bool load_nodes(const AbutField* field, uint32_t brick, CellBounds* out)
{
    AbutFieldHeader* h = field->block;
    const bool first_order = h->format == ABUT_FIELD_FIRST_ORDER;
    AbutBrickNodes nodes;
    (first_order ? abut_field_load_brick : abut_field_load_values)(h, brick, &nodes);
    if (nodes.side != NODES)
    {
        return false;
    }
    bool thin = false;
    for (uint32_t i = 0; first_order && i < ABUT_BRICK_NODE_TOTAL; ++i)
    {
        thin |= nodes.thin[i];
    }
    // Half of the gradient counts, and all of it at thin nodes.
    const float factor = thin ? 1.0f : 0.5f;
    for (uint32_t i = 0; i < ABUT_BRICK_NODE_TOTAL; ++i)
    {
        float largest = 0.0f;
        if (first_order)
        {
            largest = factor * (fabsf(nodes.gradient[0][i]) + fabsf(nodes.gradient[1][i]) +
                                fabsf(nodes.gradient[2][i]));
        }
        out->low[i] = nodes.value[i] - largest;
        out->high[i] = nodes.value[i] + largest;
    }
    return true;
}

/// Joins the bounds of each node with those of the next, `step` further on, along all axes in turn: the
/// bounds of a cell end up at its lowest node.
static void join_nodes(CellBounds* bounds)
{
    for (size_t step = 1; step <= NODES * NODES; step *= NODES)
    {
        for (size_t i = 0; i + step < ABUT_BRICK_NODE_TOTAL; ++i)
        {
            bounds->low[i] = bounds->low[i + step] < bounds->low[i] ? bounds->low[i + step] : bounds->low[i];
            bounds->high[i] =
                bounds->high[i + step] > bounds->high[i] ? bounds->high[i + step] : bounds->high[i];
        }
    }
}

static void add_inside_cell(BrickIntegral* self, uint32_t x, uint32_t y, uint32_t z)
{
    const double size = ((const AbutFieldHeader*)self->field->block)->cell_size;
    const double center[3] = { self->low[0] + size * (x + 0.5) - self->middle[0],
                               self->low[1] + size * (y + 0.5) - self->middle[1],
                               self->low[2] + size * (z + 0.5) - self->middle[2] };
    add_cube(self->sum, center, size, 1.0);
}

static void add_cells(BrickIntegral* self, uint32_t brick)
{
    CellBounds bounds;
    bool stored = load_nodes(self->field, brick, &bounds);
    if (stored)
    {
        join_nodes(&bounds);
    }
    for (uint32_t cell = 0; cell < CELLS * CELLS * CELLS; ++cell)
    {
        const uint32_t x = cell % CELLS, y = cell / CELLS % CELLS, z = cell / (CELLS * CELLS);
        const uint32_t node = (z * NODES + y) * NODES + x;
        if (stored && bounds.high[node] < 0.0f)
        {
            add_inside_cell(self, x, y, z);
        }
        else if (!stored || !(bounds.low[node] > 0.0f))
        {
            self->batch[self->batch_count++] = cell;
            if (self->batch_count == BATCH_CELLS)
            {
                add_batch(self);
            }
        }
    }
    add_batch(self);
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
    Moments* sum = &self->bricks[brick];
    int side = abut_field_coarse_side(h, brick);
    if (side == 0)
    {
        AbutFieldBounds bounds = abut_field_brick_bounds(h, brick);
        side = bounds.low > 0.0f ? 1 : (bounds.high < 0.0f ? -1 : 0);
    }
    if (side > 0)
    {
        return;
    }
    uint32_t position[3];
    abut_brick_position(h->brick_count, brick, position);
    BrickIntegral integral = { .field = self->field, .sum = sum };
    double center[3], size = h->cell_size * ABUT_BRICK_CELLS;
    grid_middle(h, integral.middle);
    for (int axis = 0; axis < 3; ++axis)
    {
        integral.low[axis] = h->origin[axis] + size * position[axis];
        center[axis] = integral.low[axis] + 0.5 * size - integral.middle[axis];
    }
    if (side < 0)
    {
        add_cube(sum, center, size, 1.0);
        return;
    }
    add_cells(&integral, brick);
}

static AbutMassData mass_of(const Moments* sum, const double middle[3])
{
    AbutMassData mass = { .volume = sum->volume };
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

AbutResult abut_field_integrate(const AbutShape* field, const AbutHost* host, AbutMassData* out)
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

bool abut_field_mass_is_solid(const AbutMassData* mass)
{
    // For rounding.
    const double slack = 1e-9;
    double m[3][3], trace = mass->inertia[0][0] + mass->inertia[1][1] + mass->inertia[2][2];
    bool solid = mass->volume > 0.0 && isfinite(mass->volume) && trace > 0.0 && isfinite(trace);
    for (int i = 0; i < 3; ++i)
    {
        solid = solid && isfinite(mass->center[i]);
        for (int k = 0; k < 3; ++k)
        {
            m[i][k] = mass->inertia[i][k] / trace; // products of unscaled inertias overflow or underflow
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        int k = (i + 1) % 3;
        solid = solid && m[i][i] >= 0.0 && fabs(m[i][k] - m[k][i]) <= slack &&
                m[i][k] * m[i][k] <= m[i][i] * m[k][k] + slack;
    }
    double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[1][2]) -
                         m[0][1] * (m[0][1] * m[2][2] - m[1][2] * m[0][2]) +
                         m[0][2] * (m[0][1] * m[1][2] - m[1][1] * m[0][2]);
    return solid && determinant >= -slack; // false where one of them is NaN
}
