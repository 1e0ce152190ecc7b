#include "field/bounds/surface_octree.h"

#include "base/assert.h"
#include "field/bounds/pyramid.h"
#include "field/nodes/brick_nodes.h"

#include <math.h>
#include <stdlib.h>

enum
{
    LARGEST = 32767
};

AbutSurfaceOctree abut_surface_octree_make(void* block, const AbutDistanceOctree* octree,
                                           const AbutHalfSpaces* half_spaces)
{
    const AbutFieldHeader* h = block;
    AbutSurfaceOctree self = { .block = block,
                               .octree = octree->leaves != NULL ? octree : NULL,
                               .top = ABUT_SURFACE_OCTREE_BRICK + 1,
                               .half_spaces = half_spaces->leaves != NULL ? half_spaces : NULL,
                               .uncertain = isinf(abut_field_root_bounds(block).error),
                               .inside_counts = abut_field_inside_counts(block),
                               .step = octree->leaves != NULL ? octree->step : 1.0f };
    for (int axis = 0; axis < 3; ++axis)
    {
        while (h->brick_count[axis] > 1u << (self.top - ABUT_SURFACE_OCTREE_BRICK))
        {
            self.top += 1;
        }
    }
    return self;
}

void abut_surface_octree_limits(const AbutSurfaceOctree* self, int32_t level, int limits[2])
{
    float most = ceilf(abut_surface_octree_radius(level) / self->step);
    limits[1] = most < (float)LARGEST ? (int)most : LARGEST - 1; // LARGEST is for boxes beyond the grid
    limits[0] = self->inside_counts ? -LARGEST - 1 : -limits[1];
}

// -----------------------------------------------------------------------------------------------------------
// Fields with a distance octree
// -----------------------------------------------------------------------------------------------------------

static void fill8(int16_t made[8], int number)
{
    for (int i = 0; i < 8; ++i)
    {
        made[i] = (int16_t)number;
    }
}

static void brick_of(const AbutOctreeBox* box, uint32_t brick[3])
{
    int32_t down = ABUT_SURFACE_OCTREE_BRICK - box->level; // 0: a brick, 1: an eighth of one
    brick[0] = box->index[0] >> down;
    brick[1] = box->index[1] >> down;
    brick[2] = box->index[2] >> down;
}

static AbutSurfaceOctreeChildren stored_children(const AbutSurfaceOctree* self, const AbutOctreeBox* box,
                                                 int16_t made[8])
{
    const AbutDistanceOctree* c = self->octree;
    const uint32_t* at = box->index;
    if (box->level > ABUT_SURFACE_OCTREE_BRICK)
    {
        int32_t level = box->level - ABUT_SURFACE_OCTREE_BRICK - 1;
        const uint32_t* groups = c->group_count[level];
        size_t group = ((size_t)at[2] * groups[1] + at[1]) * groups[0] + at[0];
        return (AbutSurfaceOctreeChildren){ c->levels[level] + 8 * group, self->half_spaces->levels[level] +
                                                                              ABUT_HALF_SPACE_GROUP * group };
    }
    uint32_t brick[3];
    brick_of(box, brick);
    uint32_t number = abut_brick_number(c->brick_count, brick);
    uint32_t leaf = c->slots != NULL ? c->slots[number] : number;
    if (leaf != ABUT_FIELD_NO_SLOT)
    {
        const int16_t* numbers = c->leaves + (size_t)leaf * ABUT_DISTANCE_OCTREE_LEAF;
        uint32_t child = (at[2] & 1u) * 4 + (at[1] & 1u) * 2 + (at[0] & 1u);
        return box->level == ABUT_SURFACE_OCTREE_BRICK
                   ? (AbutSurfaceOctreeChildren){ numbers, self->half_spaces->leaves +
                                                               (size_t)leaf * ABUT_HALF_SPACE_GROUP }
                   : (AbutSurfaceOctreeChildren){ numbers + 8 + 8 * child, NULL };
    }
    // From the middle of the brick to those of its children: √3 · 2 and at most √3 · 3 cells.
    float distance = box->level == ABUT_SURFACE_OCTREE_BRICK ? 3.4641018f : 5.1961527f;
    int of_brick = c->levels[0][abut_distance_octree_brick_index(c, brick[0], brick[1], brick[2])];
    int less = (int)ceilf(distance / c->step), size = abs(of_brick) > less ? abs(of_brick) - less : 0;
    fill8(made, of_brick > 0 ? size : -size);
    return (AbutSurfaceOctreeChildren){ made, NULL };
}

// -----------------------------------------------------------------------------------------------------------
// Fields without
// -----------------------------------------------------------------------------------------------------------

/// 0 where the surface may pass, else LARGEST.
static int16_t number_of_bounds(const AbutSurfaceOctree* self, AbutFieldBounds bounds)
{
    bool apart = bounds.low > 0.0f || (bounds.high < 0.0f && !self->inside_counts);
    return isfinite(bounds.error) && apart ? LARGEST : 0;
}

static int16_t number_of_box(const AbutSurfaceOctree* self, const uint32_t index[3], int32_t level)
{
    const AbutFieldHeader* h = self->block;
    uint32_t count[3];
    const AbutPackedBounds* entries =
        abut_field_level(self->block, (uint32_t)(level - ABUT_SURFACE_OCTREE_BRICK), count);
    if (index[0] >= count[0] || index[1] >= count[1] || index[2] >= count[2])
    {
        return LARGEST;
    }
    uint32_t number = (index[2] * count[1] + index[1]) * count[0] + index[0];
    if (level > ABUT_SURFACE_OCTREE_BRICK)
    {
        return number_of_bounds(self, abut_field_unpack_bounds(entries[number], h->cell_size));
    }
    AbutFieldBounds bounds = abut_field_brick_bounds(self->block, number);
    int side = abut_field_coarse_side(self->block, number); // the surface passes through stored bricks only
    bool apart = isfinite(bounds.error) && (side > 0 || (side < 0 && !self->inside_counts));
    return apart ? LARGEST : number_of_bounds(self, bounds);
}

/// From the node in the middle of a box of two or four cells.
static int16_t number_of_node(const AbutSurfaceOctree* self, const uint32_t index[3], int32_t level)
{
    const AbutFieldHeader* h = self->block;
    const uint32_t node[3] = { (2 * index[0] + 1) << (level - 1), (2 * index[1] + 1) << (level - 1),
                               (2 * index[2] + 1) << (level - 1) };
    double value = (double)abut_field_value_at(self->block, node);
    value = self->inside_counts ? value : fabs(value);
    double bound = (value - abut_field_value_error(h, fabs(value), h->cell_size)) / (double)h->source_slope;
    return bound > (double)abut_surface_octree_radius(level) ? LARGEST : 0; // NaN for nodes not stored
}

static void compute_children(const AbutSurfaceOctree* self, const AbutOctreeBox* box, int16_t made[8])
{
    int32_t level = box->level - 1;
    bool fine = level < ABUT_SURFACE_OCTREE_BRICK;
    if (fine && self->uncertain && !abut_surface_octree_is_certain(self, box))
    {
        fill8(made, 0);
        return;
    }
    for (uint32_t i = 0; i < 8; ++i)
    {
        const uint32_t child[3] = { 2 * box->index[0] + (i & 1u), 2 * box->index[1] + (i >> 1 & 1u),
                                    2 * box->index[2] + (i >> 2) };
        made[i] = fine ? number_of_node(self, child, level) : number_of_box(self, child, level);
    }
}

AbutSurfaceOctreeChildren abut_surface_octree_children(const AbutSurfaceOctree* self,
                                                       const AbutOctreeBox* box, int16_t made[8])
{
    ABUT_ASSERT(box->level <= self->top);
    if (box->level <= ABUT_SURFACE_OCTREE_FINEST)
    {
        fill8(made, 0);
        return (AbutSurfaceOctreeChildren){ made, NULL };
    }
    if (self->octree != NULL)
    {
        return stored_children(self, box, made);
    }
    compute_children(self, box, made);
    return (AbutSurfaceOctreeChildren){ made, NULL };
}

bool abut_surface_octree_is_certain(const AbutSurfaceOctree* self, const AbutOctreeBox* box)
{
    if (!self->uncertain)
    {
        return true;
    }
    const AbutFieldHeader* h = self->block;
    uint32_t brick[3];
    brick_of(box, brick);
    return abut_field_is_certain_around(self->block, abut_brick_number(h->brick_count, brick));
}
