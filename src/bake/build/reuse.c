#include "bake/build/reuse.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "field/nodes/node.h"
#include "math/rounding.h"

#include <math.h>

typedef struct Search
{
    const AbutBuild* build;
    AbutReuse* reuse;
    const AbutFieldHeader* header; // of the earlier field
} Search;

// -----------------------------------------------------------------------------------------------------------
// Nodes of the earlier field
// -----------------------------------------------------------------------------------------------------------

/// Rounding of the 16-bit formats, relative to the value, and to a cell for the smallest.
static const double HALF_ROUNDING = 0x1p-10, HALF_STEP = 0x1p-24;

/// The most that the distance at a node can have been.
static double node_distance(const Search* self, size_t node, double cell_size)
{
    AbutFieldFormat format = (AbutFieldFormat)self->header->format;
    AbutFieldNode value = abut_field_node(abut_reuse_nodes(self->reuse), format, cell_size, node);
    double size = fabs((double)value.value * cell_size + self->reuse->change.offset);
    return format == ABUT_FIELD_F32
               ? size * (1.0 + 1e-6)
               : size + fabs((double)value.value) * cell_size * HALF_ROUNDING + HALF_STEP * cell_size;
}

/// Where the nodes of a brick are; false for one that only the coarse level stands for.
typedef struct BrickLocation
{
    uint32_t at[3];
    size_t first, row, slab;
    bool stored;
} BrickLocation;

static BrickLocation locate_brick(const Search* self, uint32_t brick)
{
    const AbutFieldHeader* h = self->header;
    BrickLocation location = { .stored = false };
    abut_brick_position(h->brick_count, brick, location.at);
    size_t row = abut_field_level_nodes(h, 0), slab = row * abut_field_level_nodes(h, 1);
    size_t corner = location.at[2] * slab + location.at[1] * row + location.at[0];
    if (h->sparse == 0)
    {
        location.first = corner * ABUT_BRICK_CELLS;
        location.row = row;
        location.slab = slab;
        location.stored = true;
        return location;
    }
    uint32_t slot = abut_reuse_slots(self->reuse)[brick];
    location.stored = slot != ABUT_FIELD_NO_SLOT;
    location.first =
        location.stored ? slab * abut_field_level_nodes(h, 2) + (size_t)slot * ABUT_BRICK_NODE_TOTAL : corner;
    location.row = location.stored ? (size_t)ABUT_BRICK_NODES : row;
    location.slab = location.stored ? (size_t)ABUT_BRICK_NODES * ABUT_BRICK_NODES : slab;
    return location;
}

static double fine_distance(const Search* self, const BrickLocation* location, const uint32_t node[3])
{
    return node_distance(self, location->first + node[2] * location->slab + node[1] * location->row + node[0],
                         self->header->cell_size);
}

/// An upper bound of the distance in the middle of a brick, from its corners.
static double coarse_distance(const Search* self, const BrickLocation* location, double radius)
{
    double least = INFINITY;
    for (size_t corner = 0; corner < 8; ++corner)
    {
        size_t node = location->first + (corner >> 2) * location->slab + (corner >> 1 & 1) * location->row +
                      (corner & 1);
        least = fmin(least, node_distance(self, node, self->header->cell_size * ABUT_BRICK_CELLS));
    }
    return least + radius;
}

// -----------------------------------------------------------------------------------------------------------
// Bricks
// -----------------------------------------------------------------------------------------------------------

static const double HALF_DIAGONAL = 0.86602540378443865;

static AbutDVec3 node_point(const Search* self, const BrickLocation* location, const uint32_t node[3])
{
    double at[] = { 0.0, 0.0, 0.0 };
    for (int axis = 0; axis < 3; ++axis)
    {
        double number = (double)location->at[axis] * ABUT_BRICK_CELLS + node[axis];
        at[axis] = self->header->origin[axis] + self->header->cell_size * number;
    }
    return abut_dvec3_from_array(at);
}

/// True when a cube of `size` cells (8, 4 or 2) from a node of the brick on is unchanged.
static bool cube_is_unchanged(const Search* self, const BrickLocation* location, const uint32_t low[3],
                              uint32_t size)
{
    const AbutChange* change = &self->reuse->change;
    const uint32_t middle[3] = { low[0] + size / 2, low[1] + size / 2, low[2] + size / 2 };
    double radius = change->slope * HALF_DIAGONAL * size * self->header->cell_size;
    AbutDVec3 point = node_point(self, location, middle);
    double clearance_left =
        change->clearance(change->context, point) - fine_distance(self, location, middle) - change->tolerance;
    if (clearance_left > radius)
    {
        return true;
    }
    if (!(clearance_left > 0.0) || size == 2)
    {
        return false;
    }
    bool unchanged_here = true;
    for (uint32_t subgrid = 0; subgrid < 8 && unchanged_here; ++subgrid)
    {
        const uint32_t at[3] = { low[0] + (subgrid & 1) * size / 2, low[1] + (subgrid >> 1 & 1) * size / 2,
                                 low[2] + (subgrid >> 2) * size / 2 };
        unchanged_here = cube_is_unchanged(self, location, at, size / 2);
    }
    return unchanged_here;
}

static bool coarse_brick_is_unchanged(const Search* self, const BrickLocation* location)
{
    const AbutChange* change = &self->reuse->change;
    const uint32_t middle[3] = { ABUT_BRICK_CELLS / 2, ABUT_BRICK_CELLS / 2, ABUT_BRICK_CELLS / 2 };
    double radius = change->slope * HALF_DIAGONAL * ABUT_BRICK_CELLS * self->header->cell_size;
    AbutDVec3 point = node_point(self, location, middle);
    return change->clearance(change->context, point) - coarse_distance(self, location, radius) -
               change->tolerance >
           radius;
}

/// True when a node is so near to the surface that its sign is a matter of rounding.
static bool touches_surface(const Search* self, const BrickLocation* location)
{
    double limit = self->reuse->change.touching;
    const uint32_t middle[3] = { ABUT_BRICK_CELLS / 2, ABUT_BRICK_CELLS / 2, ABUT_BRICK_CELLS / 2 };
    double radius = self->reuse->change.slope * HALF_DIAGONAL * ABUT_BRICK_CELLS * self->header->cell_size;
    if (!(limit > 0.0) || !location->stored || fine_distance(self, location, middle) > limit + radius)
    {
        return false;
    }
    uint32_t node[3];
    for (node[2] = 0; node[2] < ABUT_BRICK_NODES; ++node[2])
    {
        for (node[1] = 0; node[1] < ABUT_BRICK_NODES; ++node[1])
        {
            for (node[0] = 0; node[0] < ABUT_BRICK_NODES; ++node[0])
            {
                if (!(fine_distance(self, location, node) > limit))
                {
                    return true;
                }
            }
        }
    }
    return false;
}

/// The box of a brick, a cell wider on every side.
static AbutBox brick_box(const Search* self, const BrickLocation* location)
{
    const uint32_t first[3] = { 0, 0, 0 }, last[3] = { ABUT_BRICK_CELLS, ABUT_BRICK_CELLS, ABUT_BRICK_CELLS };
    AbutBox box = abut_box(abut_dvec3_to_vec3(node_point(self, location, first)),
                           abut_dvec3_to_vec3(node_point(self, location, last)));
    return abut_box_expand(box, (float)self->header->cell_size);
}

/// Certain signs do not depend on the method. Tested for twice the brick, so that the result is the same for
/// every box of it.
static bool is_certain(const Search* self, const BrickLocation* location)
{
    const AbutNodeSource* source = self->build->source;
    AbutDVec3 center = node_point(self, location, (const uint32_t[3]){ 4, 4, 4 });
    return source->is_certain == NULL ||
           source->is_certain(source->context, center,
                              2.0 * HALF_DIAGONAL * (ABUT_BRICK_CELLS + 2) * self->header->cell_size);
}

static void find_brick(void* context, uint32_t brick, uint32_t worker)
{
    (void)worker;
    const Search* self = context;
    const AbutChange* change = &self->reuse->change;
    BrickLocation location = locate_brick(self, brick);
    bool unchanged_here =
        location.stored ? cube_is_unchanged(self, &location, (const uint32_t[3]){ 0, 0, 0 }, ABUT_BRICK_CELLS)
                        : coarse_brick_is_unchanged(self, &location);
    unchanged_here =
        unchanged_here &&
        (change->overlaps == NULL || !change->overlaps(change->context, brick_box(self, &location))) &&
        !touches_surface(self, &location) && is_certain(self, &location);
    self->reuse->dirty[brick] = unchanged_here ? 0 : 1;
}

static uint32_t brick_total(const AbutFieldHeader* h)
{
    return h->brick_count[0] * h->brick_count[1] * h->brick_count[2];
}

// -----------------------------------------------------------------------------------------------------------
// Bounds
// -----------------------------------------------------------------------------------------------------------

enum
{
    /// Cell errors depend on nodes of the bricks around, and the mark of thin nodes there on the bricks
    /// around those.
    BOUND_RINGS = 2,
};

/// Bricks [low, high] along each axis; positions past the last brick mean the last.
static bool any_dirty(const AbutReuse* reuse, const uint32_t count[3], uint32_t low[3], uint32_t high[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        low[axis] = low[axis] < count[axis] ? low[axis] : count[axis] - 1;
        high[axis] = high[axis] < count[axis] ? high[axis] : count[axis] - 1;
    }
    for (uint32_t z = low[2]; z <= high[2]; ++z)
    {
        for (uint32_t y = low[1]; y <= high[1]; ++y)
        {
            for (uint32_t x = low[0]; x <= high[0]; ++x)
            {
                if (reuse->dirty[(z * count[1] + y) * count[0] + x] != 0)
                {
                    return true;
                }
            }
        }
    }
    return false;
}

static void mark_unchanged(void* context, uint32_t brick, uint32_t worker)
{
    (void)worker;
    const Search* self = context;
    uint32_t at[3], low[3], high[3];
    abut_brick_position(self->header->brick_count, brick, at);
    for (int axis = 0; axis < 3; ++axis)
    {
        low[axis] = at[axis] < BOUND_RINGS ? 0 : at[axis] - BOUND_RINGS;
        high[axis] = at[axis] + BOUND_RINGS;
    }
    self->reuse->unchanged[brick] = !any_dirty(self->reuse, self->header->brick_count, low, high) &&
                                    abut_field_is_certain_around(self->reuse->block, brick);
}

/// Bounds depend on nodes and on the certainty of the source.
static bool same_source(const AbutBuild* build, const AbutFieldHeader* old)
{
    return old->source_slope == (float)build->slope && old->node_error == abut_round_up(build->node_error);
}

// -----------------------------------------------------------------------------------------------------------
// All bricks
// -----------------------------------------------------------------------------------------------------------

AbutResult abut_reuse_create(const AbutBuild* build, void* block, const AbutChange* change, AbutReuse* out)
{
    uint32_t total = brick_total(&build->header);
    *out = (AbutReuse){ .host = build->host, .block = block, .change = *change, .brick_count = total };
    out->dirty = abut_memory_allocate(&build->host, total, sizeof(uint8_t));
    out->unchanged = abut_memory_allocate_zero(&build->host, total, sizeof(uint8_t));
    if (out->dirty == NULL || out->unchanged == NULL)
    {
        abut_reuse_destroy(out);
        return ABUT_OUT_OF_MEMORY;
    }
    Search self = { build, out, block };
    abut_parallel_for(&build->host, total, find_brick, &self);
    for (uint32_t i = 0; i < total; ++i)
    {
        out->dirty_count += out->dirty[i];
    }
    if (same_source(build, block))
    {
        abut_parallel_for(&build->host, total, mark_unchanged, &self);
    }
    return ABUT_OK;
}

void abut_reuse_destroy(AbutReuse* reuse)
{
    if (reuse->brick_count != 0)
    {
        abut_memory_free(&reuse->host, reuse->dirty, reuse->brick_count, sizeof(uint8_t));
        abut_memory_free(&reuse->host, reuse->unchanged, reuse->brick_count, sizeof(uint8_t));
    }
    *reuse = (AbutReuse){ 0 };
}

/// True with a dirty brick among those that begin at or before the nodes of a box, and `before` more on its
/// lower sides.
static bool any_subgrid_dirty(const AbutBuild* build, const AbutNodeGrid* subgrid, uint32_t step,
                              uint32_t before)
{
    uint32_t low[3], high[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        uint32_t last = subgrid->begin[axis] + subgrid->node_count[axis] - 1;
        low[axis] = subgrid->begin[axis] * step / ABUT_BRICK_CELLS;
        low[axis] -= low[axis] > 0 ? before : 0u;
        high[axis] = last * step / ABUT_BRICK_CELLS;
    }
    return any_dirty(build->reuse, build->header.brick_count, low, high);
}

bool abut_reuse_is_dirty(const AbutBuild* build, const AbutNodeGrid* subgrid, uint32_t step)
{
    // A node on the face between two bricks is in both, and one that holds is enough.
    return build->reuse == NULL || any_subgrid_dirty(build, subgrid, step, 0);
}

bool abut_reuse_is_needed(const AbutBuild* build, const AbutNodeGrid* subgrid, uint32_t step)
{
    return build->reuse == NULL || any_subgrid_dirty(build, subgrid, step, 1);
}

static const void* old_section(const AbutReuse* reuse, AbutFieldSectionName name)
{
    const AbutFieldHeader* h = reuse->block;
    return (const char*)h + h->sections[name].offset;
}

const void* abut_reuse_nodes(const AbutReuse* reuse)
{
    return old_section(reuse, ABUT_FIELD_NODES);
}

AbutPackedBounds abut_reuse_bounds(const AbutReuse* reuse, uint32_t brick)
{
    const AbutFieldHeader* h = reuse->block;
    const AbutPackedBounds* entries = old_section(reuse, ABUT_FIELD_PYRAMID);
    return entries[h->sparse != 0 ? abut_reuse_slots(reuse)[brick] : brick];
}

const uint8_t* abut_reuse_cell_errors(const AbutReuse* reuse, uint32_t brick)
{
    const uint8_t* errors = old_section(reuse, ABUT_FIELD_CELL_ERRORS);
    return errors + (size_t)abut_reuse_slots(reuse)[brick] * ABUT_CELL_ERROR_BYTES;
}

const uint32_t* abut_reuse_slots(const AbutReuse* reuse)
{
    return old_section(reuse, ABUT_FIELD_SLOTS);
}
