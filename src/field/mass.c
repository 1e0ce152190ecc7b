#include "field/mass.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "field/bounds/pyramid.h"
#include "field/nodes/brick_nodes.h"
#include "math/dmat3.h"

#include <math.h>
#include <string.h>

/// Integrals over a region of the solid, about the middle of the grid: volume, first and second moments.
typedef struct Moments
{
    double volume;
    AbutDVec3 first;
    AbutDVec3 squares, products; // xx yy zz, xy yz zx
} Moments;

/// The coordinates in cyclic order: y z x.
static AbutDVec3 rotate_axes(AbutDVec3 v)
{
    return abut_dvec3(v.y, v.z, v.x);
}

typedef struct Integral
{
    const AbutField* field;
    Moments* bricks;
} Integral;

static void add_cube(Moments* sum, AbutDVec3 center, double size, double fraction)
{
    double v = fraction * size * size * size, own = v * size * size / 12.0;
    AbutDVec3 first = abut_dvec3_scale(center, v);
    AbutDVec3 squares = abut_dvec3_add(abut_dvec3_mul(first, center), abut_dvec3(own, own, own));
    sum->volume += v;
    sum->first = abut_dvec3_add(sum->first, first);
    sum->squares = abut_dvec3_add(sum->squares, squares);
    sum->products = abut_dvec3_add(sum->products, abut_dvec3_mul(first, rotate_axes(center)));
}

/// Fraction of a cube of side `size` below zero when f is linear with the given slope: the volume below a
/// plane, smoothed to a ramp over the cube's extent along the slope.
static double fraction_below(double f, AbutDVec3 slope, double size)
{
    double half = 0.5 * size * (fabs(slope.x) + fabs(slope.y) + fabs(slope.z));
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
    AbutDVec3 low;    // corner of the brick
    AbutDVec3 middle; // of the grid
    uint32_t batch[BATCH_CELLS];
    uint32_t batch_count;
    Moments* sum;
} BrickIntegral;

static AbutDVec3 subcell_center(const BrickIntegral* self, uint32_t i)
{
    const AbutFieldHeader* h = self->field->block;
    const uint32_t cell = self->batch[i / CELL_POINTS], sub = i % CELL_POINTS;
    AbutDVec3 subcells = abut_dvec3(SUBCELLS * (cell % CELLS) + (sub & 1u) + 0.5,
                                    SUBCELLS * (cell / CELLS % CELLS) + (sub >> 1 & 1u) + 0.5,
                                    SUBCELLS * (cell / (CELLS * CELLS)) + (sub >> 2) + 0.5);
    return abut_dvec3_mul_add(self->low, h->cell_size / SUBCELLS, subcells);
}

/// Samples the subcells of the cells in the batch, and empties it.
static void add_batch(BrickIntegral* self)
{
    const AbutFieldHeader* h = self->field->block;
    const uint32_t count = self->batch_count * CELL_POINTS;
    float at[3][BATCH_POINTS], value[4][BATCH_POINTS];
    AbutDVec3 offsets[BATCH_POINTS]; // from the middle of the grid
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutDVec3 center = subcell_center(self, i);
        at[0][i] = (float)center.x;
        at[1][i] = (float)center.y;
        at[2][i] = (float)center.z;
        offsets[i] = abut_dvec3_sub(center, self->middle);
    }
    abut_shape_sample(&self->field->base, NULL, (AbutPoints){ at[0], at[1], at[2] }, count,
                      (AbutSamples){ value[0], value[1], value[2], value[3] });
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutDVec3 slope = abut_dvec3(value[1][i], value[2][i], value[3][i]);
        double fraction = fraction_below(value[0][i], slope, h->cell_size / SUBCELLS);
        if (fraction > 0.0)
        {
            add_cube(self->sum, offsets[i], h->cell_size / SUBCELLS, fraction);
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
    AbutDVec3 center = abut_dvec3_mul_add(self->low, size, abut_dvec3(x + 0.5, y + 0.5, z + 0.5));
    add_cube(self->sum, abut_dvec3_sub(center, self->middle), size, 1.0);
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

static AbutDVec3 grid_middle(const AbutFieldHeader* h)
{
    AbutDVec3 bricks = abut_dvec3(h->brick_count[0], h->brick_count[1], h->brick_count[2]);
    return abut_dvec3_mul_add(abut_dvec3_from_array(h->origin), 0.5 * h->cell_size * ABUT_BRICK_CELLS,
                              bricks);
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
    double size = h->cell_size * ABUT_BRICK_CELLS;
    AbutDVec3 low = abut_dvec3_mul_add(abut_dvec3_from_array(h->origin), size,
                                       abut_dvec3(position[0], position[1], position[2]));
    BrickIntegral integral = { .field = self->field, .low = low, .middle = grid_middle(h), .sum = sum };
    if (side < 0)
    {
        AbutDVec3 half = abut_dvec3(0.5 * size, 0.5 * size, 0.5 * size);
        add_cube(sum, abut_dvec3_sub(abut_dvec3_add(low, half), integral.middle), size, 1.0);
        return;
    }
    add_cells(&integral, brick);
}

static AbutMassData mass_of(const Moments* sum, AbutDVec3 middle)
{
    AbutMassData mass = { .volume = sum->volume };
    if (!(sum->volume > 0.0))
    {
        return mass;
    }
    AbutDVec3 center = abut_dvec3_div(sum->first, sum->volume);
    abut_dvec3_to_array(abut_dvec3_add(center, middle), mass.center);
    // Second moments about the centre.
    AbutDVec3 first = abut_dvec3_scale(center, sum->volume);
    AbutDVec3 squares = abut_dvec3_sub(sum->squares, abut_dvec3_mul(first, center));
    AbutDVec3 products = abut_dvec3_sub(sum->products, abut_dvec3_mul(first, rotate_axes(center)));
    mass.inertia[0][0] = squares.y + squares.z;
    mass.inertia[1][1] = squares.z + squares.x;
    mass.inertia[2][2] = squares.x + squares.y;
    mass.inertia[0][1] = mass.inertia[1][0] = -products.x;
    mass.inertia[1][2] = mass.inertia[2][1] = -products.y;
    mass.inertia[2][0] = mass.inertia[0][2] = -products.z;
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
        const Moments* brick = &self.bricks[i];
        sum.volume += brick->volume;
        sum.first = abut_dvec3_add(sum.first, brick->first);
        sum.squares = abut_dvec3_add(sum.squares, brick->squares);
        sum.products = abut_dvec3_add(sum.products, brick->products);
    }
    abut_memory_free(&resolved, self.bricks, total, sizeof(Moments));
    *out = mass_of(&sum, grid_middle(h));
    return ABUT_OK;
}

bool abut_field_mass_is_solid(const AbutMassData* mass)
{
    // For rounding.
    const double slack = 1e-9;
    double trace = mass->inertia[0][0] + mass->inertia[1][1] + mass->inertia[2][2];
    bool solid = mass->volume > 0.0 && isfinite(mass->volume) && trace > 0.0 && isfinite(trace) &&
                 abut_dvec3_is_finite(abut_dvec3_from_array(mass->center));
    // Products of unscaled inertias overflow or underflow.
    AbutDMat3 scaled = abut_dmat3_from_rows(abut_dvec3_div(abut_dvec3_from_array(mass->inertia[0]), trace),
                                            abut_dvec3_div(abut_dvec3_from_array(mass->inertia[1]), trace),
                                            abut_dvec3_div(abut_dvec3_from_array(mass->inertia[2]), trace));
    const double(*m)[3] = scaled.m;
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
