#include "field/bounds/distance_octree.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "field/bounds/pyramid.h"
#include "field/nodes/brick_nodes.h"

#include <math.h>
#include <string.h>

enum
{
    LARGEST = 32767,
    FAR = 255 // largest distance to an uncertain brick, in bricks
};

/// From the middle of a brick to its corners, in cells.
static const double BRICK_RADIUS = 6.928203230275509;

typedef struct DistanceOctreeBuild
{
    void* block;
    AbutDistanceOctree octree;
    const float* middles;
    // per brick, distance in bricks to the nearest one with an uncertain sign; NULL when there is none
    uint8_t* uncertain;
} DistanceOctreeBuild;

static uint32_t brick_total(const AbutFieldHeader* h)
{
    return h->brick_count[0] * h->brick_count[1] * h->brick_count[2];
}

// -----------------------------------------------------------------------------------------------------------
// Layout
// -----------------------------------------------------------------------------------------------------------

static uint64_t leaf_total(const AbutFieldHeader* h)
{
    return h->sparse != 0 ? h->stored_brick_count : brick_total(h);
}

float abut_distance_octree_step(const AbutFieldHeader* header)
{
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double cells = (double)header->brick_count[axis] * ABUT_BRICK_CELLS;
        squared += cells * cells;
    }
    return header->has_octree != 0 ? (float)(sqrt(squared) / LARGEST) : 0.0f;
}

uint64_t abut_distance_octree_count(const AbutFieldHeader* header)
{
    if (header->has_octree == 0)
    {
        return 0;
    }
    uint64_t total = leaf_total(header) * ABUT_DISTANCE_OCTREE_LEAF;
    uint64_t count[3] = { header->brick_count[0], header->brick_count[1], header->brick_count[2] };
    do
    {
        abut_pyramid_halve(count);
        total += 8 * count[0] * count[1] * count[2];
    } while (count[0] * count[1] * count[2] > 1);
    return total;
}

AbutDistanceOctree abut_distance_octree_make(void* block)
{
    const AbutFieldHeader* h = block;
    if (h->has_octree == 0)
    {
        return (AbutDistanceOctree){ .leaves = NULL };
    }
    AbutDistanceOctree octree = {
        .leaves = abut_field_section(block, ABUT_FIELD_DISTANCE_OCTREE),
        .slots = h->sparse != 0 ? abut_field_section(block, ABUT_FIELD_SLOTS) : NULL,
        .step = h->octree_step,
    };
    memcpy(octree.brick_count, h->brick_count, sizeof(octree.brick_count));
    const int16_t* next = octree.leaves + leaf_total(h) * ABUT_DISTANCE_OCTREE_LEAF;
    uint32_t count[3] = { h->brick_count[0], h->brick_count[1], h->brick_count[2] };
    do
    {
        abut_pyramid_halve_count(count);
        memcpy(octree.group_count[octree.level_count], count, sizeof(count));
        octree.levels[octree.level_count++] = next;
        next += 8 * (size_t)count[0] * count[1] * count[2];
    } while (count[0] > 1 || count[1] > 1 || count[2] > 1);
    return octree;
}

// -----------------------------------------------------------------------------------------------------------
// Uncertain signs
// -----------------------------------------------------------------------------------------------------------

/// One pass over the bricks from one corner to the opposite one: each is one further than the nearest of its
/// earlier neighbours.
static void spread_uncertain(const AbutFieldHeader* h, uint8_t* uncertain, bool backward)
{
    const int64_t count[3] = { h->brick_count[0], h->brick_count[1], h->brick_count[2] };
    int64_t total = count[0] * count[1] * count[2];
    for (int64_t ordinal = 0; ordinal < total; ++ordinal)
    {
        int64_t i = backward ? total - 1 - ordinal : ordinal;
        const int64_t position[3] = { i % count[0], i / count[0] % count[1], i / count[0] / count[1] };
        for (int n = 0; n < 13; ++n) // the earlier half of the neighbours
        {
            const int64_t step[3] = { n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1 };
            int64_t other = 0;
            bool inside = true;
            for (int axis = 2; axis >= 0; --axis)
            {
                int64_t at = position[axis] + (backward ? -step[axis] : step[axis]);
                inside = inside && at >= 0 && at < count[axis];
                other = other * count[axis] + at;
            }
            if (inside && uncertain[other] < FAR && uncertain[other] + 1 < uncertain[i])
            {
                uncertain[i] = (uint8_t)(uncertain[other] + 1);
            }
        }
    }
}

static AbutResult find_uncertain(DistanceOctreeBuild* self, const AbutHost* host)
{
    const AbutFieldHeader* h = self->block;
    if (isfinite(abut_field_root_bounds(self->block).error))
    {
        return ABUT_OK;
    }
    self->uncertain = abut_memory_allocate(host, brick_total(h), 1);
    if (self->uncertain == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t brick = 0; brick < brick_total(h); ++brick)
    {
        self->uncertain[brick] = isinf(abut_field_brick_bounds(self->block, brick).error) ? 0 : FAR;
    }
    spread_uncertain(h, self->uncertain, false);
    spread_uncertain(h, self->uncertain, true);
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Numbers
// -----------------------------------------------------------------------------------------------------------

/// The number of a distance within `error` of `value` (in cells), with certain signs within `certain`.
static int16_t encode(const DistanceOctreeBuild* self, double value, double error, double certain)
{
    const AbutFieldHeader* h = self->block;
    double size = (fabs(value) - error) / (double)h->source_slope;
    size = value > 0.0 && size > certain ? certain : size;
    if (!(size > 0.0) || !(certain > 0.0))
    {
        return 0;
    }
    // Rounded down a little, because readers multiply in float.
    double steps = floor(size * (1.0 - 1e-6) / (double)h->octree_step);
    int16_t number = (int16_t)(steps < LARGEST ? steps : LARGEST);
    return value > 0.0 ? number : (int16_t)-number;
}

/// Distance in cells from any point of a brick to the nearest uncertain sign; 0 in an uncertain brick.
static double certain_in(const DistanceOctreeBuild* self, uint32_t brick)
{
    if (self->uncertain == NULL)
    {
        return INFINITY;
    }
    // A neighbour of an uncertain brick is certain itself, but no further.
    return self->uncertain[brick] == 0 ? 0.0 : fmax(1e-3, (self->uncertain[brick] - 1.0) * ABUT_BRICK_CELLS);
}

static int16_t node_center(const DistanceOctreeBuild* self, const AbutBrickNodes* nodes, const uint32_t at[3],
                           double certain)
{
    double value = nodes->value[(at[2] * ABUT_BRICK_NODES + at[1]) * ABUT_BRICK_NODES + at[0]];
    const AbutFieldHeader* h = self->block;
    return encode(self, value, abut_field_value_error(h, fabs(value), h->cell_size), certain);
}

static void fill_leaf(const DistanceOctreeBuild* self, const AbutBrickNodes* nodes, double certain,
                      int16_t* out)
{
    for (uint32_t i = 0; i < 8; ++i)
    {
        const uint32_t middle[3] = { i % 2 * 4 + 2, i / 2 % 2 * 4 + 2, i / 4 * 4 + 2 };
        out[i] = node_center(self, nodes, middle, certain);
        for (uint32_t j = 0; j < 8; ++j)
        {
            const uint32_t at[3] = { middle[0] + j % 2 * 2 - 1, middle[1] + j / 2 % 2 * 2 - 1,
                                     middle[2] + j / 4 * 2 - 1 };
            out[8 + 8 * i + j] = node_center(self, nodes, at, certain);
        }
    }
}

/// The middle of a brick with corners of the coarse level only.
static int16_t coarse_middle(const DistanceOctreeBuild* self, uint32_t brick, double certain)
{
    const AbutFieldHeader* h = self->block;
    int side = abut_field_coarse_side(self->block, brick);
    if (self->middles != NULL && self->middles[brick] * (float)side > 0.0f)
    {
        double value = self->middles[brick];
        return encode(self, value, (double)h->node_error / h->cell_size, certain);
    }
    AbutBrickNodes nodes;
    abut_field_load_values(self->block, brick, &nodes);
    double best = 0.0;
    for (int corner = 0; corner < 8 && side != 0; ++corner)
    {
        double value = fabs((double)nodes.value[corner]);
        double error = abut_field_value_error(h, value, nodes.cell_size) * nodes.cell_size / h->cell_size;
        best = fmax(best, value * ABUT_BRICK_CELLS - error - BRICK_RADIUS * (double)h->source_slope);
    }
    return encode(self, side * best, 0.0, certain);
}

static void fill_brick(void* context, uint32_t brick, uint32_t worker)
{
    (void)worker;
    const DistanceOctreeBuild* self = context;
    const AbutFieldHeader* h = self->block;
    uint32_t leaf = self->octree.slots != NULL ? self->octree.slots[brick] : brick;
    uint32_t position[3];
    abut_brick_position(h->brick_count, brick, position);
    int16_t* middle = (int16_t*)self->octree.levels[0] +
                      abut_distance_octree_brick_index(&self->octree, position[0], position[1], position[2]);
    double certain = certain_in(self, brick);
    if (leaf == ABUT_FIELD_NO_SLOT)
    {
        *middle = coarse_middle(self, brick, certain);
        return;
    }
    AbutBrickNodes nodes;
    const uint32_t center[3] = { 4, 4, 4 };
    abut_field_load_values(self->block, brick, &nodes);
    *middle = node_center(self, &nodes, center, certain);
    fill_leaf(self, &nodes, certain,
              (int16_t*)self->octree.leaves + (size_t)leaf * ABUT_DISTANCE_OCTREE_LEAF);
}

/// The least certain distance of the bricks around a brick corner inside of the grid.
static double certain_around(const DistanceOctreeBuild* self, const uint32_t corner[3])
{
    const AbutFieldHeader* h = self->block;
    double least = INFINITY;
    for (uint32_t i = 0; i < 8 && self->uncertain != NULL; ++i)
    {
        uint32_t brick = 0;
        for (int axis = 2; axis >= 0; --axis)
        {
            uint32_t back = i >> axis & 1u;
            uint32_t at = corner[axis] >= back ? corner[axis] - back : 0;
            at = at < h->brick_count[axis] ? at : h->brick_count[axis] - 1;
            brick = brick * h->brick_count[axis] + at;
        }
        least = fmin(least, certain_in(self, brick));
    }
    return least;
}

/// The middle of a box of bricks: a brick corner, or beyond the grid.
static int16_t corner_center(const DistanceOctreeBuild* self, const uint32_t corner[3])
{
    const AbutFieldHeader* h = self->block;
    double squared = 0.0;
    uint32_t inside[3], position[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        inside[axis] = corner[axis] < h->brick_count[axis] ? corner[axis] : h->brick_count[axis];
        double beyond = (double)(corner[axis] - inside[axis]) * ABUT_BRICK_CELLS;
        squared += beyond * beyond;
        position[axis] = inside[axis] * ABUT_BRICK_CELLS;
    }
    double unit = h->sparse != 0 ? ABUT_BRICK_CELLS : 1.0;
    double value = h->sparse != 0 ? (double)abut_field_coarse_value_at(self->block, position)
                                  : (double)abut_field_value_at(self->block, position);
    double error = abut_field_value_error(h, fabs(value), h->cell_size * unit) * unit;
    double certain = certain_around(self, inside);
    if (squared == 0.0)
    {
        return encode(self, value * unit, error, certain);
    }
    // The solid is in the grid.
    double over = fmax(0.0, value * unit - error) / (double)h->source_slope;
    return encode(self, sqrt(squared + over * over) * (double)h->source_slope, 0.0, INFINITY);
}

/// True for child `i` of a group that begins beyond the grid; `first` gets the brick at its corner.
static bool is_beyond(const AbutFieldHeader* h, const uint32_t position[3], uint32_t i, uint32_t size,
                      uint32_t first[3])
{
    bool beyond = false;
    for (int axis = 0; axis < 3; ++axis)
    {
        first[axis] = (2 * position[axis] + (i >> axis & 1u)) * size;
        beyond = beyond || first[axis] >= h->brick_count[axis];
    }
    return beyond;
}

/// Middles of the boxes of `size` bricks along a side, in the groups of a level.
static void fill_level(const DistanceOctreeBuild* self, uint32_t level, uint32_t size)
{
    const AbutFieldHeader* h = self->block;
    const uint32_t* groups = self->octree.group_count[level];
    int16_t* out = (int16_t*)self->octree.levels[level];
    for (uint32_t group = 0; group < groups[0] * groups[1] * groups[2]; ++group)
    {
        const uint32_t position[3] = { group % groups[0], group / groups[0] % groups[1],
                                       group / groups[0] / groups[1] };
        for (uint32_t i = 0; i < 8; ++i)
        {
            uint32_t first[3];
            int16_t* number = &out[8 * (size_t)group + i];
            if (is_beyond(h, position, i, size, first))
            {
                *number = LARGEST;
            }
            else if (level > 0)
            {
                const uint32_t corner[3] = { first[0] + size / 2, first[1] + size / 2, first[2] + size / 2 };
                *number = corner_center(self, corner);
            }
        }
    }
}

AbutResult abut_distance_octree_build(void* block, const float* middles, const AbutHost* host)
{
    const AbutFieldHeader* h = block;
    if (h->has_octree == 0)
    {
        return ABUT_OK;
    }
    DistanceOctreeBuild self = { .block = block,
                                 .octree = abut_distance_octree_make(block),
                                 .middles = middles };
    AbutResult result = find_uncertain(&self, host);
    if (result != ABUT_OK)
    {
        return result;
    }
    for (uint32_t level = 0; level < self.octree.level_count; ++level)
    {
        fill_level(&self, level, 1u << level);
    }
    abut_parallel_for(host, brick_total(h), fill_brick, &self);
    abut_memory_free(host, self.uncertain, brick_total(h), 1);
    return ABUT_OK;
}

size_t abut_distance_octree_find_invalid(const void* block, size_t count)
{
    const AbutFieldHeader* h = block;
    AbutDistanceOctree octree = abut_distance_octree_make((void*)(uintptr_t)block);
    for (uint32_t level = 0; level < octree.level_count; ++level)
    {
        const uint32_t* groups = octree.group_count[level];
        for (uint32_t group = 0; group < groups[0] * groups[1] * groups[2]; ++group)
        {
            const uint32_t position[3] = { group % groups[0], group / groups[0] % groups[1],
                                           group / groups[0] / groups[1] };
            for (uint32_t i = 0; i < 8; ++i)
            {
                uint32_t first[3];
                const int16_t* number = &octree.levels[level][8 * (size_t)group + i];
                if (*number != LARGEST && is_beyond(h, position, i, 1u << level, first))
                {
                    return (size_t)(number - octree.leaves);
                }
            }
        }
    }
    return count;
}

AbutOctreeDistance abut_distance_octree_at(const AbutDistanceOctree* octree, AbutDVec3 cells)
{
    uint32_t brick[3], corner_4 = 0, corner_2 = 0;
    AbutDVec3 middle_8 = abut_dvec3_zero(), middle_2 = abut_dvec3_zero(); // of the boxes of 8 and of 2 cells
    for (int axis = 0; axis < 3; ++axis)
    {
        double cell = abut_dvec3_get(cells, axis), at = cell / ABUT_BRICK_CELLS;
        double last = octree->brick_count[axis] - 1.0;
        brick[axis] = at > 0.0 ? (uint32_t)(at < last ? at : last) : 0;
        double begin = (double)ABUT_BRICK_CELLS * brick[axis], in_brick = cell - begin;
        uint32_t half = in_brick >= 4.0, quarter = in_brick - 4.0 * half >= 2.0;
        corner_4 |= half << axis;
        corner_2 |= quarter << axis;
        middle_8 = abut_dvec3_with(middle_8, axis, begin + 4.0);
        middle_2 = abut_dvec3_with(middle_2, axis, begin + 4.0 * half + 2.0 * quarter + 1.0);
    }
    uint32_t leaf = abut_brick_number(octree->brick_count, brick);
    leaf = octree->slots != NULL ? octree->slots[leaf] : leaf;
    if (leaf == ABUT_FIELD_NO_SLOT)
    {
        size_t number = abut_distance_octree_brick_index(octree, brick[0], brick[1], brick[2]);
        double distance =
            octree->level_count > 0 ? (double)octree->levels[0][number] * (double)octree->step : 0.0;
        return (AbutOctreeDistance){ middle_8, distance };
    }
    size_t number = (size_t)leaf * ABUT_DISTANCE_OCTREE_LEAF + 8 + 8 * corner_4 + corner_2;
    return (AbutOctreeDistance){ middle_2, (double)octree->leaves[number] * (double)octree->step };
}
