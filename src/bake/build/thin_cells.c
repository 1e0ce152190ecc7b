// Thin cells. A plate or a rod that is thinner than a cell can pass between the nodes, so that all corners of
// a cell are outside of it (or, for a narrow gap, all inside of the solid). Along its middle the gradients of
// the corners lead back to it: fᵢ + gᵢ·(x − xᵢ) is its depth there, from every corner. But the blend of order
// 1 takes only half of the gradient, and the rest, half of the mean distance of the corners from the middle,
// removes plates thinner than h/2 and rods thinner than 0.71 h. With all of the gradient nothing is removed,
// however thin; see docs/field_format.md for how cells with such corners are blended.
//
// A cell is thin when two corners are on one side and see the surface between them: their gradients oppose,
// both lead away from the other, and the sum of their distances is less than the distance between the
// corners.
//
// The edge of a wedge is not thin, although its flanks oppose. Tangent planes of a convex solid are under its
// distance, so all of the gradient makes it thicker: by A²/2L where the middle of the solid is A from the
// farther of two corners that are L apart, up to half a cell. For a plate that is the price of having no
// hole. Half of the gradient takes nothing but the tip from a wedge, where it is thinner than half a cell, as
// it does from all edges, and its flanks stay where they are.
#include "bake/build/thin_cells.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "field/nodes/node.h"

#include <math.h>
#include <string.h>

/// Cosine between gradients that oppose. The corners of a cell surround any surface in it, so some two of
/// them are nearly opposite; on the flanks of an edge of 60° they are 120° apart, and such edges are not
/// thin.
static const float OPPOSED = -0.6f;

/// Sine of half the angle of an edge, 11.5°; sharper ones are plates.
static const float EDGE_SINE = 0.1f;

/// Half of the diagonal of a cell, in cells: one of two corners that see the surface between them is nearer
/// than this.
static const float HALF_DIAGONAL = 0.8660255f;

/// Bit x of byte y of number z stands for cell (x, y, z) of a brick.
typedef struct CellBits
{
    uint64_t layer[ABUT_BRICK_CELLS];
} CellBits;

typedef struct Marking
{
    const AbutFieldHeader* header;
    const AbutNodeSource* source; // may be NULL
    uint32_t* words;              // of all nodes
    const uint32_t* slots;
    CellBits* bricks; // per stored brick
    bool unmarked;    // no node has its bit yet
} Marking;

/// Where the nodes of a brick are.
typedef struct BrickLocation
{
    size_t first, row, slab;
} BrickLocation;

/// Number among the stored bricks, or ABUT_FIELD_NO_SLOT; positions outside of the grid have none.
static uint32_t stored_number(const Marking* self, const int64_t location[3])
{
    const AbutFieldHeader* h = self->header;
    for (int axis = 0; axis < 3; ++axis)
    {
        if (location[axis] < 0 || location[axis] >= h->brick_count[axis])
        {
            return ABUT_FIELD_NO_SLOT;
        }
    }
    int64_t brick = (location[2] * h->brick_count[1] + location[1]) * h->brick_count[0] + location[0];
    return h->sparse != 0 ? self->slots[brick] : (uint32_t)brick;
}

static BrickLocation brick_location(const Marking* self, const int64_t location[3], uint32_t number)
{
    const AbutFieldHeader* h = self->header;
    size_t row = abut_field_level_nodes(h, 0), slab = row * abut_field_level_nodes(h, 1);
    if (h->sparse != 0)
    {
        size_t coarse = slab * abut_field_level_nodes(h, 2);
        return (BrickLocation){ coarse + (size_t)number * ABUT_BRICK_NODE_TOTAL, ABUT_BRICK_NODES,
                                (size_t)ABUT_BRICK_NODES * ABUT_BRICK_NODES };
    }
    size_t first = (size_t)location[2] * slab + (size_t)location[1] * row + (size_t)location[0];
    return (BrickLocation){ first * ABUT_BRICK_CELLS, row, slab };
}

static void brick_coordinates(const AbutFieldHeader* h, uint32_t brick, int64_t location[3])
{
    uint32_t position[3];
    abut_brick_position(h->brick_count, brick, position);
    location[0] = position[0];
    location[1] = position[1];
    location[2] = position[2];
}

// -----------------------------------------------------------------------------------------------------------
// Cells
// -----------------------------------------------------------------------------------------------------------

static float value_at(const uint32_t* words, size_t node)
{
    uint32_t word = words[2 * node] & ~ABUT_FIELD_NODE_THIN; // as before it was marked
    float value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// True when two corners are on one side and see the surface between them.
static bool is_between(const AbutFieldNode* a, const AbutFieldNode* b, int corner_a, int corner_b)
{
    const float direction[3] = { (float)((corner_b & 1) - (corner_a & 1)),
                                 (float)((corner_b >> 1 & 1) - (corner_a >> 1 & 1)),
                                 (float)((corner_b >> 2) - (corner_a >> 2)) };
    float both = a->value + b->value, side = a->value > 0.0f ? 1.0f : -1.0f;
    return a->value * b->value > 0.0f && both * both < dot(direction, direction) &&
           dot(a->gradient, b->gradient) < OPPOSED && side * dot(a->gradient, direction) < 0.0f &&
           side * dot(b->gradient, direction) > 0.0f;
}

/// A cell by its lowest node: among all nodes, and in the grid.
typedef struct CellLocation
{
    size_t lowest;
    double at[3]; // in cells
    uint32_t worker;
} CellLocation;

/// True when the surface between two corners is a sheet, which has no inside in any blend: the surface
/// closest to the middle of the feet of the corners is a sheet.
static bool sees_sheet(const Marking* self, const CellLocation* cell, const AbutFieldNode* corners, int a,
                       int b)
{
    if (self->source == NULL || self->source->is_sheet == NULL)
    {
        return false;
    }
    double middle[] = { 0.0, 0.0, 0.0 };
    for (int axis = 0; axis < 3; ++axis)
    {
        double foot_a = (a >> axis & 1) - (double)corners[a].value * (double)corners[a].gradient[axis];
        double foot_b = (b >> axis & 1) - (double)corners[b].value * (double)corners[b].gradient[axis];
        middle[axis] =
            self->header->origin[axis] + self->header->cell_size * (cell->at[axis] + 0.5 * (foot_a + foot_b));
    }
    return self->source->is_sheet(self->source->context, cell->worker, abut_dvec3_from_array(middle));
}

/// True when the corners see the edge of a wedge: its flanks have the most opposed gradients, and all
/// gradients lead away from the wedge, to the side of the edge. Around plates and rods they lead to all
/// sides.
static bool is_edge(const AbutFieldNode corners[8])
{
    float away[3] = { 0.0f, 0.0f, 0.0f }, least = INFINITY;
    for (int pair = 0; pair < 64; ++pair)
    {
        const float *a = corners[pair / 8].gradient, *b = corners[pair % 8].gradient, cosine = dot(a, b);
        for (int axis = 0; axis < 3 && cosine < least; ++axis)
        {
            away[axis] = a[axis] + b[axis];
        }
        least = fminf(least, cosine);
    }
    float length = sqrtf(dot(away, away)), lowest = INFINITY;
    for (int i = 0; i < 8; ++i)
    {
        lowest = fminf(lowest, dot(away, corners[i].gradient));
    }
    return length > 2.0f * EDGE_SINE && lowest > EDGE_SINE * length;
}

static bool is_thin(const Marking* self, const BrickLocation* location, const CellLocation* cell)
{
    size_t lowest = cell->lowest;
    AbutFieldNode corners[8];
    float nearest = INFINITY;
    for (size_t i = 0; i < 8; ++i)
    {
        size_t node = lowest + (i & 1) + (i >> 1 & 1) * location->row + (i >> 2) * location->slab;
        nearest = fminf(nearest, fabsf(value_at(self->words, node)));
    }
    for (size_t i = 0; i < 8 && nearest < HALF_DIAGONAL; ++i)
    {
        size_t node = lowest + (i & 1) + (i >> 1 & 1) * location->row + (i >> 2) * location->slab;
        corners[i] = abut_field_node(self->words, ABUT_FIELD_FIRST_ORDER, 1.0, node);
        corners[i].value = value_at(self->words, node);
    }
    for (int pair = 0; pair < 64 && nearest < HALF_DIAGONAL; ++pair)
    {
        int i = pair / 8, j = pair % 8;
        if (i < j && is_between(&corners[i], &corners[j], i, j) && !sees_sheet(self, cell, corners, i, j))
        {
            return !is_edge(corners);
        }
    }
    return false;
}

/// True when some node of the brick is near enough to the surface for a thin cell.
static bool is_near(const Marking* self, const BrickLocation* location)
{
    for (size_t i = 0; i < (size_t)ABUT_BRICK_NODES * ABUT_BRICK_NODES; ++i)
    {
        size_t first =
            location->first + i / ABUT_BRICK_NODES * location->slab + i % ABUT_BRICK_NODES * location->row;
        for (size_t x = 0; x < ABUT_BRICK_NODES; ++x)
        {
            if (fabsf(value_at(self->words, first + x)) < HALF_DIAGONAL)
            {
                return true;
            }
        }
    }
    return false;
}

static void find_thin_cells(void* context, uint32_t brick, uint32_t worker)
{
    const Marking* self = context;
    int64_t at[3];
    brick_coordinates(self->header, brick, at);
    uint32_t number = stored_number(self, at);
    if (number == ABUT_FIELD_NO_SLOT)
    {
        return;
    }
    BrickLocation location = brick_location(self, at, number);
    const size_t cells = (size_t)ABUT_BRICK_CELLS * ABUT_BRICK_CELLS * ABUT_BRICK_CELLS;
    for (size_t i = is_near(self, &location) ? 0 : cells; i < cells; ++i)
    {
        size_t x = i % ABUT_BRICK_CELLS, y = i / ABUT_BRICK_CELLS % ABUT_BRICK_CELLS;
        size_t z = i / ABUT_BRICK_CELLS / ABUT_BRICK_CELLS;
        const CellLocation cell = { location.first + z * location.slab + y * location.row + x,
                                    { (double)(ABUT_BRICK_CELLS * at[0]) + (double)x,
                                      (double)(ABUT_BRICK_CELLS * at[1]) + (double)y,
                                      (double)(ABUT_BRICK_CELLS * at[2]) + (double)z },
                                    worker };
        if (is_thin(self, &location, &cell))
        {
            self->bricks[number].layer[z] |= UINT64_C(1) << (8 * y + x);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Nodes
// -----------------------------------------------------------------------------------------------------------

/// The cells of a brick and one more all around, bit x of row y of layer z.
typedef struct CellsAround
{
    uint16_t row[ABUT_BRICK_CELLS + 2][ABUT_BRICK_CELLS + 2];
} CellsAround;

static uint32_t cell_bit(const Marking* self, uint32_t number, uint32_t x, uint32_t y, uint32_t z)
{
    return (uint32_t)(self->bricks[number].layer[z] >> (8 * y + x) & 1u);
}

static bool has_thin_cells(const CellBits* bits)
{
    uint64_t all = 0;
    for (int z = 0; z < ABUT_BRICK_CELLS; ++z)
    {
        all |= bits->layer[z];
    }
    return all != 0;
}

/// Adds the cells of the brick `step` away that touch this one.
static bool add_neighbour(const Marking* self, const int64_t at[3], const int step[3], CellsAround* out)
{
    const int64_t location[3] = { at[0] + step[0], at[1] + step[1], at[2] + step[2] };
    uint32_t number = stored_number(self, location);
    if (number == ABUT_FIELD_NO_SLOT || !has_thin_cells(&self->bricks[number]))
    {
        return false;
    }
    bool any = false;
    uint32_t first[3], count[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        first[axis] = step[axis] < 0 ? (uint32_t)ABUT_BRICK_CELLS - 1u : 0u;
        count[axis] = step[axis] == 0 ? (uint32_t)ABUT_BRICK_CELLS : 1u;
    }
    for (uint32_t i = 0; i < count[0] * count[1] * count[2]; ++i)
    {
        uint32_t x = first[0] + i % count[0], y = first[1] + i / count[0] % count[1];
        uint32_t z = first[2] + i / count[0] / count[1];
        uint32_t bit = cell_bit(self, number, x, y, z);
        int to[3] = { (int)x + 1 + 8 * step[0], (int)y + 1 + 8 * step[1], (int)z + 1 + 8 * step[2] };
        out->row[to[2]][to[1]] = (uint16_t)(out->row[to[2]][to[1]] | bit << to[0]);
        any = any || bit != 0;
    }
    return any;
}

static bool load_cells_around(const Marking* self, const int64_t at[3], CellsAround* out)
{
    bool any = false;
    memset(out, 0, sizeof(*out));
    for (int i = 0; i < 27; ++i)
    {
        const int step[3] = { i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1 };
        any = add_neighbour(self, at, step, out) || any;
    }
    return any;
}

/// Node (x, y, z) of a brick has the cells x and x + 1, y and y + 1, z and z + 1 of the cells around.
static bool is_thin_node(const CellsAround* cells, size_t x, size_t y, size_t z)
{
    unsigned rows = cells->row[z][y] | cells->row[z][y + 1] | cells->row[z + 1][y] | cells->row[z + 1][y + 1];
    return (rows >> x & 3u) != 0;
}

static void mark_nodes(void* context, uint32_t brick, uint32_t worker)
{
    (void)worker;
    const Marking* self = context;
    const AbutFieldHeader* h = self->header;
    CellsAround cells;
    int64_t at[3];
    brick_coordinates(h, brick, at);
    uint32_t number = stored_number(self, at);
    if (number == ABUT_FIELD_NO_SLOT)
    {
        return;
    }
    BrickLocation location = brick_location(self, at, number);
    bool any = load_cells_around(self, at, &cells);
    if (!any && self->unmarked)
    {
        return;
    }
    size_t count[3]; // a dense field has a node once: it belongs to the brick that begins with it
    for (int axis = 0; axis < 3; ++axis)
    {
        bool last = at[axis] + 1 == h->brick_count[axis];
        count[axis] = h->sparse != 0 || last ? ABUT_BRICK_NODES : ABUT_BRICK_CELLS;
    }
    for (size_t z = 0; z < count[2]; ++z)
    {
        for (size_t y = 0; y < count[1]; ++y)
        {
            uint32_t* words = &self->words[2 * (location.first + z * location.slab + y * location.row)];
            for (size_t x = 0; x < count[0]; ++x)
            {
                uint32_t bit = any && is_thin_node(&cells, x, y, z) ? ABUT_FIELD_NODE_THIN : 0u;
                words[2 * x] = (words[2 * x] & ~ABUT_FIELD_NODE_THIN) | bit;
            }
        }
    }
}

AbutResult abut_build_mark_thin(AbutBuild* build)
{
    const AbutFieldHeader* h = &build->header;
    if (h->format != ABUT_FIELD_FIRST_ORDER)
    {
        return ABUT_OK;
    }
    Marking self = {
        .header = h,
        .source = build->source,
        .words = abut_field_section(build->block, ABUT_FIELD_NODES),
        .unmarked = build->reuse == NULL,
        .slots = abut_field_section(build->block, ABUT_FIELD_SLOTS),
        .bricks =
            abut_memory_allocate_zero(&build->host, (size_t)h->stored_brick_count + 1, sizeof(CellBits)),
    };
    if (self.bricks == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    uint32_t total = h->brick_count[0] * h->brick_count[1] * h->brick_count[2];
    abut_parallel_for(&build->host, total, find_thin_cells, &self);
    abut_parallel_for(&build->host, total, mark_nodes, &self);
    abut_memory_free(&build->host, self.bricks, (size_t)h->stored_brick_count + 1, sizeof(CellBits));
    return ABUT_OK;
}
